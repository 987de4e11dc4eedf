"""Tests of the HTTP layer, against real sockets."""
