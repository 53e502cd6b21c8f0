"""Functions of the standard, made of other functions of a library, for libraries that lack them or get them wrong.

Each takes its namespace as the parameter ``lib``: a library with NumPy's names. None of them writes to an array or
looks at values, so they serve immutable arrays, accelerators and tracers as well. A library that has a faster way of
its own uses that.
"""
