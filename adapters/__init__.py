"""The adapters that come with burn_array: a folder for each array library, and ``common`` for what they share."""
