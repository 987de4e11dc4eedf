"""What embedding costs: tokens, and money where a price is known."""
