cimport cython
from burn_array._dispatch cimport extreme, reduction, tag
from burn_array._operands cimport place
from burn_array._tagged cimport Tag, Tagged, resolve, look

cdef type _ARRAY

@cython.locals(at=Tag, one=Tagged, two=Tagged, three=Tagged, made=Tagged, functions=dict, known=dict)
cpdef where(condition, x1, x2)
