"""Whose memory is opened: the demo, a plain folder, or an agent's workspace."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from engine.config.agents import (
    MAIN,
    agent_entries,
    agent_infos,
    agent_problems,
    normal_agent_id,
    unlisted_agent,
)
from engine.config.document import Document, read_document
from engine.config.places import Ground, absolute, is_folder
from engine.config.request import EngineOptions
from engine.config.resolved import AgentInfo, ConfigProblem, LookedFor, WorkspaceMode
from engine.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Subject:
    """The chosen memory; ``document`` is the agent's configuration, None outside agent mode."""

    mode: WorkspaceMode
    agent: AgentInfo
    agents: tuple[AgentInfo, ...]
    document: Document | None
    looked_for: tuple[LookedFor, ...] = ()
    problems: tuple[ConfigProblem, ...] = ()


def choose(options: EngineOptions, ground: Ground, demo_workspace: Path | None) -> Subject:
    """Decide the mode, the agent and the workspace.

    The demo when asked for. A ``--workspace`` is a plain folder, unless the agent's
    configuration was named too (``--config``, ``--state-dir``, ``--agent``) or the folder
    is an agent's workspace. Without it: the agent, when anything of one is found.
    Raises ConfigError for an agent that is not listed and a demo without a workspace.
    """
    if options.demo:
        if demo_workspace is None:
            raise ConfigError("No demo", "The demo workspace is missing.", "Install memlens again.")
        return _outside("demo", demo_workspace)
    named = options.config_file or options.state_dir or options.agent
    document, problems = _configuration(ground)
    agents = agent_infos(document, ground)
    looked = tuple(LookedFor("workspace", a.workspace, is_folder(a.workspace)) for a in agents)
    folder = options.workspace and absolute(options.workspace, ground.home)
    owner = next((agent for agent in agents if agent.workspace == folder), None)
    if folder and not named and owner is None:
        asked = LookedFor("named folder", folder, is_folder(folder))
        return _outside("folder", folder, (asked, *ground.looked_for, *looked))
    anything = named or ground.state_given or ground.config_path or any(p.found for p in looked)
    if not anything:
        return _outside("folder", ground.workspaces[0], (*ground.looked_for, *looked))
    agent, agents = _asked_for(options.agent, owner, agents, document, ground)
    if folder:
        agent = AgentInfo(agent.agent_id, folder, agent.default)
        agents = tuple(agent if a.agent_id == agent.agent_id else a for a in agents)
    problems = (*ground.problems, *problems, *agent_problems(document))
    return Subject("agent", agent, agents, document, (*ground.looked_for, *looked), problems)


def _configuration(ground: Ground) -> tuple[Document, tuple[ConfigProblem, ...]]:
    if ground.config_path is None:
        return Document(ground.state_dir / "openclaw.json", {}), ()
    return read_document(ground.config_path)


def _outside(
    mode: WorkspaceMode, workspace: Path, looked_for: tuple[LookedFor, ...] = ()
) -> Subject:
    agent = AgentInfo(MAIN, workspace, True)
    return Subject(mode, agent, (agent,), None, looked_for)


def _asked_for(
    name: str | None,
    owner: AgentInfo | None,
    agents: tuple[AgentInfo, ...],
    document: Document,
    ground: Ground,
) -> tuple[AgentInfo, tuple[AgentInfo, ...]]:
    """The agent by name, else the owner of the folder, else the default one."""
    if name is None:
        return owner or next(agent for agent in agents if agent.default), agents
    wanted = normal_agent_id(name)
    listed = next((agent for agent in agents if agent.agent_id == wanted), None)
    if listed is not None:
        return listed, agents
    if agent_entries(document):
        known = ", ".join(agent.agent_id for agent in agents)
        raise ConfigError("Unknown agent", f"No agent {wanted} is listed.", f"Agents: {known}.")
    agent = unlisted_agent(wanted, document, ground)
    return agent, (agent,)
