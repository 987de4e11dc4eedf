"""``memlens status``: the state of every agent's memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from engine.cli.local_model import local_model_words
from engine.cli.output import plain, print_json, print_lines
from engine.cli.provider_lines import provider_document, provider_lines

if TYPE_CHECKING:
    from engine.cli.session import Session
    from engine.memory import MemoryEngine
    from engine.status import EngineStatus, ProbeReport


@click.command()
@click.option("--deep", is_flag=True, help="Also embed one word with the provider.")
@click.option("--index", "sync_first", is_flag=True, help="Bring the index up to date first.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.pass_obj
def status(session: Session, deep: bool, sync_first: bool, as_json: bool) -> int:
    """Say what is indexed, what is dirty, and which provider answers."""
    with session.engines() as engines:
        reports = [_report(engine, deep, sync_first) for engine in engines]
    if as_json:
        print_json([document for document, _ in reports])
    else:
        for _, lines in reports:
            print_lines(lines)
    return 0


def _report(engine: MemoryEngine, deep: bool, sync_first: bool) -> tuple[dict[str, Any], list[str]]:
    if sync_first:
        engine.sync("demand")
    else:
        engine.scan()
    state = engine.status()
    document = {"agentId": state.agent_id, "status": _status(state), "scan": _scan(state)}
    lines = _lines(state)
    if deep:
        probe = engine.probe()
        document["embeddingProbe"] = _probe_document(probe)
        lines.append(f"Embeddings  {_probe_words(probe)}")
    return document, lines


def _probe_document(probe: ProbeReport) -> dict[str, Any]:
    return {
        "ok": probe.problem is None,
        "error": probe.problem,
        "latencyMs": None if probe.latency_ms is None else round(probe.latency_ms, 1),
        "dimensions": probe.dimensions,
    }


def _probe_words(probe: ProbeReport) -> str:
    if probe.problem is not None:
        return f"{probe.problem} {probe.hint}".rstrip()
    latency = "" if probe.latency_ms is None else f", answered in {probe.latency_ms:.0f} ms"
    return f"ready{latency}, {probe.dimensions} dimensions"


def _status(state: EngineStatus) -> dict[str, Any]:
    provider = state.provider
    return {
        "backend": "builtin",
        "files": state.files,
        "chunks": state.chunks,
        "dirty": bool(state.dirty),
        "dirtyFiles": [{"path": f.path, "state": f.state} for f in state.dirty],
        "workspaceDir": state.workspace,
        "dbPath": state.store_path,
        "provider": provider.provider,
        "model": provider.model,
        "requestedProvider": provider.requested,
        "sources": plain(state.sources),
        "extraPaths": plain(state.extra_paths),
        "sourceCounts": plain(state.source_counts),
        "cache": plain(state.cache),
        "fts": plain(state.fts),
        "vector": plain(state.vector),
        "batch": plain(state.batch),
        "fallback": _fallback(state),
        "foreign": [],
        "sync": plain(state.sync),
        "watch": plain(state.watch),
        "warnings": plain(state.warnings),
        **provider_document(state),
        "custom": {
            "searchMode": state.search_mode,
            "providerState": plain(provider),
            "indexIdentity": plain(state.identity),
            "era": state.era,
            "profile": state.profile,
        },
    }


def _fallback(state: EngineStatus) -> dict[str, Any] | None:
    fallback = state.provider.fallback
    if fallback is None:
        return None
    return {
        "from": fallback.from_,
        "to": fallback.to,
        "reason": fallback.reason,
        "since": fallback.since_ms,
    }


def _scan(state: EngineStatus) -> dict[str, Any]:
    issues = [f"{skipped.path}: {skipped.reason}" for skipped in state.skipped]
    gone = sum(1 for f in state.dirty if f.state == "deleted")
    new = sum(1 for f in state.dirty if f.state == "new")
    total = state.files + new - gone
    source = {"source": "memory", "totalFiles": total, "issues": issues}
    return {"sources": [source], "totalFiles": total, "issues": issues}


def _batch_lines(state: EngineStatus) -> list[str]:
    """Batch jobs, where they are switched on or still out."""
    batch = state.batch
    if not batch.enabled and not batch.jobs:
        return []
    lines = [f"Batch jobs  {'used for bulk indexing' if batch.active else batch.reason}"]
    for job in batch.jobs:
        share = f"{job.done} of {job.total} done" + (f", {job.failed} failed" * bool(job.failed))
        lines.append(f"            ...{job.job or '?'} {job.phase.replace('_', ' ')}, {share}")
    return lines


def _lines(state: EngineStatus) -> list[str]:
    provider, vector, cache = state.provider, state.vector, state.cache
    rate = "" if cache.hit_rate is None else f", last sync {cache.hit_rate:.0%} from the cache"
    local = provider.local
    lines = [
        f"Memory of {state.agent_id} ({state.mode}, era {state.era}, profile {state.profile})",
        f"Provider    {provider.provider}/{provider.model or '-'} (asked: {provider.requested})",
        f"            {provider.reason}",
        *([f"Model       {local_model_words(local)}"] if local is not None else []),
        f"Agent       {provider.agent_would}",
        f"Indexed     {state.files} files, {state.chunks} chunks, {vector.vectors} vectors",
        f"State       {_state_words(state)}",
        f"Workspace   {state.workspace}",
        f"Store       {state.store_path} ({state.store_bytes / 1e6:.1f} MB)",
        f"Keywords    {'FTS5 ' + state.fts.tokenizer if state.fts.available else state.fts.error}",
        f"Vectors     {vector.via}" + (f": {vector.load_error}" if vector.load_error else ""),
        f"Cache       {cache.entries} entries{rate}",
        f"Identity    {state.identity.status}",
    ]
    lines += [f"            {change}" for change in state.identity.changes]
    lines += _batch_lines(state)
    lines += provider_lines(state)
    lines += [f"Dirty       {f.path} ({f.state})" for f in state.dirty]
    lines += [f"Skipped     {s.path}: {s.reason}" for s in state.skipped]
    lines += [f"Warning     {w.title}: {w.message} {w.hint}".rstrip() for w in state.warnings]
    return lines


def _state_words(state: EngineStatus) -> str:
    if state.sync.phase == "failed":
        return f"last sync failed: {state.sync.error}"
    if state.dirty:
        return f"dirty, {len(state.dirty)} files differ from the disk"
    return "clean" if state.files else "empty"
