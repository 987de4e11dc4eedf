"""Themes: one TOML file each, and the base style sheet."""

MARKER = "memlens"
