from burn_array._core.records cimport ArrayRecord

cdef class Interchange(ArrayRecord):
    pass
