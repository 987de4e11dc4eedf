"""Stand-ins for the libraries that run local models, put on PYTHONPATH by tests."""
