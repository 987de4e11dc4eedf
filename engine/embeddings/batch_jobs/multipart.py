"""The body of an upload: what stands before and after the bytes of the file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Multipart:
    """``head``, then the file, then ``tail``; ``content_type`` names the boundary."""

    content_type: str
    head: bytes
    tail: bytes

    def size(self, file_bytes: int) -> int:
        """Bytes of the whole body."""
        return len(self.head) + file_bytes + len(self.tail)


def form_data(
    boundary: str, fields: Mapping[str, str], file_name: str, file_type: str
) -> Multipart:
    """A form (RFC 7578) with plain fields and, as the last part, a file named ``file``.

    ``boundary`` must not occur in the file; names and values are plain ASCII.
    """
    parts = [
        f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in fields.items()
    ]
    parts.append(
        f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{file_name}"\r\n'
        f"Content-Type: {file_type}\r\n\r\n"
    )
    return Multipart(
        f"multipart/form-data; boundary={boundary}", "".join(parts).encode(), _tail(boundary)
    )


def related(boundary: str, description: Mapping[str, Any], file_type: str) -> Multipart:
    """A description in JSON and then the file (RFC 2387), as Google's uploads want it."""
    head = (
        f"--{boundary}\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n"
        f"{json.dumps(description)}\r\n--{boundary}\r\nContent-Type: {file_type}\r\n\r\n"
    )
    return Multipart(f"multipart/related; boundary={boundary}", head.encode(), _tail(boundary))


def _tail(boundary: str) -> bytes:
    return f"\r\n--{boundary}--\r\n".encode()
