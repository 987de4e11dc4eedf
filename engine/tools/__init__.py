"""The agent-facing contract: memory_search and memory_get."""
