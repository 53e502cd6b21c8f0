"""The adapters that come with burn_array, one file for each array library."""
