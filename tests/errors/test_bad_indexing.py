"""Bad indices, and values that cannot be stored, raise the same class of error on every device."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from burn_array.errors import (
    ArgumentError,
    ArgumentTypeError,
    ArrayIndexError,
    BurnArrayError,
    DTypeError,
    IntegerOverflowError,
    ShapeError,
)

# One bad call a line. The fixture ``operands`` in tests/conftest.py has the arrays: f floats, i integers, u8 of uint8,
# b bools, c complex numbers, s2 and s3 floats of length 2 and 3; m23 a matrix of shape (2, 3).
CALLS: dict[str, type[BurnArrayError]] = {
    # indices
    "xp.searchsorted(s3, s3, sorter=xp.asarray([0, 1, 9]))": ArrayIndexError,
    "xp.searchsorted(s3, s3, sorter=xp.asarray([0, 1, -4]))": ArrayIndexError,
    "xp.searchsorted(s3[:0], s3, sorter=xp.asarray([0]))": ShapeError,
    "xp.searchsorted(s3, s3, sorter=xp.asarray([0, 1]))": ShapeError,
    "xp.searchsorted(s3, s3, sorter=xp.asarray([[0, 1, 2]]))": ShapeError,
    "xp.searchsorted(s3, s3, sorter=xp.asarray([0.0, 1.0, 2.0]))": DTypeError,
    "xp.searchsorted(s3, s3, sorter=xp.asarray([True, True, False]))": DTypeError,
    "s3[3]": ArrayIndexError,
    "s3[-4]": ArrayIndexError,
    "s3[2**70]": ArrayIndexError,
    "s3[0, 0]": ArrayIndexError,
    "m23[0, 0, 0]": ArrayIndexError,
    "xp.asarray(1.0)[0]": ArrayIndexError,
    "s3['text']": ArrayIndexError,
    "s3[1.0]": ArrayIndexError,
    "s3[np.float64(1)]": ArrayIndexError,
    "s3[xp.asarray([1.0])]": ArrayIndexError,
    "s3[np.asarray([1.0])]": ArrayIndexError,
    "s3[[1.0]]": ArrayIndexError,
    "s3[['a']]": ArrayIndexError,
    "s3[[[0], [1, 2]]]": ArrayIndexError,
    "s3[[None]]": ArrayIndexError,
    "s3[object()]": ArrayIndexError,
    "s3[{}]": ArrayIndexError,
    "s3['a':]": ArrayIndexError,
    "s3[1.5:]": ArrayIndexError,
    "s3[xp.asarray(1.5):]": ArrayIndexError,
    "s3[::0]": ArgumentError,
    "s3[::-1][::0]": ArgumentError,
    "s3[xp.asarray([3])]": ArrayIndexError,
    "xp.zeros((3, 0))[xp.asarray([7])]": ArrayIndexError,
    "xp.zeros((3, 0))[xp.asarray([-4])]": ArrayIndexError,
    "xp.zeros((3, 0), dtype=xp.uint16)[xp.asarray([7])]": ArrayIndexError,
    "xp.zeros((0, 3))[xp.asarray([0])]": ArrayIndexError,
    "m23[xp.asarray([7]), 1:1]": ArrayIndexError,
    "m23[1:1, xp.asarray([7])]": ArrayIndexError,
    "xp.take(xp.zeros((3, 0)), xp.asarray([7]), axis=0)": ArrayIndexError,
    "xp.take(xp.zeros((3, 0)), xp.asarray([0]), axis=1)": ArrayIndexError,
    "s3[xp.asarray([-4])]": ArrayIndexError,
    "s3[[3]]": ArrayIndexError,
    "s3[[0, -4]]": ArrayIndexError,
    "m23[..., [3]]": ArrayIndexError,
    "m23[None, [2]]": ArrayIndexError,
    "m23[[0], [3]]": ArrayIndexError,
    "m23.__setitem__((slice(None), [3]), 1.0)": ArrayIndexError,
    "m23[0, xp.asarray([5])]": ArrayIndexError,
    "m23[xp.asarray([0, 1]), xp.asarray([0, 1, 2])]": ArrayIndexError,
    "s3[xp.asarray([True, False])]": ArrayIndexError,
    "s3[[True, False]]": ArrayIndexError,
    "m23[xp.asarray([True, False, True])]": ArrayIndexError,
    "s3[..., ...]": ArrayIndexError,
    "s3.__setitem__(3, 1.0)": ArrayIndexError,
    "s3.__setitem__(2**70, 1.0)": ArrayIndexError,
    "s3.__setitem__((0, 0), 1.0)": ArrayIndexError,
    "s3.__setitem__('text', 1.0)": ArrayIndexError,
    "s3.__setitem__(1.5, 1.0)": ArrayIndexError,
    "s3.__setitem__(slice('a', None), 1.0)": ArrayIndexError,
    "s3.__setitem__(xp.asarray([5]), 1.0)": ArrayIndexError,
    "s3.__setitem__([[0], [1, 2]], 1.0)": ArrayIndexError,
    "s3.__setitem__(xp.asarray([True]), 1.0)": ArrayIndexError,
    "xp.take(s3, xp.asarray([3]))": ArrayIndexError,
    "xp.take(s3, xp.asarray([-4]))": ArrayIndexError,
    "xp.take_along_axis(s3, xp.asarray([3]))": ArrayIndexError,
    "xp.take_along_axis(m23, xp.asarray([0]))": ShapeError,
    # values to store
    "s3.__setitem__(0, 'text')": ArgumentTypeError,
    "s3.__setitem__(0, None)": ArgumentTypeError,
    "s3.__setitem__(0, object())": ArgumentTypeError,
    "s3.__setitem__(0, 1j)": DTypeError,
    "s3.__setitem__(0, c)": DTypeError,
    "s3.__setitem__(0, np.complex64(1))": DTypeError,
    "s3.__setitem__(..., s2)": ShapeError,
    "s3.__setitem__(slice(0, 2), [1.0, 2.0, 3.0])": ShapeError,
    "s3.__setitem__(slice(0, 2), [[1.0, 2.0], [3.0]])": ArgumentError,
    "s3.__setitem__(xp.asarray([True, False, True]), s3)": ShapeError,
    "s3.__setitem__(xp.asarray([0, 1]), s3)": ShapeError,
    "i.__setitem__(0, math.nan)": ArgumentError,
    "i.__setitem__(0, math.inf)": IntegerOverflowError,
    "i.__iadd__(1.5)": DTypeError,
    "i.__itruediv__(2)": DTypeError,
    "f.__iadd__(1j)": DTypeError,
    "b.__iadd__(1)": DTypeError,
    "u8.__iadd__(i)": DTypeError,
}

# Indices out of bounds in an array: to check them means to wait for the device. On a GPU CuPy wraps them instead, and
# PyTorch makes the CUDA context of the whole process unusable, so these calls are made on the host alone.
BEYOND = {
    "xp.zeros((3, 0))[xp.asarray([7])]",
    "xp.zeros((3, 0))[xp.asarray([-4])]",
    "xp.zeros((3, 0), dtype=xp.uint16)[xp.asarray([7])]",
    "m23[xp.asarray([7]), 1:1]",
    "m23[1:1, xp.asarray([7])]",
    "xp.take(xp.zeros((3, 0)), xp.asarray([7]), axis=0)",
    "s3[xp.asarray([3])]",
    "s3[xp.asarray([-4])]",
    "m23[0, xp.asarray([5])]",
    "s3.__setitem__(xp.asarray([5]), 1.0)",
    "xp.take(s3, xp.asarray([3]))",
    "xp.take(s3, xp.asarray([-4]))",
    "xp.take_along_axis(s3, xp.asarray([3]))",
    "xp.searchsorted(s3, s3, sorter=xp.asarray([0, 1, 9]))",
    "xp.searchsorted(s3, s3, sorter=xp.asarray([0, 1, -4]))",
}


@pytest.mark.parametrize(
    "code", [pytest.param(code, marks=[pytest.mark.host] * (code in BEYOND)) for code in CALLS]
)
def test_bad_call(bad_call: Callable[[str, type[Exception]], None], code: str) -> None:
    bad_call(code, CALLS[code])
