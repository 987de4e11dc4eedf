"""Pure measures of a ranking against judgements, and whether a difference means anything."""
