"""Providers that are asked over HTTP: one client, whatever shape the texts take on the wire."""
