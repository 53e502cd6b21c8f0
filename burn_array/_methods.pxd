from burn_array._gradients cimport ArrayGradients

cdef class ArrayMethods(ArrayGradients):
    pass
