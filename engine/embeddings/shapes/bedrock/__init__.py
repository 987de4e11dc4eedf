"""Amazon Bedrock: one address for every model, and a dialect for each family of them."""
