"""The scriptable twin of the screens."""
