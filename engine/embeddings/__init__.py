"""Embedding providers behind one contract: built-in, remote, none; selection and packing."""
