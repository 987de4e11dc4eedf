"""Generated daily notes whose words are as unevenly frequent as those of real notes.

Zipf's law: the word of rank r comes with a frequency of about 1 / r. The words are those
of the built-in model's vocabulary, which stands in order of frequency; the seed is fixed,
so everybody gets the same text.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import accumulate
from pathlib import Path

VOCABULARY = Path(__file__).parents[2] / "engine/embeddings/builtin/vocab.txt"
WORDS = 12_000
"""So many different words the notes of some years have."""
_LINES = 30
"""With these sentences a file has about 2.3 kB and gives two chunks of 400/80 tokens."""


class ZipfText:
    """Sentences and questions by a fixed seed."""

    def __init__(self, seed: int = 11) -> None:
        self._choose = random.Random(seed)
        self.words = _words()
        weights = [1 / (rank + 2.7) for rank in range(len(self.words))]
        self._sums = list(accumulate(weights))

    def sentence(self) -> str:
        """Eight to eighteen words."""
        words = self._draw(self._choose.randint(8, 18))
        return " ".join(words).capitalize() + "."

    def question(self) -> str:
        """The shape of a question: four frequent words, and two to five that may be rare."""
        some = self._choose.randint(2, 5)
        content = [self._choose.choice(self.words[60:6000]) for _ in range(some)]
        return f"what did we {self._draw(1)[0]} about the {' '.join(content)}?"

    def _draw(self, count: int) -> Sequence[str]:
        return self._choose.choices(self.words, cum_weights=self._sums, k=count)


def write_zipf_notes(memory: Path, count: int = 1000) -> int:
    """Write ``count`` daily notes into a folder; returns their size in bytes."""
    memory.mkdir(parents=True, exist_ok=True)
    text, size = ZipfText(), 0
    for number in range(count):
        day = date(2023, 1, 1) + timedelta(days=number)
        size += (memory / f"{day}.md").write_bytes("\n".join(_note(text, day)).encode())
    return size


def _note(text: ZipfText, day: date) -> Iterator[str]:
    yield from (f"# {day}", "")
    yield from (f"- {text.sentence()}" for _ in range(_LINES))
    yield ""


def _words() -> list[str]:
    lines = VOCABULARY.read_text("utf-8").split("\n")
    return [word for word in lines if len(word) > 1 and word.isascii() and word.isalpha()][:WORDS]
