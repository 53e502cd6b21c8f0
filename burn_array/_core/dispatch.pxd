cimport cython
from burn_array._core.records cimport Tag, Tagged, resolve
from burn_array._core.operands cimport relocate

cdef type Array
cdef frozenset SCALARS

@cython.locals(at=Tag, one=Tagged, made=Tagged, functions=dict, known=dict)
cpdef unary(str name, x, bint predicate=*)

@cython.locals(at=Tag, other=Tag, one=Tagged, two=Tagged, made=Tagged, functions=dict, known=dict)
cpdef binary(str name, x1, x2, bint operator=*, bint predicate=*)

@cython.locals(at=Tag, one=Tagged, made=Tagged)
cpdef reduction(str name, x, axis, keepdims)

cpdef extreme(str name, x, axis, keepdims)

@cython.locals(at=Tag, one=Tagged, made=Tagged)
cpdef reduction_in(str name, x, axis, dtype, keepdims)

@cython.locals(made=Tagged)
cpdef tag(Tag at, native)
