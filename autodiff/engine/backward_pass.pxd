cimport cython
from burn_array.autodiff.engine.nodes cimport Call, OneTrackedBinary, UnaryWithSettings, Unary
from burn_array.autodiff.engine.tape cimport Argument, GraphInput, Leaf, Move, Node, Op, Output, PassState, unbroadcast

cdef class BackwardPass(PassState):
    cdef public long long start
    cdef public dict found
    cdef public list heap
    cdef public long long last_change
    cdef public dict waiting_masks
    cdef public object targets
    cdef public dict waiting

    cpdef accumulate(self, Node node, g)

    @cython.locals(heap=list, op=Op, parent=Node, start=cython.longlong)
    cpdef _propagate(self, Node node, g)

cdef class TrackingBackwardPass(BackwardPass):
    pass
