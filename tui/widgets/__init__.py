"""Widgets: parts of screens. They show plain values and never call the engine."""
