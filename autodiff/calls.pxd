cimport cython
from burn_array.autodiff.tape cimport End, Node, Op, Pass, fit, masked, tick

cdef int OUT
cdef int X
cdef int Y

cdef class Unary(Node):
    cdef public object parent
    cdef public object kept
    cdef public int reads

    @cython.locals(op=Op)
    cpdef tuple back(self, Pass sweep, g)

cdef class OneSided(Node):
    cdef public object parent
    cdef public object kept
    cdef public object fit
    cdef public int reads
    cdef public bint right

    @cython.locals(op=Op)
    cpdef tuple back(self, Pass sweep, g)

cdef class Binary(Node):
    cdef public object left
    cdef public object right
    cdef public object x
    cdef public object y
    cdef public object out
    cdef public object fit_x
    cdef public object fit_y

    @cython.locals(op=Op)
    cpdef tuple back(self, Pass sweep, g)

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

@cython.locals(made=Unary, reads=cython.int)
cpdef Unary unary_node(Op op, parent, x, out)

@cython.locals(made=OneSided)
cpdef OneSided one_sided_node(Op op, bint right, parent, int reads, x, y, out, fit)

@cython.locals(made=Binary, reads=cython.int)
cpdef Binary binary_node(Op op, left, right, x, y, out, fit_x, fit_y)

@cython.locals(made=Single)
cpdef Single single_node(Op op, parent, x, args, settings, out)
