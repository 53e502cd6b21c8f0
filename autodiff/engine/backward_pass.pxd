cimport cython
from burn_array.autodiff.engine.nodes cimport Call, OneSided, Single, Unary
from burn_array.autodiff.engine.tape cimport Argument, End, Leaf, Move, Node, Op, Part, Pass, fit

cdef class Sweep(Pass):
    cdef public long long floor
    cdef public dict found
    cdef public list heap
    cdef public long long latest
    cdef public dict marked
    cdef public object targets
    cdef public dict waiting

    cpdef push(self, Node node, g)

    @cython.locals(heap=list, op=Op, parent=Node, floor=cython.longlong)
    cpdef _follow(self, Node node, g)

cdef class TrackingSweep(Sweep):
    pass
