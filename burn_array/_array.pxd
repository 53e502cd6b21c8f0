cimport cython
from burn_array._methods cimport ArrayMethods
from burn_array._dispatch cimport binary, tag, unary

@cython.final
cdef class Array(ArrayMethods):
    pass
