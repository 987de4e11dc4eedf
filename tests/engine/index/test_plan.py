"""The difference between disk and index."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from engine.index.plan import everything, make_plan, only_touched
from engine.sources.found import FoundFile
from engine.store.contract import FileRow


def found(path: str, size: int = 10, mtime: float = 1.5) -> FoundFile:
    return FoundFile(path, f"/w/{path}", "memory", size, mtime)


def row(path: str, size: int = 10, mtime: float = 1.5, text_hash: str = "h") -> FileRow:
    return FileRow(path, "memory", text_hash, size, mtime)


def test_files_are_sorted_by_what_has_to_be_done() -> None:
    disk = [found("same"), found("longer", size=11), found("later", mtime=2.0), found("fresh")]
    plan = make_plan(disk, [row("same"), row("longer"), row("later"), row("gone")])
    assert [file.path for file in plan.new] == ["fresh"]
    assert [file.path for file in plan.suspect] == ["longer", "later"]
    assert [file.path for file in plan.unchanged] == ["same"]
    assert plan.deleted == ("gone",)
    assert plan.bytes_to_read == 31


def test_a_file_of_another_source_is_looked_at_again() -> None:
    plan = make_plan([replace(found("a"), source="sessions")], [row("a")])
    assert [file.path for file in plan.suspect] == ["a"]
    assert not only_touched(plan.suspect[0], "h", row("a"))


def test_the_fraction_of_a_millisecond_counts() -> None:
    assert make_plan([found("a", mtime=1.5)], [row("a", mtime=1.25)]).suspect


def test_a_new_generation_reads_everything() -> None:
    plan = everything([found("a"), found("b")])
    assert (len(plan.new), plan.suspect, plan.deleted) == (2, (), ())


names = st.text("abc", min_size=1, max_size=3)
versions = st.tuples(st.integers(0, 2), st.sampled_from([1.0, 1.5]))


@given(st.dictionaries(names, versions), st.dictionaries(names, versions))
def test_every_path_is_in_exactly_one_place(
    disk: dict[str, tuple[int, float]], index: dict[str, tuple[int, float]]
) -> None:
    plan = make_plan(
        [found(path, *version) for path, version in disk.items()],
        [row(path, *version) for path, version in index.items()],
    )
    parts = [*plan.new, *plan.suspect, *plan.unchanged]
    assert sorted([*(file.path for file in parts), *plan.deleted]) == sorted({*disk, *index})
    assert {file.path for file in plan.unchanged} == {p for p in disk if disk[p] == index.get(p)}
