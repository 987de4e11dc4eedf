"""Tuning against judged queries: judgements, evaluation, comparison."""
