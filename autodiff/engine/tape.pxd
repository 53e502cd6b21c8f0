cimport cython
from burn_array.autodiff.engine.shape_dtype cimport ShapeDtype

cdef class Node

cdef class GraphValue:
    cdef object __weakref__
    cdef public object value
    cdef public Node node
    cdef public ShapeDtype shape_dtype
    cdef public bint owns_memory
    cdef public object recomputation
    cdef public object source
    cdef public object views

cdef class Op:
    cdef public object rule
    cdef public object name
    cdef public object xp
    cdef public object tracking
    cdef public object left_vjp
    cdef public object right_vjp
    cdef public int left_saves
    cdef public int right_saves
    cdef public object left_derivative
    cdef public object right_derivative
    cdef public object left_from_saved
    cdef public object right_from_saved
    cdef public object conj
    cdef public object default_dtype
    cdef public object multiply
    cdef public bint elementwise
    cdef public bint uses_values
    cdef public bint masks
    cdef public bint keeps_mask

cdef class PassState:
    cdef public bint frees
    cdef public object mask
    cdef public bint moved
    cdef public Node parent
    cdef public object next_mask
    cdef public object remaining_uses

    cpdef accumulate(self, Node node, g)

cdef class Node:
    cdef public Op op
    cdef public long long order

    cpdef back(self, PassState state, g)

cdef class GraphInput(Node):
    pass

cdef class Leaf(GraphInput):
    cdef object __weakref__
    cdef public object device

cdef class Argument(GraphInput):
    cdef public object parent

cdef class Output(Node):
    cdef public object parent
    cdef public object index

cdef class Move(Node):
    cdef public object parent
    cdef public object source
    cdef public object target

cdef long long _clock

cpdef long long next_order()

@cython.locals(result=GraphValue)
cpdef GraphValue graph_value(value, Node node, ShapeDtype shape_dtype)

cpdef ShapeDtype shape_dtype_of(GraphValue one)

@cython.locals(first=ShapeDtype, second=ShapeDtype)
cpdef ShapeDtype common_shape_dtype(GraphValue one, GraphValue two)

@cython.locals(first=ShapeDtype, second=ShapeDtype)
cpdef ShapeDtype broadcast_shape_dtype(GraphValue one, GraphValue two)

cpdef unbroadcast(xp, g, like)
cpdef restore_zeros(xp, g, h)
