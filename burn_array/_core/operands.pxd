cimport cython
from burn_array._core.records cimport DeviceRecord, ArrayRecord

cdef type Array

@cython.locals(at=DeviceRecord, one=ArrayRecord, natives=list)
cpdef tuple unwrap(str name, operands)

@cython.locals(have=DeviceRecord)
cpdef native_on(str name, ArrayRecord x, DeviceRecord at)
