"""Which era and which ranking profile are in force, and who decided it."""

from __future__ import annotations

from dataclasses import dataclass

from engine.config.eras import (
    ERAS,
    NAMED_PROFILES,
    STAMPLESS,
    Era,
    era_of_stamp,
)
from engine.config.key_path import KeyPath
from engine.config.layers import Setting, Settings, problem_at
from engine.config.request import EngineOptions
from engine.config.resolved import ConfigProblem, Provenance
from engine.config.subject import Subject
from engine.errors import ConfigError

_STAMP: KeyPath = ("meta", "lastTouchedVersion")


@dataclass(frozen=True, slots=True)
class Faithfulness:
    """The era and the profile, each with its source."""

    era: Era
    era_source: Provenance
    profile: Setting
    problems: tuple[ConfigProblem, ...]


def decide(options: EngineOptions, own: Settings, subject: Subject) -> Faithfulness:
    """The option, else our own settings, else what fits the memory.

    That is ``memlens`` for the demo and plain folders, for an agent the era of its
    configuration's version stamp, and the era's own profile. Raises ConfigError for
    an option that names no era or profile.
    """
    name, problems = _era_name(options, own, subject)
    era = ERAS[name.value]
    profile = _profile(options, own, era)
    return Faithfulness(era, name.source, profile, problems)


def _era_name(
    options: EngineOptions, own: Settings, subject: Subject
) -> tuple[Setting, tuple[ConfigProblem, ...]]:
    if options.era is not None:
        return _option("era", options.era, tuple(ERAS)), ()
    chosen = own.get("era")
    if chosen is not None and chosen.value:
        return chosen, ()
    if subject.document is None:
        layer = "demo" if subject.mode == "demo" else "plain folder"
        return Setting("memlens", Provenance(layer)), ()
    stamp = subject.document.at(_STAMP)
    name = era_of_stamp(stamp) if isinstance(stamp, str) else None
    if name is None:
        what = f"no version such as 2026.3.13; era {STAMPLESS} is used"
        problems = () if stamp is None else (problem_at(subject.document, _STAMP, what),)
        return Setting(STAMPLESS, Provenance("default")), problems
    line, _ = subject.document.position(_STAMP)
    return Setting(name, Provenance("agent config", subject.document.file, line)), ()


def _profile(options: EngineOptions, own: Settings, era: Era) -> Setting:
    if options.profile is not None:
        return _option("profile", options.profile, NAMED_PROFILES)
    chosen = own.get("profile")
    if chosen is not None and chosen.value:
        return chosen
    return Setting(era.profile, Provenance("era"))


def _option(name: str, value: str, valid: tuple[str, ...]) -> Setting:
    if value not in valid:
        hint = f"Valid names: {', '.join(valid)}."
        raise ConfigError(f"Unknown {name}", f"There is no {name} {value[:80]!r}.", hint)
    return Setting(value, Provenance(f"--{name}"))
