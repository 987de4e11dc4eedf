"""Notes that the tests of the Files screen read."""

from __future__ import annotations

from tests.screens.stage import Stage

NETWORK = "\n".join(
    [
        "# Home network",
        "",
        "## Router",
        "",
        *(f"- fact {n}: the router keeps its settings in slot {n}" for n in range(1, 41)),
        "",
        "## Switch",
        "",
        *(f"- port {n} goes to room {n}, patched by hand in March" for n in range(1, 41)),
        "",
    ]
)


def write_notes(stage: Stage) -> Stage:
    """A long note, a dated one, a general one, and a link that is not followed."""
    stage.write("MEMORY.md", "# Memory\n\nThe router is in the hall.\n", days_old=2)
    stage.write("memory/network.md", NETWORK, days_old=1)
    stage.write("memory/2026-02-08.md", "# Sunday\n\nThe spare switch is in the cellar.\n")
    (stage.workspace / "memory" / "linked.md").symlink_to("network.md")
    return stage
