"""Killing processes in prepared situations, and what must be true after each kill."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from tests.crash.bench import Bench
from tests.crash.contents import (
    Contents,
    assert_sound,
    contents_of,
    generations,
    read_contents,
)
from tests.crash.dying_disk import Fault
from tests.crash.nursery import TRACE, WORDS, Errand
from tests.crash.scenes import SCENES, Scene
from tests.crash.victims import Death, Nursery

NOTHING = Contents(None, {}, frozenset(), {}, {}, 0)
OURS = re.compile(
    rf"workspace|{TRACE}|{WORDS}|index\.sqlite(-wal|-shm|\.lock|\.new-\d+\S*|\.damaged-\S+)?"
)


@dataclass(frozen=True, slots=True)
class Prepared:
    """A scene as it lies on disk, what its index answers, and what it must come to."""

    scene: Scene
    bench: Bench
    old: Contents
    new: Contents
    stages: tuple[str, ...]
    """What a run that is not killed passes."""


@dataclass
class Killer:
    """Prepares each scene once, copies it for every kill, and checks what is left."""

    folder: Path
    nursery: Nursery
    _prepared: dict[str, Prepared] = field(default_factory=dict)
    _writes: dict[str, int] = field(default_factory=dict)
    _count: int = 0

    def prepared(self, name: str) -> Prepared:
        """The scene of that name, laid out once."""
        if name not in self._prepared:
            self._prepared[name] = self._prepare(SCENES[name])
        return self._prepared[name]

    def _prepare(self, scene: Scene) -> Prepared:
        if scene.after_kill is None:
            bench = scene.lay_out(self._new_folder(made=True))
        else:
            bench, death = self.kill(*scene.after_kill)
            assert death.killed
        new = self._fresh(bench, scene)
        old = NOTHING
        if not _damaged(scene) and bench.index.exists():
            # Looking would bring the file to the newest version, or sweep it.
            old = read_contents(bench.copy_to(self._new_folder()), scene.setup)
        trial = bench.copy_to(self._new_folder())
        lived = self.nursery.send(Errand(scene.name, str(trial.folder)))
        assert lived.code == 0, scene.name
        return Prepared(scene, bench, old, new, lived.stages)

    def kill(self, name: str, stage: str, turn: int) -> tuple[Bench, Death]:
        """Act a scene out on a copy, with a kill at a stage."""
        bench = self.prepared(name).bench.copy_to(self._new_folder())
        return bench, self.nursery.send(Errand(name, str(bench.folder), stage, turn))

    def strike(self, name: str, fault: Fault) -> tuple[Bench, Death]:
        """Act a scene out on a copy, on a disk that fails or kills."""
        bench = self.prepared(name).bench.copy_to(self._new_folder())
        return bench, self.nursery.send(Errand(name, str(bench.folder), fault=fault))

    def writes(self, name: str) -> int:
        """How many writes a run of the scene makes, in all files together."""
        if name not in self._writes:
            file = self.folder / f"writes-{len(self._writes)}"
            _, death = self.strike(name, Fault("count", count_file=str(file)))
            assert death.code == 0
            self._writes[name] = int(file.read_text("ascii"))
        return self._writes[name]

    def check(self, name: str, bench: Bench) -> None:
        """The index opens, is sound, answers as it may, and the next sync heals it."""
        case = self.prepared(name)
        scene = case.scene
        with bench.open() as store:
            found = contents_of(store, scene.setup)
        assert_sound(bench)
        assert_answers(found, case)
        scene.heal(bench)
        assert_sound(bench)
        healed = read_contents(bench, scene.setup)
        assert healed == case.new
        assert len(generations(bench)) == 1
        with bench.open() as store:
            assert store.check().sound
        strangers = [p.name for p in bench.folder.iterdir() if not OURS.fullmatch(p.name)]
        assert strangers == []

    def _fresh(self, bench: Bench, scene: Scene) -> Contents:
        fresh = Bench(self._new_folder(made=True))
        bench.workspace.rename(fresh.workspace)
        scene.heal(fresh)
        new = read_contents(fresh, scene.setup)
        fresh.workspace.rename(bench.workspace)
        return new

    def _new_folder(self, *, made: bool = False) -> Path:
        self._count += 1
        folder = self.folder / str(self._count)
        if made:
            folder.mkdir()
        return folder


def assert_answers(found: Contents, case: Prepared) -> None:
    """Old or new, never mixed: the whole index, or every file of an update in place."""
    old, new = case.old, case.new
    if case.scene.answers == "whole":
        assert (found.files, found.chunks) in ((old.files, old.chunks), (new.files, new.chunks))
    for path in {*found.files, *old.files, *new.files}:
        seen = (found.files.get(path), found.of(path))
        assert seen in ((old.files.get(path), old.of(path)), (new.files.get(path), new.of(path)))
    for (_, word), hits in found.keywords.items():
        holding = {place for place in found.chunks if word in re.findall(r"\w+", place[3].lower())}
        assert hits.keys() == holding, word
    known = set(old.near.items()) | set(new.near.items())
    assert set(found.near.items()) <= known
    assert found.near.keys() <= found.chunks


def _damaged(scene: Scene) -> bool:
    return scene.name in ("cut off", "overwritten")


def spread(count: int, over: int) -> list[int]:
    """At most so many numbers from 1 to ``over``, both ends among them, evenly between."""
    return sorted({1 + round(step * (over - 1) / (count - 1)) for step in range(count)})
