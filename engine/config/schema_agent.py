"""What memory needs of the other parts of an agent's configuration, as typed models."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from engine.config.schema import Section
from engine.config.units import ByteSize


class MemoryFlush(Section):
    """The turn in which an agent saves what it knows before its context is compacted."""

    enabled: bool = Field(default=True, description="Flush before a compaction.")
    soft_threshold_tokens: int = Field(
        default=4000, ge=0, description="Tokens before the reserve at which the flush runs."
    )
    force_flush_transcript_bytes: ByteSize = Field(
        default=2_097_152, ge=0, description="Transcript size that forces a flush; 0 is off."
    )
    prompt: str | None = Field(default=None, description="Another user prompt.")
    system_prompt: str | None = Field(default=None, description="Another system prompt.")
    model: str | None = Field(default=None, description="Another chat model.")


class Compaction(Section):
    """The keys of ``compaction`` that memory depends on."""

    reserve_tokens_floor: int = Field(
        default=20_000, ge=0, description="Tokens of the context that stay free."
    )
    post_index_sync: Literal["off", "async", "await"] = Field(
        default="async", description="Index transcripts after a compaction."
    )
    memory_flush: MemoryFlush = MemoryFlush()


class ContextLimits(Section):
    """Bounds of ``memory_get`` without a range; unset values follow the era."""

    memory_get_default_lines: int | None = Field(
        default=None, ge=1, le=5000, description="Lines of memory_get; unset: by era."
    )
    memory_get_max_chars: int | None = Field(
        default=None, ge=1, le=250_000, description="Characters of memory_get; unset: by era."
    )


class SessionTools(Section):
    """Who may see which transcripts."""

    visibility: Literal["self", "tree", "agent", "all"] | None = Field(
        default=None, description="Sessions that an agent may search; unset: by era."
    )


class PluginSlots(Section):
    """Which plug-in fills the memory slot."""

    memory: str = Field(default="memory-core", description="none switches memory off.")
