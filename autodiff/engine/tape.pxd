cimport cython
from burn_array.autodiff.engine.shape_dtype cimport Outline

cdef class Node

cdef class Handle:
    cdef public object value
    cdef public Node node
    cdef public Outline outline
    cdef public bint owned
    cdef public object recipe

cdef class Op:
    cdef public object rule
    cdef public object name
    cdef public object xp
    cdef public object tracking
    cdef public object left
    cdef public object right
    cdef public int left_reads
    cdef public int right_reads
    cdef public object left_slope
    cdef public object right_slope
    cdef public object left_factor
    cdef public object right_factor
    cdef public object conj
    cdef public object usual
    cdef public object multiply
    cdef public bint elementwise
    cdef public bint scales
    cdef public bint masks
    cdef public bint spreads

cdef class Pass:
    cdef public bint frees
    cdef public object mark
    cdef public bint moved
    cdef public Node parent
    cdef public object passing
    cdef public object taken

    cpdef push(self, Node node, g)

cdef class Node:
    cdef public Op op
    cdef public long long order

    cpdef back(self, Pass sweep, g)

cdef class End(Node):
    pass

cdef class Leaf(End):
    cdef object __weakref__
    cdef public object device

cdef class Argument(End):
    cdef public object parent

cdef class Part(Node):
    cdef public object parent
    cdef public object index

cdef class Move(Node):
    cdef public object parent
    cdef public object source
    cdef public object target

cdef long long _latest

cpdef long long tick()

@cython.locals(made=Handle)
cpdef Handle handle(value, Node node, Outline outline)

cpdef Outline outline_of(Handle one)

@cython.locals(first=Outline, second=Outline)
cpdef Outline common_outline(Handle one, Handle two)

@cython.locals(first=Outline, second=Outline)
cpdef Outline wider_outline(Handle one, Handle two)

cpdef fit(xp, g, like)
cpdef masked(xp, g, h)
