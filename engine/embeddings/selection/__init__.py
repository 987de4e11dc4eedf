"""Which provider is used, where it is reached, with which key, and why."""
