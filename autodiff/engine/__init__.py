"""How derivatives are recorded and pulled back; the rules themselves are in :mod:`burn_array.autodiff.rules`."""
