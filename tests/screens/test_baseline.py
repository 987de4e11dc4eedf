"""The fixture itself: it notices a changed screen, and refuses to renew elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.screens.baseline import Baselines, versions_here
from tests.screens.scripted import ScriptedEngine
from tests.screens.shot import Shot
from tests.screens.stage import Stage, show

SHOT = Shot("<svg>a</svg>\n", ("a",))


def test_a_screen_equals_what_was_recorded_and_nothing_else(tmp_path: Path) -> None:
    folder = tmp_path / "overview"
    Baselines(folder, update=True).check(SHOT, "clean")
    Baselines(folder, update=False).check(SHOT, "clean")
    for other in (Shot(SHOT.svg, ("b",)), Shot("<svg>b</svg>\n", SHOT.lines)):
        with pytest.raises(pytest.fail.Exception, match="differs"):
            Baselines(folder, update=False).check(other, "clean")
    with pytest.raises(pytest.fail.Exception, match="no baseline"):
        Baselines(folder, update=False).check(SHOT, "never recorded")


def test_another_python_or_textual_may_not_renew(tmp_path: Path) -> None:
    (tmp_path / "VERSIONS").write_text("python 3.9, textual 1.0.0\n", "utf-8")
    with pytest.raises(pytest.fail.Exception, match=r"were made with python 3\.9, textual 1\.0\.0"):
        Baselines(tmp_path / "overview", update=True).check(SHOT, "clean")
    assert not list((tmp_path / "overview").iterdir())


def test_on_another_textual_the_text_still_counts(tmp_path: Path) -> None:
    folder = tmp_path / "overview"
    Baselines(folder, update=True).check(SHOT, "clean")
    (tmp_path / "VERSIONS").write_text("python 3.11, textual 1.0.0\n", "utf-8")
    Baselines(folder, update=False).check(Shot("<svg>b</svg>\n", SHOT.lines), "clean")
    with pytest.raises(pytest.fail.Exception, match=r"clean\.txt differs"):
        Baselines(folder, update=False).check(Shot(SHOT.svg, ("b",)), "clean")
    assert versions_here() != "python 3.11, textual 1.0.0\n"


def test_a_picture_holds_nothing_of_this_machine(on_stage: Stage) -> None:
    shot = show(on_stage.app(engine=ScriptedEngine().opener()), (80, 24))
    again = show(on_stage.app(engine=ScriptedEngine().opener()), (80, 24))
    assert shot == again
    assert str(on_stage.root) not in shot.svg
    assert "http" not in shot.svg.replace("http://www.w3.org/", "").replace(
        "https://www.textualize.io", ""
    )
    assert all(line in shot.text for line in ("✓ clean", "q quit"))
