"""From options, environment and files to one ``ResolvedConfig``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.config.agents import agent_entries
from engine.config.assignments import read_assignments
from engine.config.effective import effective
from engine.config.faithfulness import decide
from engine.config.key_path import KeyPath
from engine.config.layers import Layer, Settings
from engine.config.legible import legible_path
from engine.config.memory_search import read_memory_search
from engine.config.own_layers import (
    is_harmless,
    is_ranking,
    ranking_overrides,
    read_user_file,
    read_workspace_file,
)
from engine.config.places import is_folder, survey
from engine.config.request import EngineOptions, Places
from engine.config.resolved import ConfigProblem, LookedFor, Provenance, ResolvedConfig
from engine.config.store_path import store_path
from engine.config.subject import Subject, choose


@dataclass(frozen=True, slots=True)
class _Layers:
    """What each source sets: the agent's configuration in parts, then ours in order."""

    agent: Layer
    sections: Mapping[str, Layer]
    own: tuple[Layer, ...]
    looked_for: tuple[LookedFor, ...]

    @property
    def own_settings(self) -> Settings:
        merged: Settings = {}
        for layer in self.own:
            merged |= layer.settings
        return merged

    @property
    def problems(self) -> list[ConfigProblem]:
        layers = (self.agent, *self.sections.values(), *self.own)
        return [problem for layer in layers for problem in layer.problems]


def resolve(
    options: EngineOptions,
    environ: Mapping[str, str],
    places: Places,
    demo_workspace: Path | None = None,
) -> ResolvedConfig:
    """Merge every layer for the memory that the options choose; reads files, writes none.

    ``demo_workspace`` is the unpacked demo, needed with ``options.demo`` only. What is
    wrong in a file becomes a problem and the defaults step in. Raises ConfigError for
    wrong options: an unknown ``--set`` key, era, profile or agent, a missing ``--config``.
    """
    typed = read_assignments(options.settings)
    ground = survey(options, environ, places)
    subject = choose(options, ground, demo_workspace)
    layers = _read_layers(subject, places, typed)
    faith = decide(options, layers.own_settings, subject)
    merged = layers.agent.settings | layers.own_settings
    by_option = Provenance("--store") if options.store is not None else None
    found = effective(merged, layers.sections, faith, subject.mode, ground.home, by_option)
    path = store_path(options, found.settings["store.path"], subject, ground, places)
    return ResolvedConfig(
        mode=subject.mode,
        agent_id=subject.agent.agent_id,
        agents=subject.agents,
        state_dir=ground.state_dir,
        config_path=ground.config_path if subject.document else None,
        workspace=subject.agent.workspace,
        store_path=path,
        era=faith.era,
        profile=faith.profile.value,
        memory_search=found.memory_search,
        ranking_overrides=ranking_overrides(*(layer.settings for layer in layers.own)),
        citations=found.written_value("memory", "citations") or "auto",
        session_key=options.session_key or f"agent:{subject.agent.agent_id}:main",
        memory_slot_disabled=found.written_value("plugins.slots", "memory") == "none",
        model_providers=_object(subject, ("models", "providers")),
        problems=(
            *subject.problems,
            *layers.problems,
            *found.problems,
            *faith.problems,
            *_missing_workspace(subject, options),
        ),
        looked_for=(*subject.looked_for, *layers.looked_for),
        own=found.own,
        agent_ranking=any(map(is_ranking, layers.agent.settings)),
        auth_order={
            provider: tuple(name for name in names if isinstance(name, str))
            for provider, names in _object(subject, ("auth", "order")).items()
            if isinstance(names, list)
        },
        effective=found,
    )


def _read_layers(subject: Subject, places: Places, typed: Layer) -> _Layers:
    user, looked_user = read_user_file(places.settings_dir)
    near, looked_near = read_workspace_file(subject.agent.workspace)
    if subject.mode == "demo":
        user = Layer({k: v for k, v in user.settings.items() if is_harmless(k)}, user.problems)
    own, looked = (user, near, typed), (looked_user, looked_near)
    if subject.document is None:
        return _Layers(Layer(), {}, own, looked)
    from engine.config.sections import read_sections

    wanted = subject.agent.agent_id
    entries = agent_entries(subject.document)
    entry = next((entry for entry in entries if entry.agent_id == wanted), None)
    agent = read_memory_search(subject.document, entry)
    return _Layers(agent, read_sections(subject.document), own, looked)


def _object(subject: Subject, path: KeyPath) -> dict[str, Any]:
    """An object of the agent's configuration as written; empty where there is none."""
    found = subject.document.at(path) if subject.document else None
    return found if isinstance(found, dict) else {}


def _missing_workspace(subject: Subject, options: EngineOptions) -> tuple[ConfigProblem, ...]:
    """A workspace that was named, by option or configuration, but is not there."""
    workspace = subject.agent.workspace
    named = options.workspace is not None or subject.mode == "agent"
    if not named or is_folder(workspace):
        return ()
    message = f"The workspace {legible_path(workspace)} is not there; nothing can be indexed."
    return (ConfigProblem(message, "Create the folder, or name another with --workspace."),)
