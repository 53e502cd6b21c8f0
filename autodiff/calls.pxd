cimport cython
from burn_array.autodiff.tape cimport End, Node, Op, Pass, fit, masked

cdef class Unary(Node):
    cdef public object parent
    cdef public object x
    cdef public object out

cdef class OneSided(Node):
    cdef public object parent
    cdef public object x
    cdef public object y
    cdef public object out
    cdef public object pull
    cdef public object fit

cdef class Binary(Node):
    cdef public object left
    cdef public object right
    cdef public object x
    cdef public object y
    cdef public object out
    cdef public object fit_x
    cdef public object fit_y

cdef class Single(Node):
    cdef public object parent
    cdef public object args
    cdef public object settings
    cdef public object x
    cdef public object out

cdef class Call(Node):
    cdef public object parents
    cdef public object args
    cdef public object settings
    cdef public object out

@cython.locals(made=Unary)
cpdef Unary unary_node(Op op, parent, x, out)

@cython.locals(made=OneSided)
cpdef OneSided one_sided_node(Op op, pull, parent, x, y, out, fit)

@cython.locals(made=Binary)
cpdef Binary binary_node(Op op, left, right, x, y, out, fit_x, fit_y)

@cython.locals(made=Single)
cpdef Single single_node(Op op, parent, x, args, settings, out)
