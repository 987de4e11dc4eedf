"""What memory needs of the other parts of an agent's configuration, as typed groups."""

from dataclasses import dataclass
from typing import Annotated, Literal

from annotated_types import Ge, Le, doc

from engine.config.declaring import NonNegative, Text
from engine.config.units import BYTES


@dataclass(frozen=True)
class MemoryFlush:
    """The turn in which an agent saves what it knows before its context is compacted."""

    enabled: Annotated[bool, doc("Flush before a compaction.")] = True
    soft_threshold_tokens: Annotated[
        NonNegative, doc("Tokens before the reserve at which the flush runs.")
    ] = 4000
    force_flush_transcript_bytes: Annotated[
        NonNegative, BYTES, doc("Transcript size that forces a flush; 0 is off.")
    ] = 2_097_152
    prompt: Annotated[Text | None, doc("Another user prompt.")] = None
    system_prompt: Annotated[Text | None, doc("Another system prompt.")] = None
    model: Annotated[Text | None, doc("Another chat model.")] = None


@dataclass(frozen=True)
class Compaction:
    """The keys of ``compaction`` that memory depends on."""

    reserve_tokens_floor: Annotated[NonNegative, doc("Tokens of the context that stay free.")] = (
        20_000
    )
    post_index_sync: Annotated[
        Literal["off", "async", "await"], doc("Index transcripts after a compaction.")
    ] = "async"
    memory_flush: MemoryFlush = MemoryFlush()


@dataclass(frozen=True)
class ContextLimits:
    """Bounds of ``memory_get`` without a range; unset values follow the era."""

    memory_get_default_lines: Annotated[
        Annotated[int, Ge(1), Le(5000)] | None, doc("Lines of memory_get; unset: by era.")
    ] = None
    memory_get_max_chars: Annotated[
        Annotated[int, Ge(1), Le(250000)] | None, doc("Characters of memory_get; unset: by era.")
    ] = None


@dataclass(frozen=True)
class SessionTools:
    """Who may see which transcripts."""

    visibility: Annotated[
        Literal["self", "tree", "agent", "all"] | None,
        doc("Sessions that an agent may search; unset: by era."),
    ] = None


@dataclass(frozen=True)
class PluginSlots:
    """Which plug-in fills the memory slot."""

    memory: Annotated[Text, doc("none switches memory off.")] = "memory-core"
