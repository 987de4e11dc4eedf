"""From a query to a candidate pool; the only part of search that does I/O."""
