"""What memory needs of the other parts of an agent's configuration, as typed groups."""

from dataclasses import field
from typing import Literal

from engine.config.declaring import Section, key
from engine.config.units import BYTES


class MemoryFlush(Section):
    """The turn in which an agent saves what it knows before its context is compacted."""

    enabled: bool = field(default=True, metadata=key("Flush before a compaction."))
    soft_threshold_tokens: int = field(
        default=4000, metadata=key("Tokens before the reserve at which the flush runs.", low=0)
    )
    force_flush_transcript_bytes: int = field(
        default=2_097_152,
        metadata=key("Transcript size that forces a flush; 0 is off.", low=0, spelled=BYTES),
    )
    prompt: str | None = field(default=None, metadata=key("Another user prompt."))
    system_prompt: str | None = field(default=None, metadata=key("Another system prompt."))
    model: str | None = field(default=None, metadata=key("Another chat model."))


class Compaction(Section):
    """The keys of ``compaction`` that memory depends on."""

    reserve_tokens_floor: int = field(
        default=20_000, metadata=key("Tokens of the context that stay free.", low=0)
    )
    post_index_sync: Literal["off", "async", "await"] = field(
        default="async", metadata=key("Index transcripts after a compaction.")
    )
    memory_flush: MemoryFlush = MemoryFlush()


class ContextLimits(Section):
    """Bounds of ``memory_get`` without a range; unset values follow the era."""

    memory_get_default_lines: int | None = field(
        default=None, metadata=key("Lines of memory_get; unset: by era.", low=1, high=5000)
    )
    memory_get_max_chars: int | None = field(
        default=None, metadata=key("Characters of memory_get; unset: by era.", low=1, high=250_000)
    )


class SessionTools(Section):
    """Who may see which transcripts."""

    visibility: Literal["self", "tree", "agent", "all"] | None = field(
        default=None, metadata=key("Sessions that an agent may search; unset: by era.")
    )


class PluginSlots(Section):
    """Which plug-in fills the memory slot."""

    memory: str = field(default="memory-core", metadata=key("none switches memory off."))
