"""The parts of the Files screen."""
