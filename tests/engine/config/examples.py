"""How many random examples a test takes; none has a time limit."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

FEW = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""For tests that resolve a whole configuration each time."""

MANY = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""For tests of one function."""
