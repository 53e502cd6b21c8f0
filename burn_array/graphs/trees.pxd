cdef class Tree:
    cdef public tuple keys
    cdef public int kind
    cdef public tuple parts
    cdef public str title

cpdef leaves_of(Tree tree, value, list found)
