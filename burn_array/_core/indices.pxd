cdef frozenset _PLAIN_KEYS

cpdef bint is_basic(tuple key)
