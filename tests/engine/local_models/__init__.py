"""Tests of engine.local_models."""
