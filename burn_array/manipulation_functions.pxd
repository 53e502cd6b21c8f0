cimport cython
from burn_array._core.dispatch cimport tag
from burn_array._core.operands cimport place
from burn_array._core.records cimport Tag, Tagged, resolve

cdef type _ARRAY

@cython.locals(at=Tag)
cpdef _reshaped(Tagged x, shape, copy)

@cython.locals(at=Tag, made=Tagged, one=Tagged, two=Tagged, functions=dict, known=dict)
cpdef _joined(str name, arrays, axis)
