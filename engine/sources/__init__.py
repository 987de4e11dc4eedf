"""Which files are memory: roots, scanning, reading, watching."""
