"""The embedder that works on the first start: a static model, no key, no download, NumPy only."""
