"""Functions that several adapters use. Most of them work with every library whose functions resemble NumPy's."""
