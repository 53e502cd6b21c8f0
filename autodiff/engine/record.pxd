cimport cython
from burn_array.autodiff.engine.shape_dtype cimport Outline
from burn_array.autodiff.engine.nodes cimport Call, binary_node, one_sided_node, single_node, unary_node
from burn_array.autodiff.engine.tape cimport Handle, Node, Op, common_outline, handle, outline_of, wider_outline

cdef int OUT
cdef int X
cdef int Y

cdef class Recording:
    cdef public object adopt
    cdef public object array_type
    cdef public object elsewhere
    cdef public object function
    cdef public bint keeps_outline
    cdef public bint may_view
    cdef public Op op
    cdef public Recording twin

    @cython.locals(like=Outline)
    cpdef unary(self, Handle x)

    @cython.locals(one=Handle, two=Handle, op=Op, made=Handle, like=Outline, alone=cython.bint)
    cpdef binary(self, a, b)

    @cython.locals(op=Op, wide=Outline, made=Handle)
    cpdef _fitted(self, Handle one, Handle two, out)

    @cython.locals(two=Handle, op=Op, made=Handle)
    cpdef _scalar_first(self, a, b)

    @cython.locals(one=Handle, op=Op, made=Handle)
    cpdef _scalar_second(self, a, b)

    cpdef _fit_beside(self, scalar, Handle operand, Handle made)

    @cython.locals(one=Handle, two=Handle)
    cpdef product(self, a, b)

    @cython.locals(made=Handle, reads=cython.int)
    cpdef _single(self, Handle x, tuple args, dict settings)

cpdef unlike(Handle operand, Handle result)
