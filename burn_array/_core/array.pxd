cimport cython
from burn_array._core.dispatch cimport binary, unary, wrap
from burn_array._core.indices cimport is_basic
from burn_array._core.operands cimport native_on
from burn_array._core.methods cimport Methods

@cython.final
cdef class Array(Methods):
    pass
