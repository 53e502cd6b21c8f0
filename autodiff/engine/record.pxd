cimport cython
from burn_array.autodiff.engine.shape_dtype cimport ShapeDtype
from burn_array.autodiff.engine.nodes cimport Call, binary_node, one_tracked_node, unary_with_settings_node, unary_node
from burn_array.autodiff.engine.tape cimport GraphValue, Node, Op, common_shape_dtype, graph_value, shape_dtype_of, broadcast_shape_dtype

cdef int OUT
cdef int X
cdef int Y

cdef class Recording:
    cdef public object adopt
    cdef public object array_type
    cdef public object general
    cdef public object function
    cdef public bint keeps_shape_dtype
    cdef public bint may_view
    cdef public Op op
    cdef public Recording square

    @cython.locals(shape_dtype=ShapeDtype)
    cpdef unary(self, GraphValue x)

    @cython.locals(x=GraphValue, y=GraphValue, op=Op, result=GraphValue, shape_dtype=ShapeDtype, right_is_constant=cython.bint)
    cpdef binary(self, a, b)

    @cython.locals(op=Op, wide=ShapeDtype, result=GraphValue)
    cpdef _binary_unequal(self, GraphValue x, GraphValue y, out)

    @cython.locals(y=GraphValue, op=Op, result=GraphValue)
    cpdef _scalar_first(self, a, b)

    @cython.locals(x=GraphValue, op=Op, result=GraphValue)
    cpdef _scalar_second(self, a, b)

    cpdef _like_beside_scalar(self, scalar, GraphValue operand, GraphValue result)

    @cython.locals(x=GraphValue, y=GraphValue)
    cpdef product(self, a, b)

    @cython.locals(result=GraphValue, saves=cython.int)
    cpdef _with_settings(self, GraphValue x, tuple args, dict settings)

cpdef unbroadcast_like(GraphValue operand, GraphValue result)
