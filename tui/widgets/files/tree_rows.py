"""The rows of the file tree: folders and files, folded or filtered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from textual.fuzzy import Matcher

from tui.widgets.files.file_facts import FileFacts


@dataclass(frozen=True, slots=True)
class FolderRow:
    """A folder with the number of files below it and how many of them are dirty."""

    path: str
    depth: int
    files: int
    dirty: int
    folded: bool


@dataclass(frozen=True, slots=True)
class FileRow:
    """A file; ``name`` is its path when the list is filtered."""

    facts: FileFacts
    name: str
    depth: int


TreeRow = FolderRow | FileRow


@dataclass(slots=True)
class _Folder:
    path: str
    folders: dict[str, _Folder] = field(default_factory=dict)
    files: list[FileFacts] = field(default_factory=list)

    def all_files(self) -> Iterator[FileFacts]:
        yield from self.files
        for folder in self.folders.values():
            yield from folder.all_files()


def tree_rows(files: Iterable[FileFacts], folded: frozenset[str]) -> list[TreeRow]:
    """Files of a folder first, then its folders; dated notes have the newest on top."""
    return list(_rows(_rooted(files), folded, 0))


def filtered_rows(files: Iterable[FileFacts], typed: str) -> list[TreeRow]:
    """The files whose path matches what was typed, letter after letter, best first."""
    matcher = Matcher(typed)
    scored = [(matcher.match(facts.path), facts) for facts in files]
    found = [(score, facts) for score, facts in scored if score > 0]
    found.sort(key=lambda pair: (-pair[0], pair[1].path))
    return [FileRow(facts, facts.path, 0) for _, facts in found]


def folders_of(path: str) -> list[str]:
    """The folders that a path lies in, outermost first."""
    parts = path.split("/")[:-1]
    return ["/".join(parts[: end + 1]) for end in range(len(parts))]


def _rooted(files: Iterable[FileFacts]) -> _Folder:
    root = _Folder("")
    for facts in files:
        folder = root
        for path in folders_of(facts.path):
            folder = folder.folders.setdefault(path, _Folder(path))
        folder.files.append(facts)
    return root


def _rows(folder: _Folder, folded: frozenset[str], depth: int) -> Iterator[TreeRow]:
    for facts in _ordered(folder.files):
        yield FileRow(facts, facts.path.rsplit("/", 1)[-1], depth)
    for path in sorted(folder.folders):
        inner = folder.folders[path]
        below = list(inner.all_files())
        dirty = sum(facts.state.dirty for facts in below)
        yield FolderRow(path, depth, len(below), dirty, path in folded)
        if path not in folded:
            yield from _rows(inner, folded, depth + 1)


def _ordered(files: Sequence[FileFacts]) -> list[FileFacts]:
    """Undated files by name, then dated ones with the newest first."""
    undated = sorted((f for f in files if f.state.dated is None), key=lambda f: f.path)
    dated = sorted((f for f in files if f.state.dated is not None), key=lambda f: f.path)
    dated.sort(key=lambda f: f.state.dated or "", reverse=True)
    return undated + dated
