"""The provider ids that configurations may name, and what this version can do with each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

EARLY_ERAS = frozenset({"2026.2", "2026.3"})
"""The eras in which a key decided when no provider was named."""


@dataclass(frozen=True, slots=True)
class KnownProvider:
    """A provider of the original.

    ``auth_id`` is its name in auth profiles and in ``models.providers``; the first of
    ``variables`` counts in every era, further ones from 2026.7 on. ``adapter`` says
    whether this version can talk to it.
    """

    id: str
    default_model: str = ""
    auth_id: str = ""
    variables: tuple[str, ...] = ()
    base_url: str = ""
    adapter: Literal["openai", "none"] = "none"

    def variables_in(self, era: str) -> tuple[str, ...]:
        """The environment variables that hold its key in an era."""
        return self.variables[:1] if era in EARLY_ERAS else self.variables


OPENAI = KnownProvider(
    "openai",
    "text-embedding-3-small",
    "openai",
    ("OPENAI_API_KEY",),
    "https://api.openai.com/v1",
    "openai",
)
GEMINI = KnownProvider(
    "gemini", "gemini-embedding-001", "google", ("GEMINI_API_KEY", "GOOGLE_API_KEY")
)
VOYAGE = KnownProvider("voyage", "voyage-4-large", "voyage", ("VOYAGE_API_KEY",))
MISTRAL = KnownProvider("mistral", "mistral-embed", "mistral", ("MISTRAL_API_KEY",))

AUTO_BY_KEY = (OPENAI, GEMINI, VOYAGE, MISTRAL)
"""After ``local``, which needs a file and no key."""

WITHOUT_KEY = frozenset({"local", "ollama", "lmstudio", "llama-cpp"})
"""Named providers that need no key."""

_OTHERS = ("local", "ollama", "lmstudio", "github-copilot", "deepinfra", "bedrock", "llama-cpp")
KNOWN: Mapping[str, KnownProvider] = {
    **{known.id: known for known in AUTO_BY_KEY},
    **{name: KnownProvider(name, auth_id=name) for name in _OTHERS},
}

KEY_VARIABLES = (
    ("openai", "OPENAI_API_KEY"),
    ("gemini", "GEMINI_API_KEY"),
    ("gemini", "GOOGLE_API_KEY"),
    ("voyage", "VOYAGE_API_KEY"),
    ("mistral", "MISTRAL_API_KEY"),
    ("deepinfra", "DEEPINFRA_API_KEY"),
    ("github-copilot", "COPILOT_GITHUB_TOKEN"),
)
"""Variables that show which providers are at hand, without being a choice."""
