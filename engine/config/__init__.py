"""Configuration: JSON5 files, typed schema, layers with provenance, eras, folders."""
