from burn_array._core.interchange cimport Interchange

cdef class Methods(Interchange):
    pass
