"""The keys of the Search screen; their ids are the names for the person's own key map."""

from __future__ import annotations

from textual.binding import Binding, BindingType


def _key(
    keys: str, action: str, says: str, name: str, tooltip: str, *, show: bool = False
) -> BindingType:
    return Binding(keys, action, says, id=f"search.{name}", tooltip=tooltip, show=show)


SEARCH_KEYS: list[BindingType] = [
    _key("tab", "take_knob(1)", "knob", "next_knob", "Take the next knob in hand.", show=True),
    _key("shift+tab", "take_knob(-1)", "knob before", "previous_knob", "Take the knob before."),
    _key("h,left", "turn(-1)", "less", "less", "Turn the knob in hand down a step.", show=True),
    _key("l,right", "turn(1)", "more", "more", "Turn the knob in hand up a step.", show=True),
    _key("H", "turn(-1, True)", "much less", "much_less", "Turn the knob in hand down a big step."),
    _key("L", "turn(1, True)", "much more", "much_more", "Turn the knob in hand up a big step."),
    _key("slash", "edit_query", "query", "query", "Go to the query box.", show=True),
    _key("p", "pin", "pin", "pin", "Show changes against this ranking; again: let go.", show=True),
    _key("u", "undo", "undo", "undo", "Take the last change of a knob back.", show=True),
    _key("ctrl+r", "redo", "redo", "redo", "Make the change again that was taken back."),
    _key("0", "restore", "as profile", "restore", "Put the knob in hand where the profile has it."),
    _key("P", "next_profile", "profile", "profile", "Rank with the next profile."),
    _key("m", "switch('mmr')", "mmr", "mmr", "Switch diversity (MMR) on or off."),
    _key("t", "switch('decay')", "decay", "decay", "Switch decay with age on or off."),
    _key("c", "numbers", "numbers", "numbers", "Bars, or vector, text, decay and MMR as numbers."),
    _key("e", "fold", "explain", "fold", "Fold the explanation, or show all of it.", show=True),
    _key("equals_sign", "all_digits", "digits", "digits", "Every number of it, with all digits."),
    _key("r", "run_again", "run again", "run_again", "Ask the index again with the same query."),
    _key("space", "read(1)", "read on", "read", "Page the text of the hit down."),
    _key("b", "read(-1)", "read back", "read_up", "Page the text of the hit up."),
    _key("f6", "next_pane", "next part", "next_pane", "Go on to the explanation, then the text."),
]
