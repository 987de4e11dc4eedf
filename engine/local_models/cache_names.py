"""How a downloaded model is called on disk: as node-llama-cpp calls it, the agent's own library.

So a model that the agent has fetched is found, and one that memlens fetches serves both.
"""

from __future__ import annotations

import re
import unicodedata
from hashlib import sha256
from urllib.parse import unquote, urlsplit

from engine.local_models.address import MAIN, HubFile, HubRepo, WebFile
from engine.local_models.split_files import without_split

GGUF = ".gguf"
_USUAL_TAG = "Q4_K_M"
"""What the hub takes of a repository when no quantisation is named."""
_RESERVED = re.compile(r'[<>:"/\\|?*\x00-\x1f\x80-\x9f]')
_WINDOWS = re.compile(r"(?i)(?:con|prn|aux|nul|com[0-9]|lpt[0-9])")
_MOST_CHARS = 100
_REPLACEMENT = "!"


def hub_file_name(address: HubFile) -> str:
    """``hf_ORG_[REPO_][BRANCH_][FOLDERS_]FILE`` for a file of the hub."""
    *folders, last = address.path.split("/")
    file = _safe(last)
    parts = ["hf", _safe(address.org)]
    if not _begins_with_repo(file, address.repo) or address.branch != MAIN:
        parts.append(_safe(address.repo))
    if address.branch != MAIN:
        parts.append(_safe(address.branch))
    if folders and _same_name(file, folders[-1]):
        folders = folders[:-1]
    if folders:
        parts.append(_safe("__".join(folders)))
    return "_".join([*parts, file])


def hub_repo_names(address: HubRepo) -> tuple[str, ...]:
    """The names that the file of a repository may have, the most exact one first.

    The library itself looks for the usual quantisation whatever is asked for; here a
    named one is never taken for another.
    """
    tags = [address.tag.upper()] if address.tag else [_USUAL_TAG, ""]
    return tuple(hub_repo_name(address, tag) for tag in tags)


def hub_repo_name(address: HubRepo, quantisation: str) -> str:
    """The name for a file of that quantisation, which may be empty."""
    base = _safe(_without_gguf(address.repo))
    ending = f".{quantisation}" if quantisation else ""
    return f"{_repo_prefix(address, base)}{base}{ending}{GGUF}"


def web_file_names(address: WebFile) -> tuple[str, ...]:
    """Our own name, which tells addresses apart, and the plain one that the library uses."""
    plain = _safe(unquote(urlsplit(address.url).path.rstrip("/").rpartition("/")[2]))
    stem = plain[: -len(GGUF)] if plain.lower().endswith(GGUF) else plain
    digest = sha256(address.name.encode()).hexdigest()[:8]
    return f"{stem}.{digest}{GGUF}", plain


def _repo_prefix(address: HubRepo, base: str) -> str:
    repo = "" if _begins_with_repo(base + GGUF, address.repo) else f"{_safe(address.repo)}_"
    return f"hf_{_safe(address.org)}_{repo}"


def _begins_with_repo(file: str, repo: str) -> bool:
    """Whether the file's name alone tells its repository."""
    if not (repo.lower().endswith("-gguf") and file.lower().endswith(GGUF)):
        return False
    return file.lower().startswith(_without_gguf(repo).lower())


def _same_name(file: str, folder: str) -> bool:
    return without_split(file).lower() == f"{folder}{GGUF}".lower()


def _without_gguf(repo: str) -> str:
    return repo[:-5] if repo.lower().endswith("-gguf") else repo


def _safe(name: str) -> str:
    """A file name out of any text, by the rules of the npm package filenamify."""
    name = _RESERVED.sub(_REPLACEMENT, unicodedata.normalize("NFD", name))
    name = re.sub(r"^\.+", _REPLACEMENT, name)
    name = re.sub(r"\.+$", "", name)
    name = re.sub(f"(?:{_REPLACEMENT})+", _REPLACEMENT, name)
    if len(name) > 1:
        name = name.removeprefix(_REPLACEMENT).removesuffix(_REPLACEMENT)
    if _WINDOWS.fullmatch(name):
        name += _REPLACEMENT
    if len(name) > _MOST_CHARS:
        stem, dot, ending = name.rpartition(".")
        name = f"{stem[:_MOST_CHARS]}.{ending}" if dot else name[:_MOST_CHARS]
    return name
