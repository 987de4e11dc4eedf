"""Bulk indexing through batch jobs at the provider: what is sent, looked after, fetched, told."""
