"""A reader for the safetensors format: header in JSON, then plain little-endian numbers."""

from __future__ import annotations

import json
import mmap
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

_DTYPES = {"I8": "<i1", "I32": "<i4", "I64": "<i8", "F16": "<f2", "F32": "<f4", "F64": "<f8"}
_LENGTH_BYTES = 8


def read_safetensors(path: Path) -> Mapping[str, NDArray[Any]]:
    """All tensors of a file as read-only views into a memory map; nothing is copied.

    Raises ValueError for a header or a type that is not understood, OSError when
    the file cannot be read.
    """
    with path.open("rb") as file:
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    start, header = _header(data, path.name)
    return {
        name: _tensor(data, start, info) for name, info in header.items() if name != "__metadata__"
    }


def _header(data: mmap.mmap, name: str) -> tuple[int, dict[str, Any]]:
    length = int.from_bytes(data[:_LENGTH_BYTES], "little")
    start = _LENGTH_BYTES + length
    if start > len(data):
        raise ValueError(f"{name} is not a safetensors file: the header is longer than the file")
    header = json.loads(data[_LENGTH_BYTES:start])
    if not isinstance(header, dict):
        raise ValueError(f"{name} is not a safetensors file: the header is no object")
    return start, header


def _tensor(data: mmap.mmap, start: int, info: dict[str, Any]) -> NDArray[Any]:
    import numpy as np

    if info["dtype"] not in _DTYPES:
        raise ValueError(f"the tensor type {info['dtype']} is not supported")
    dtype = np.dtype(_DTYPES[info["dtype"]])
    first, end = info["data_offsets"]
    count = (end - first) // dtype.itemsize
    return np.frombuffer(data, dtype, count, start + first).reshape(info["shape"])
