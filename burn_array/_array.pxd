cimport cython
from burn_array._dispatch cimport binary, tag, unary
from burn_array._tagged cimport Tagged

@cython.final
cdef class Array(Tagged):
    pass
