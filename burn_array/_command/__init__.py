"""The command ``burn-array``."""
