"""Ways in that are more than a key in a header: what one service wants before and around a call."""
