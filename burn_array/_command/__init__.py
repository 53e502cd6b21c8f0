"""The command ``burn-array``: what is installed, and whether it conforms to the standard."""
