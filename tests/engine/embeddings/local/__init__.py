"""Tests of the provider local."""
