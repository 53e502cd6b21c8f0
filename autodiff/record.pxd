cimport cython
from burn_array.autodiff.calls cimport Call, binary_node, one_sided_node, single_node, unary_node
from burn_array.autodiff.tape cimport Handle, Op, common_outline, handle, outline_of, wider_outline

cdef class Recording:
    cdef public object adopt
    cdef public object array_type
    cdef public object elsewhere
    cdef public object function
    cdef public bint keeps_outline
    cdef public bint left_out
    cdef public bint left_x
    cdef public bint left_y
    cdef public bint may_view
    cdef public Op op
    cdef public object pull_right
    cdef public bint right_out
    cdef public bint right_x
    cdef public bint right_y
    cdef public Recording twin

    @cython.locals(made=Handle)
    cpdef unary(self, Handle x)

    @cython.locals(one=Handle, two=Handle, made=Handle)
    cpdef binary(self, a, b)

    @cython.locals(one=Handle, two=Handle)
    cpdef product(self, a, b)

    @cython.locals(made=Handle)
    cpdef _single(self, Handle x, tuple args, dict settings)

cpdef unlike(Handle operand, Handle result)
