cimport cython
from burn_array._core.dispatch cimport extreme, reduction, tag
from burn_array._core.operands cimport place
from burn_array._core.records cimport Tag, Tagged, resolve, look

cdef type _ARRAY

@cython.locals(at=Tag, one=Tagged, two=Tagged, three=Tagged, made=Tagged, functions=dict, known=dict)
cpdef where(condition, x1, x2)
