"""``memlens eval``: how good the ranking is on judged queries."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from engine.cli.output import plain, print_json, print_lines

if TYPE_CHECKING:
    from engine.cli.session import Session
    from engine.metrics.significance import Comparison
    from engine.workbench.evaluation import Evaluation, QueryOutcome

WORST = 8


@click.command(name="eval")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--compare", "other", metavar="PROFILE", help="Also evaluate this profile.")
@click.option("--cut", is_flag=True, help="Apply the minimum score.")
@click.option("--depth", type=click.IntRange(1, 200), default=10, help="Results looked at.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.pass_obj
def evaluation(
    session: Session, file: Path, other: str | None, cut: bool, depth: int, as_json: bool
) -> int:
    """Search every judged query of FILE (JSON lines) and measure the results."""
    from engine.metrics.significance import compare
    from engine.workbench.evaluation import evaluate
    from engine.workbench.judgements import read_judgements

    queries = read_judgements(file)
    with session.engine() as engine:
        if not engine.indexed:
            engine.sync("demand")
        settings = engine.rank_settings()
        result = evaluate(engine, queries, settings, depth=depth, cut=cut)
        document = _document(result) | {"profile": settings.profile}
        lines = _lines(settings.profile, result)
        if other is not None:
            second = evaluate(engine, queries, engine.rank_settings(other), depth=depth, cut=cut)
            verdicts = {name: compare(*_pairs(result, second, name)) for name in result.metrics}
            document["compared"] = _document(second) | {"profile": other}
            document["significance"] = plain(verdicts)
            lines += [*_lines(other, second), *(_verdict(*item) for item in verdicts.items())]
    if as_json:
        print_json(document)
    else:
        print_lines([*lines, "", "worst queries", *_worst(result)])
    return 0


def _document(result: Evaluation) -> dict[str, Any]:
    return {
        "queries": len(result.outcomes),
        "metrics": result.metrics,
        "metricsByCategory": result.by_category,
        "unjudged": sum(outcome.unjudged for outcome in result.outcomes),
        "perQuery": [_query(outcome) for outcome in result.outcomes],
    }


def _query(outcome: QueryOutcome) -> dict[str, Any]:
    places = [
        f"{r.candidate.path}:{r.candidate.start_line}-{r.candidate.end_line}" for r in outcome.found
    ]
    return {
        "query": outcome.query.query,
        "category": outcome.query.category,
        "metrics": dict(outcome.metrics),
        "found": places,
        "unjudged": outcome.unjudged,
    }


def _pairs(first: Evaluation, second: Evaluation, name: str) -> tuple[list[float], list[float]]:
    return (
        [outcome.metrics[name] for outcome in first.outcomes],
        [outcome.metrics[name] for outcome in second.outcomes],
    )


def _lines(profile: str, result: Evaluation) -> list[str]:
    rows = {"all": result.metrics, **result.by_category} if result.outcomes else {}
    names = list(result.metrics)
    head = f"{profile:14} {'queries':>8} " + " ".join(f"{name:>11}" for name in names)
    counts = {name: sum(o.query.category == name for o in result.outcomes) for name in rows}
    counts["all"] = len(result.outcomes)
    body = [
        f"{row:14} {counts[row]:8} " + " ".join(f"{values[name]:11.3f}" for name in names)
        for row, values in rows.items()
    ]
    return [head, *body]


def _verdict(name: str, verdict: Comparison) -> str:
    words = "convincing" if verdict.convincing else "not yet convincing"
    return (
        f"{name:12} better {verdict.better}, same {verdict.same}, worse {verdict.worse}; "
        f"sign test p {verdict.p:.3f}, {words}"
    )


def _worst(result: Evaluation) -> list[str]:
    name = (
        next(name for name in result.metrics if name.startswith("nDCG")) if result.metrics else ""
    )
    ordered = sorted(result.outcomes, key=lambda outcome: outcome.metrics[name])
    return [f"  {o.metrics[name]:.3f}  {o.query.query}" for o in ordered[:WORST]]
