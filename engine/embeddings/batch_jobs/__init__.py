"""Batch jobs at a provider: upload texts, submit, look after the job, fetch the vectors."""
