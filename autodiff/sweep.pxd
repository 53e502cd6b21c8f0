cimport cython
from burn_array.autodiff.tape cimport Argument, Call, End, Leaf, Move, Node, OneSided, Op, Part, Pass, Single, Unary, fit

cdef class Sweep(Pass):
    cdef public object floor
    cdef public dict found
    cdef public list heap
    cdef public dict marked
    cdef public object targets
    cdef public dict waiting

    cpdef push(self, Node node, g)

    @cython.locals(heap=list, op=Op, parent=Node)
    cpdef _follow(self, Node node, g)

cdef class TrackingSweep(Sweep):
    pass
