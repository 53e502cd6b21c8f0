"""What several adapters share: most of it works with any library whose functions resemble NumPy's."""
