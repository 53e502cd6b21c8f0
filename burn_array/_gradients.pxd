from burn_array._tagged cimport Tagged

cdef class ArrayGradients(Tagged):
    pass
