from cpython.buffer cimport PyObject_GetBuffer
from burn_array._core.records cimport ArrayRecord

cdef class Interchange(ArrayRecord):
    def __getbuffer__(self, Py_buffer* buffer, int flags):
        """Fill the buffer slot of the compiled class, which Python fills from ``__buffer__`` only for its own classes."""
        PyObject_GetBuffer(self.__buffer__(flags), buffer, flags)
