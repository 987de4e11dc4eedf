"""The one HTTP layer: transport, retry, credentials, host guard."""
