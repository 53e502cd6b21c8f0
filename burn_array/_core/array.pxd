cimport cython
from burn_array._core.dispatch cimport binary, unary, wrap
from burn_array._core.records cimport ArrayRecord

@cython.final
cdef class Array(ArrayRecord):
    pass
