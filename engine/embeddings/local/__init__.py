"""The provider ``local``: any GGUF model on this machine, as the agent means the word."""
