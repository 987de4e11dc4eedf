"""The terminal application."""

MARKER = "memlens"
