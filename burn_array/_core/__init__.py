"""What every call passes through: the array, its device, and the way from a function to the library."""
