"""The screens: one module each, on digit keys."""
