"""The bundled demo workspace and how it is laid out on disk."""
