"""The static model: a text is the normalised sum of its tokens' vectors, in whole numbers."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from engine.embeddings.builtin.safetensors import read_safetensors
from engine.embeddings.builtin.wordpiece import WordPiece

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class StaticModel:
    """Rows of int8 with one whole-number weight each, and the lift of every cosine.

    ``rows`` has shape (tokens, dimensions), ``weights`` (tokens,) with 1..4095.
    """

    rows: NDArray[np.int8]
    weights: NDArray[np.float64]
    lift: float
    tokenizer: WordPiece

    @classmethod
    def load(cls, folder: Path) -> StaticModel:
        """Map the weights and read the vocabulary; raises OSError or ValueError."""
        import numpy as np

        tensors = read_safetensors(folder / "model.safetensors")
        rows = tensors["embeddings"]
        vocabulary = (folder / "vocab.txt").read_text("utf-8").split("\n")[: len(rows)]
        lift = json.loads((folder / "config.json").read_text("utf-8"))["score_lift"]
        return cls(rows, tensors["weights"].astype(np.float64), lift, WordPiece(vocabulary))

    def sums(self, text: str) -> NDArray[np.float64]:
        """The weighted sum of the text's rows: whole numbers below 2**53, the same everywhere.

        A token met n times counts floor(64 * sqrt(n)) times, so that names that
        open every line do not drown the rest.
        """
        import numpy as np

        ids, often = _counted(self.tokenizer.packed_ids(text))
        # IEEE square roots are correctly rounded, so the floor is isqrt(4096 * n) for any real n.
        factors = np.floor(np.sqrt(often * 4096.0)) * self.weights[ids]
        # float64 holds every partial sum exactly, so the order of adding is free.
        exact: NDArray[np.float64] = factors @ self.rows.take(ids, axis=0).astype(np.float64)
        return exact

    def embed(self, text: str) -> NDArray[np.float32] | None:
        """The unit vector of a text, float32; None for a text without a known token.

        The last component is constant: it turns each cosine c into lift + (1 - lift) * c.
        """
        import numpy as np

        sums = self.sums(text)
        length = math.sqrt(math.fsum((sums * sums).tolist()))
        if not length:
            return None
        vector = np.empty(len(sums) + 1, np.float32)
        vector[:-1] = sums * (math.sqrt(1.0 - self.lift) / length)
        vector[-1] = math.sqrt(self.lift)
        return vector


def _counted(packed: bytes) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """The distinct ids of a packed list, and how often each occurs."""
    import numpy as np

    ids = np.sort(np.frombuffer(packed, np.int32))
    border = np.ones(len(ids) + 1, np.bool_)
    np.not_equal(ids[1:], ids[:-1], out=border[1:-1])
    places = np.flatnonzero(border)
    return ids[places[:-1]], places[1:] - places[:-1]
