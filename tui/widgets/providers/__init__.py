"""What the Providers screen shows, part by part."""
