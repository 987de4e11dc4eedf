"""Models that run on this machine: their addresses, their files, the process that runs them."""
