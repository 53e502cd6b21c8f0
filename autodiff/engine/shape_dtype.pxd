cdef class Outline:
    cdef public object dtype
    cdef public object shape
