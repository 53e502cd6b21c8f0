cdef class ShapeDtype:
    cdef public object dtype
    cdef public object shape
