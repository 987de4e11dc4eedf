"""Are ``engine``, ``tui`` and ``themes`` ours? Their names are common; another package may
have been installed over them, or a folder of that name may lie first on the path.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

NAMES = ("engine", "tui", "themes")
MARKER = "memlens"


def wrong_packages() -> str:
    """What is wrong and what to do, or an empty text when all three are ours."""
    parents: dict[str, Path | None] = {}
    for name in NAMES:
        try:
            module = import_module(name)
        except ImportError as error:
            return _advice(name, f"cannot be imported ({error})")
        if getattr(module, "MARKER", None) != MARKER:
            return _advice(name, f"is another package, {_owner(name)}")
        file = module.__file__
        parents[name] = Path(file).resolve().parents[1] if file else None
    if len(set(parents.values())) != 1:
        return _advice("engine", "and its sisters lie in different places")
    return ""


def _owner(name: str) -> str:
    """Which installed distribution brought the package; asked only when something is wrong."""
    from importlib.metadata import packages_distributions

    owners = packages_distributions().get(name, [])
    return f"from {', '.join(sorted(set(owners)))}" if owners else "of unknown origin"


def _advice(name: str, what: str) -> str:
    return (
        f"memlens cannot start: the package '{name}' {what}.\n"
        "Install memlens into an environment of its own, for instance with "
        "'pipx install memlens' or 'uv tool install memlens'."
    )
