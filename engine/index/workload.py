"""How much work a sync will be, guessed before any file is read."""

from __future__ import annotations

from engine.chunking.chunk import ChunkingRules
from engine.index.context import SyncParts
from engine.index.decision import SyncRequest
from engine.index.identity import same_chunks, same_space
from engine.index.plan import everything, make_plan
from engine.sources.found import ScanResult

BULK_CHUNKS = 300
"""Above this a sync takes long enough to be felt by someone who types."""

_BYTES_PER_TOKEN = 4


def belongs_in_child(parts: SyncParts, request: SyncRequest, found: ScanResult) -> bool:
    """Whether a sync should run in a process of its own.

    Only with the built-in model or without a provider: no key goes to another process,
    and a provider that is waited for costs no processor time here.
    """
    return parts.at_once and expected_chunks(parts, request, found) > BULK_CHUNKS


def expected_chunks(parts: SyncParts, request: SyncRequest, found: ScanResult) -> int:
    """Chunks to cut, from the sizes of the files, and chunks that only lack a vector."""
    reader, wanted = parts.store.reader, parts.wanted()
    stored = reader.identity()
    if request.force or stored is None or not same_chunks(stored, wanted):
        return chunks_of(parts.settings.rules, everything(found.files).bytes_to_read)
    plan = make_plan(found.files, reader.files())
    # Only after a change of model do many chunks lack a vector; counting them takes time.
    new_space = not same_space(stored, wanted)
    waiting = len(reader.unembedded(wanted.vector_space)) if new_space else 0
    return chunks_of(parts.settings.rules, plan.bytes_to_read) + waiting


def chunks_of(rules: ChunkingRules, size: int) -> int:
    """About how many chunks so many bytes of text make."""
    return size // max(1, (rules.tokens - rules.overlap) * _BYTES_PER_TOKEN)
