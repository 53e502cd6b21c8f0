"""The derivative rules, one file for each page of the standard."""
