cimport cython
from burn_array._core.records cimport Tag, Tagged

cdef type Array

@cython.locals(at=Tag, one=Tagged, natives=list)
cpdef tuple place(str name, operands)

@cython.locals(have=Tag)
cpdef relocate(str name, Tagged x, Tag at)
