"""Retrieval quality, all sets and profiles side by side.

    python -m tests.bench.quality [--profiles tuned,2026.3] [--provider none] [--set KEY=VALUE ...]

Reads the judged sets from the shared folder and tests/data; per set, never one mean.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from engine.clock import FixedClock
from engine.config.request import EngineOptions, Places
from engine.memory import MemoryEngine, Surroundings
from engine.workbench.evaluation import QueryOutcome, evaluate, means
from engine.workbench.judgements import read_judgements
from tests.shared import SHARED

OWN = Path(__file__).resolve().parents[1] / "data"
PROFILES = ("documented", "2026.3", "2026.7", "2026.9", "tuned")
COLUMNS = ("evidence@6", "nDCG@10", "MRR@10", "first")
NOW_MS = 1_795_824_000_000.0  # 2026-11-28, the clock of decay


def sets() -> dict[str, list[Path]]:
    """Workspaces by the name of their set; each holds ``queries.jsonl``."""
    data = SHARED / "data"
    found = {
        "locomo": sorted(data.glob("locomo/conv-*")),
        "technotes en": [data / "technotes" / "en"],
        "technotes zh": [data / "technotes" / "zh"],
        "paraphrases": [data / "paraphrases" / "a", data / "paraphrases" / "b"],
        "superseded": [OWN / "superseded"],
    }
    return {
        name: kept
        for name, folders in found.items()
        if (kept := [folder for folder in folders if (folder / "queries.jsonl").exists()])
    }


def outcomes(
    folder: Path, profiles: Iterable[str], settings: tuple[str, ...], *, cut: bool
) -> Mapping[str, list[QueryOutcome]]:
    """Index one workspace and evaluate it with each profile."""
    with tempfile.TemporaryDirectory() as name:
        places = Places(Path(name), Path(name), Path(name))
        around = Surroundings({}, places, FixedClock(NOW_MS), inline_indexing=True)
        engine = MemoryEngine.open(EngineOptions(workspace=folder, settings=settings), around)
        engine.sync("demand")
        queries = read_judgements(folder / "queries.jsonl")
        found = {
            profile: list(
                evaluate(engine, queries, engine.rank_settings(profile), cut=cut).outcomes
            )
            for profile in profiles
        }
        engine.close()
    return found


def table(name: str, by_profile: Mapping[str, list[QueryOutcome]]) -> list[str]:
    """The rows of one set: every profile, then its categories."""
    lines = [f"\n{name}", f"{'':26}{'queries':>8}" + "".join(f"{c:>12}" for c in COLUMNS)]
    for profile, found in by_profile.items():
        lines.append(_row(profile, found))
        categories = sorted({outcome.query.category for outcome in found})
        if len(categories) > 1:
            lines += [
                _row(f"  {c}", [o for o in found if o.query.category == c]) for c in categories
            ]
    return lines


def _row(label: str, found: list[QueryOutcome]) -> str:
    values = means(found)
    firsts = sum(outcome.metrics["first"] for outcome in found)
    cells = "".join(f"{values[c]:12.3f}" for c in COLUMNS[:-1]) + f"{firsts:12.0f}"
    return f"{label:26}{len(found):8}{cells}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--profiles", default=",".join(PROFILES))
    parser.add_argument("--provider", default="builtin")
    parser.add_argument("--set", action="append", default=[], dest="settings")
    parser.add_argument("--only", default="", help="a part of the names of the sets")
    parser.add_argument("--cut", action="store_true", help="apply the minimum score")
    given = parser.parse_args()
    settings = (f"provider={given.provider}", *given.settings)
    profiles = given.profiles.split(",")
    for name, folders in sets().items():
        if given.only not in name:
            continue
        merged: dict[str, list[QueryOutcome]] = {profile: [] for profile in profiles}
        for folder in folders:
            for profile, found in outcomes(folder, profiles, settings, cut=given.cut).items():
                merged[profile] += found
        print("\n".join(table(name, merged)), flush=True)


if __name__ == "__main__":
    main()
