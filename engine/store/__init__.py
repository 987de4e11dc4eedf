"""The index file: schema, readers, the writer, keyword tables, vectors, cache."""
