"""Pure chunking: text in, chunks with lines, hashes and ids out."""
