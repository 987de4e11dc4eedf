"""The libraries that run a GGUF model, behind one protocol; only the worker imports them."""
