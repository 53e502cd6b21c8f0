cimport cython
from burn_array._core.dispatch cimport binary, tag, unary
from burn_array._core.records cimport Tagged

@cython.final
cdef class Array(Tagged):
    pass
