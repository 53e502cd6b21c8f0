cimport cython
from burn_array._core.large cimport is_large
from burn_array._core.records cimport ArrayRecord, DeviceRecord, find_function, find_table
from burn_array._core.operands cimport unwrap, native_on

cdef type Array
cdef frozenset SCALARS

@cython.locals(at=DeviceRecord, array=ArrayRecord, result=ArrayRecord, functions=dict, table=dict)
cpdef unary(str name, x, bint predicate=*)

@cython.locals(at=DeviceRecord, other=DeviceRecord, left=ArrayRecord, right=ArrayRecord, result=ArrayRecord, functions=dict, table=dict)
cpdef binary(str name, x1, x2, bint operator=*, bint predicate=*)

@cython.locals(at=DeviceRecord, where=ArrayRecord, left=ArrayRecord, right=ArrayRecord, result=ArrayRecord, functions=dict, table=dict)
cpdef ternary(str name, condition, x1, x2)

@cython.locals(at=DeviceRecord, left=ArrayRecord, right=ArrayRecord, result=ArrayRecord, functions=dict, table=dict)
cpdef joined(str name, arrays, axis)

@cython.locals(at=DeviceRecord, array=ArrayRecord, result=ArrayRecord)
cpdef reduction(str name, x, axis, keepdims)

cpdef extreme(str name, x, axis, keepdims)

@cython.locals(at=DeviceRecord, array=ArrayRecord, result=ArrayRecord)
cpdef reduction_in(str name, x, axis, dtype, keepdims)

@cython.locals(result=ArrayRecord)
cpdef wrap(DeviceRecord at, native)
