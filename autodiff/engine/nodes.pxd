cimport cython
from burn_array.autodiff.engine.shape_dtype cimport ShapeDtype
from burn_array.autodiff.engine.tape cimport GraphInput, Node, Op, PassState, next_order, restore_zeros, unbroadcast

cdef object identity_vjp
cdef object SAVED_VALUE
cdef int OUT
cdef int X
cdef int Y

cdef class Unary(Node):
    cdef public Node parent
    cdef public object saved
    cdef public int saves
    cdef public bint is_default_dtype

    @cython.locals(op=Op)
    cpdef back(self, PassState state, g)

    cpdef tuple unpack_saved(self)

cdef class OneTrackedBinary(Node):
    cdef public Node parent
    cdef public object saved
    cdef public object like
    cdef public int saves
    cdef public bint is_default_dtype
    cdef public bint is_right

    @cython.locals(op=Op)
    cpdef back(self, PassState state, g)

    cpdef tuple unpack_saved(self)

cdef class Binary(Node):
    cdef public Node left
    cdef public Node right
    cdef public object x
    cdef public object y
    cdef public object out
    cdef public object like_x
    cdef public object like_y

    @cython.locals(op=Op)
    cpdef back(self, PassState state, g)

cdef class UnaryWithSettings(Node):
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

@cython.locals(node=Unary, saves=cython.int)
cpdef Unary unary_node(Op op, Node parent, x, out, ShapeDtype shape_dtype)

@cython.locals(node=OneTrackedBinary)
cpdef OneTrackedBinary one_tracked_node(Op op, bint is_right, Node parent, int saves, x, y, out, ShapeDtype shape_dtype, like)

@cython.locals(node=Binary, saves=cython.int)
cpdef Binary binary_node(Op op, Node left, Node right, x, y, out, like_x, like_y)

@cython.locals(node=UnaryWithSettings)
cpdef UnaryWithSettings unary_with_settings_node(Op op, Node parent, x, args, settings, out)
