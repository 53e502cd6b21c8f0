from burn_array._core.gradients cimport Gradients

cdef class Methods(Gradients):
    pass
