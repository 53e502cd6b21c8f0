cimport cython

cdef class Tag:
    cdef public object adapter
    cdef public object array_type
    cdef public object committed
    cdef public object uncommitted
    cdef public dict functions
    cdef public object dtype_of
    cdef public object shape_of
    cdef public object hardware
    cdef public dict met
    cdef public object uid
    cdef public dict direct
    cdef public dict unseen
    cdef public dict bools

    cpdef function(self, name)

cdef class Tagged:
    cdef public object _native
    cdef public Tag _device
    cdef public dict _direct

@cython.locals(at=Tag)
cpdef look(Tagged x)

@cython.locals(one=Tagged, two=Tagged)
cpdef tuple resolve(str name, Tag at, dict functions, x1, x2)
