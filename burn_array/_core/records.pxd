cimport cython

cdef class DeviceRecord:
    cdef public object adapter
    cdef public object array_type
    cdef public object committed
    cdef public object uncommitted
    cdef public dict functions
    cdef public object dtype_of
    cdef public object shape_of
    cdef public object hardware
    cdef public dict meet_cache
    cdef public object uid
    cdef public dict direct
    cdef public dict no_table
    cdef public dict bool_table
    cdef public object reusing

    cpdef function(self, name)

cdef class ArrayRecord:
    cdef public object _native
    cdef public DeviceRecord _device
    cdef public dict _direct
    cdef object __weakref__

@cython.locals(at=DeviceRecord)
cpdef find_table(ArrayRecord x)

@cython.locals(left=ArrayRecord, right=ArrayRecord)
cpdef tuple find_function(str name, DeviceRecord at, dict functions, x1, x2)
