"""Voyage's batch jobs: as OpenAI's, but what is common to all requests is said once a job."""

from __future__ import annotations

import json
from typing import Any

from engine.embeddings.batch_jobs.openai import OpenAIBatches, on_one_line


class VoyageBatches(OpenAIBatches):
    """Lines hold the text alone; model and input type belong to the job."""

    window = "12h"

    def line(self, id: str, text: str, model: str) -> bytes:
        """The id and the text."""
        body = json.loads(self._shape.encode([text], "document", model).body)
        request = {"custom_id": id, "body": {"input": body["input"]}}
        return on_one_line(json.dumps(request, ensure_ascii=False).encode())

    def _order(self, file: str, label: str, model: str) -> dict[str, Any]:
        common = json.loads(self._shape.encode([""], "document", model).body)
        common.pop("input")
        return super()._order(file, label, model) | {"request_params": common}
