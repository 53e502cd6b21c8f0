from burn_array._core.records cimport DeviceRecord
from burn_array.graphs.plan cimport Plan

cdef class Program:
    cdef public object graph
    cdef public DeviceRecord device
    cdef public bint is_compiled
    cdef public bint is_hardware
    cdef public object _graph
    cdef public object _run_graph
    cdef public bint _in_place
    cdef public bint _compiled
    cdef public bint _hardware
    cdef public object _plans
    cdef public dict _runners
    cdef public tuple _names
    cdef public Plan _only
    cdef public Plan _fast
    cdef public bint _special
    cdef public bint _is_flat
    cdef public bint _is_single
    cdef public bint _is_plain
    cdef public Py_ssize_t _count
    cdef object __weakref__
