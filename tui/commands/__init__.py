"""The command palette: every action by name, with its key."""
