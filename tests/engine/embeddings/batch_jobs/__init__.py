"""Tests of the embedding providers."""
