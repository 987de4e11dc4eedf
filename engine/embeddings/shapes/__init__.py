"""Wire shapes: how texts become a request of one kind of API, and its answer vectors."""
