"""Which vector spaces a file holds, who made them, and what each lacks of the index."""

from __future__ import annotations

from engine.store.contract import StoredIdentity
from tests.engine.store.desk import OTHER_SPACE, SPACE, Desk, identity, publish, random_vectors


def test_each_space_is_told_with_its_share_of_the_index(desk: Desk) -> None:
    store = desk.open()
    publish(store, {"a.md": ["one", "two"], "b.md": ["three", "four"]}, random_vectors(["one"]))
    with store.write() as writer:
        writer.put_vectors(OTHER_SPACE, random_vectors(["one", "two", "three", "gone"], size=8))
    store.add_tokens(OTHER_SPACE, 21)

    other, own = store.spaces()

    assert (other.key, other.vectors, other.covered, other.missing) == (OTHER_SPACE, 4, 3, 1)
    assert (other.dimensions, other.tokens, other.role) == (8, 21, "kept")
    assert (own.key, own.vectors, own.covered, own.missing) == (SPACE, 1, 1, 3)
    assert own.missing_tokens == 20 * 3 // (4 * 4)
    assert (own.provider, own.model) == ("fake", "model")


def test_who_made_a_space_is_remembered_after_a_switch(desk: Desk) -> None:
    store = desk.open()
    publish(store, {"a.md": ["one"]}, random_vectors(["one"]))
    store.adopt(StoredIdentity("2026.3:400/80", "unicode61", OTHER_SPACE, "second", "m2", "", 8))
    desk.close()

    names = {
        space.key: (space.provider, space.model) for space in desk.open().spaces([OTHER_SPACE])
    }

    assert names == {SPACE: ("fake", "model"), OTHER_SPACE: ("second", "m2")}


def test_a_space_that_nobody_has_named_is_listed_without_a_name(desk: Desk) -> None:
    store = desk.open()
    publish(store, {"a.md": ["one"]})
    with store.write() as writer:
        writer.put_vectors(OTHER_SPACE, random_vectors(["one"]))
    (found,) = store.spaces()
    assert (found.key, found.provider, found.model) == (OTHER_SPACE, None, "")
    store.remember_space(identity(OTHER_SPACE))
    (found,) = store.spaces()
    assert found.provider == "fake"


def test_spaces_without_vectors_are_listed_only_when_asked_for(desk: Desk) -> None:
    store = desk.open()
    assert store.spaces() == ()
    publish(store, {"a.md": ["one", "two"]})
    assert store.spaces() == ()
    own, unheard = store.spaces([SPACE, "unheard of", ""])
    assert (own.key, own.vectors, own.missing) == (SPACE, 0, 2)
    assert (unheard.key, unheard.covered, unheard.missing) == ("unheard of", 0, 2)
    assert unheard.missing_tokens == 10 // 4
