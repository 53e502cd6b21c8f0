cimport cython
from burn_array._core.dispatch cimport joined, wrap
from burn_array._core.operands cimport unwrap
from burn_array._core.records cimport ArrayRecord, DeviceRecord

@cython.locals(at=DeviceRecord)
cpdef _reshaped(ArrayRecord x, shape, copy)
