"""Pure ranking: candidates and settings in, an ordered and fully explained list out."""
