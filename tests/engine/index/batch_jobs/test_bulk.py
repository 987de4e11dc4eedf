"""A first index through batch jobs, from the submission to the last vector."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engine.index.batch_jobs.house import NOTES, House, assert_right


@pytest.mark.parametrize("provider", ["openai", "voyage", "gemini"])
def test_a_first_index_goes_by_one_job(tmp_path: Path, provider: str) -> None:
    house = House(tmp_path, provider)
    with house.host() as host:
        house.configure(host)
        with house.open() as engine:
            report = engine.sync("demand")
            assert_right(engine)
            assert (report.embedded, report.not_embedded, report.submitted) == (NOTES, 0, 0)
            assert not engine.status().batch.jobs
        assert sorted(host.batch_texts) == sorted(set(host.batch_texts))
        assert len(host.batch_texts) == NOTES
        asked = [host.asked(kind) for kind in ("upload", "create", "embeddings")]
        assert asked == [1, 1, 0]
