cimport cython
from burn_array._core.records cimport ArrayRecord, DeviceRecord

cdef class Instruction:
    cdef public Py_ssize_t a
    cdef public Py_ssize_t b
    cdef public Py_ssize_t out
    cdef public Py_ssize_t form
    cdef public tuple dropped
    cdef public object function
    cdef public tuple operands
    cdef public tuple outs
    cdef public object second
    cdef public dict settings
    cdef public object step

@cython.locals(form=Py_ssize_t)
cpdef compute(Instruction one, list slots)

cdef class Plan:
    cdef public object adopt
    cdef public object array_type
    cdef public object checks
    cdef public tuple dtypes
    cdef public object explain
    cdef public list instructions
    cdef public tuple outputs
    cdef public tuple places
    cdef public bint quick
    cdef public tuple shapes
    cdef public tuple tables
    cdef public list template

    @cython.locals(array=ArrayRecord, slots=list, places=tuple, shapes=tuple, dtypes=tuple, tables=tuple, quick=bint, i=Py_ssize_t, place=Py_ssize_t)
    cpdef list take(self, tuple arguments, DeviceRecord at)

    @cython.locals(slots=list, result=ArrayRecord)
    cpdef replay(self, tuple arguments, DeviceRecord at)

    @cython.locals(one=Instruction, form=Py_ssize_t, unary=Py_ssize_t, binary=Py_ssize_t, place=Py_ssize_t, places=tuple, i=Py_ssize_t)
    cpdef run(self, list slots)

    @cython.locals(result=ArrayRecord, found=list, place=Py_ssize_t)
    cpdef tuple wrapped(self, list slots, DeviceRecord at)
