cimport cython
from burn_array._core.dispatch cimport binary, unary, wrap
from burn_array._core.methods cimport Methods

@cython.final
cdef class Array(Methods):
    pass
