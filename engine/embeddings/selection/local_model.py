"""The local model that a configuration names, or why there is none to use."""

from __future__ import annotations

from engine.embeddings.local.settings import (
    LocalProblem,
    LocalRequest,
    LocalSettings,
    local_settings,
)
from engine.embeddings.selection.local_file import local_model_problem
from engine.embeddings.selection.provider_request import ProviderRequest
from engine.embeddings.selection.ready import NotReady


def local_model(request: ProviderRequest, *, named: bool) -> LocalSettings | NotReady:
    """What the ``local`` provider runs; downloads and loads nothing.

    Only a provider that is ``named`` may be given an address or the default model, which
    are downloaded: an order of providers goes by files that exist.
    """
    if not named:
        path = request.local_model_path
        problem = local_model_problem(path, request.workspace, request.home)
        if problem is not None:
            return NotReady(problem)
    found = local_settings(
        LocalRequest(
            request.local_model_path,
            request.local_cache_dir,
            request.local_context,
            request.workspace,
            request.home,
            request.index_seconds,
        )
    )
    return NotReady(found.reason, found.hint) if isinstance(found, LocalProblem) else found
