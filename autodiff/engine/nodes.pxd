cimport cython
from burn_array.autodiff.engine.shape_dtype cimport Outline
from burn_array.autodiff.engine.tape cimport End, Node, Op, Pass, fit, masked, tick

cdef object same
cdef object KEPT
cdef int OUT
cdef int X
cdef int Y

cdef class Unary(Node):
    cdef public Node parent
    cdef public object kept
    cdef public int reads
    cdef public bint is_usual

    @cython.locals(op=Op)
    cpdef back(self, Pass sweep, g)

    cpdef tuple saved(self)

cdef class OneSided(Node):
    cdef public Node parent
    cdef public object kept
    cdef public object fit
    cdef public int reads
    cdef public bint is_usual
    cdef public bint is_right

    @cython.locals(op=Op)
    cpdef back(self, Pass sweep, g)

    cpdef tuple saved(self)

cdef class Binary(Node):
    cdef public Node left
    cdef public Node right
    cdef public object x
    cdef public object y
    cdef public object out
    cdef public object fit_x
    cdef public object fit_y

    @cython.locals(op=Op)
    cpdef back(self, Pass sweep, g)

cdef class Single(Node):
    cdef public Node parent
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
cpdef Unary unary_node(Op op, Node parent, x, out, Outline like)

@cython.locals(made=OneSided)
cpdef OneSided one_sided_node(Op op, bint is_right, Node parent, int reads, x, y, out, Outline like, fit)

@cython.locals(made=Binary, reads=cython.int)
cpdef Binary binary_node(Op op, Node left, Node right, x, y, out, fit_x, fit_y)

@cython.locals(made=Single)
cpdef Single single_node(Op op, Node parent, x, args, settings, out)
