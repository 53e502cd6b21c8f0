cimport cython
from numpy cimport ndarray

cdef Py_ssize_t LARGE

@cython.locals(array=ndarray, elements=Py_ssize_t, axis=int)
cpdef bint is_large(x)
