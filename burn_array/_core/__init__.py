"""The core: the array, its device, and the steps from a function of the namespace to a function of the library."""
