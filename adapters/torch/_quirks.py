"""What PyTorch does otherwise than the standard (or than NumPy where the standard is silent), as a table.

The overrides are in the ``torch_*`` files beside this one. For each quirk there is a canary: ``there`` is true as
long as PyTorch behaves so. When it turns false, the override and its row go.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import torch
from torch.utils.dlpack import from_dlpack

LAST_SEEN = "2.13.0"
_ISSUE = "https://github.com/pytorch/pytorch/issues/"
_DOCS = "https://docs.pytorch.org/docs/stable/generated/"
_INF, _NAN = math.inf, math.nan


class Quirk(NamedTuple):
    """One difference."""

    functions: str
    does: str
    """What PyTorch does."""
    standard: str
    """What the standard, or else NumPy, says."""
    link: str
    """The upstream issue, or the page of the documentation where no issue is known."""
    there: Callable[[], bool]
    """Whether the installed PyTorch still does it."""


def _raises(function: Callable[[], Any], *errors: type[Exception]) -> bool:
    try:
        function()
    except Exception as error:
        return not errors or isinstance(error, errors)
    return False


def _u(dtype: torch.dtype = torch.uint16) -> torch.Tensor:
    return torch.ones(2, 2, dtype=dtype)


def _t(*values: Any, dtype: torch.dtype | None = None) -> torch.Tensor:
    return torch.tensor(values, dtype=dtype)


def _is_nan(x: torch.Tensor) -> bool:
    return bool(torch.isnan(x).any())


_ZEROS = torch.zeros
QUIRKS = (
    # dtypes
    Quirk("add, less, sort, matmul, ...", "lacks most kernels for uint16, uint32 and uint64",
          "every function takes every numeric dtype", _ISSUE + "58734",
          lambda: _raises(lambda: torch.add(_u(), _u())) and _raises(lambda: torch.lt(_u(), _u()))),
    Quirk("every function of two arrays", "lets an n-d array decide the dtype over a 0-d one of the same kind",
          "the rank takes no part in promotion", _ISSUE + "58489",
          lambda: torch.add(_t(1, dtype=torch.int8), torch.tensor(127)).dtype is torch.int8),
    Quirk("every function of two arrays", "promotes int64 and float32 to float32", "NumPy: float64",
          "https://docs.pytorch.org/docs/stable/tensor_attributes.html",
          lambda: torch.add(_t(1), _t(1.0, dtype=torch.float32)).dtype is torch.float32),
    Quirk("sin, divide, mean, ...", "computes integers in its default dtype, float32", "NumPy: float64 for int64",
          "https://docs.pytorch.org/docs/stable/tensor_attributes.html",
          lambda: torch.sin(_t(1)).dtype is torch.float32),
    Quirk("sum, prod, cumulative_sum", "sums uint8 to int64", "uint64, the unsigned dtype of the default width",
          _ISSUE + "58734", lambda: torch.sum(_t(1, dtype=torch.uint8)).dtype is torch.int64),
    Quirk("any, all", "keeps uint8", "bool", _ISSUE + "50342",
          lambda: torch.any(_t(1, dtype=torch.uint8)).dtype is torch.uint8),
    Quirk("floor, ceil, trunc, abs", "refuses bools", "NumPy: bool", _DOCS + "torch.floor.html",
          lambda: _raises(lambda: torch.floor(_t(True)))),
    Quirk("matmul, tensordot", "refuses bools", "NumPy: or of ands", _DOCS + "torch.matmul.html",
          lambda: _raises(lambda: torch.matmul(_t(True), _t(True)))),
    # arithmetic
    Quirk("add, subtract", "computes a + (1+0j) * b, where an infinity breeds NaN", "by parts", _ISSUE + "82510",
          lambda: _is_nan(torch.add(_t(1 + 0j), _t(complex(_INF, 0))))),
    Quirk("negative", "vectorised, gives +0 for the negative of a complex part +0", "-0",
          _DOCS + "torch.neg.html", lambda: not torch.signbit(torch.neg(_t(*[0j] * 64)).real).any()),
    Quirk("remainder", "gives a zero the sign of the dividend", "the sign of the divisor", _ISSUE + "193755",
          lambda: bool(torch.signbit(torch.remainder(_t(-1.0), _t(1.0)))[0])),
    Quirk("remainder", "vectorised, is NaN where the quotient overflows", "exact", _ISSUE + "193753",
          lambda: _is_nan(torch.remainder(torch.full((64,), 1e308, dtype=torch.float64), 0.5))),
    Quirk("floor_divide", "follows Python's // at infinities", "the floor of the quotient",
          "https://github.com/numpy/numpy/issues/23228", lambda: _is_nan(torch.floor_divide(_t(_INF), _t(1.0)))),
    Quirk("floor_divide, remainder", "raises for an integer divisor 0, or gives anything on CUDA", "NumPy: 0",
          _ISSUE + "89418", lambda: _raises(lambda: torch.floor_divide(_t(1), _t(0)))),
    Quirk("pow", "gives 0 for an integer to a negative power", "NumPy: ValueError", _ISSUE + "121926",
          lambda: torch.pow(_t(2), _t(-1)).tolist() == [0]),
    Quirk("pow", "takes the root for the exponents 0.5 and -0.5, NaN of -inf", "inf, or 0", _DOCS + "torch.pow.html",
          lambda: _is_nan(torch.pow(_t(-_INF), 0.5))),
    Quirk("pow", "does not round a number that is the exponent", "rounded to the dtype of the array",
          _DOCS + "torch.pow.html", lambda: torch.pow(_t(0.0), 1e-50).tolist() == [0.0]),
    Quirk("multiply, divide, ...", "does not round a number beside half precision", "rounded to the dtype of the array",
          _DOCS + "torch.mul.html", lambda: torch.mul(_t(0.0, dtype=torch.float16), 1e6).tolist() == [0.0]),
    Quirk("pow", "gives NaN for 0j ** 0j", "1", _ISSUE + "54622", lambda: _is_nan(torch.pow(_t(0j), _t(0j)))),
    Quirk("sign", "gives 0 for NaN", "NaN", _ISSUE + "41245", lambda: torch.sign(_t(_NAN)).tolist() == [0.0]),
    Quirk("sign", "refuses complex numbers", "x / abs(x)", _DOCS + "torch.sign.html",
          lambda: _raises(lambda: torch.sign(_t(1j)))),
    Quirk("reciprocal", "gives -0 for the real part of the reciprocal of -1j", "NumPy: +0", _ISSUE + "52332",
          lambda: bool(torch.signbit(torch.reciprocal(_t(complex(0, -1))).real)[0])),
    Quirk("round", "refuses complex numbers", "rounds by parts", _DOCS + "torch.round.html",
          lambda: _raises(lambda: torch.round(_t(1j)))),
    # special values of complex functions
    Quirk("log1p", "is NaN where the square of the imaginary part under- or overflows", "finite, or infinite",
          _ISSUE + "107022", lambda: _is_nan(torch.log1p(_t(1e-300 + 5e-324j, dtype=torch.complex128)))),
    Quirk("acos", "gives +0j for acos(1+0j)", "-0j", _DOCS + "torch.acos.html",
          lambda: not bool(torch.signbit(torch.acos(_t(1 + 0j, dtype=torch.complex128)).imag)[0])),
    Quirk("tanh", "signs the zero of tanh(inf + yj) as C99 does", "by the sign of y",
          "https://github.com/data-apis/array-api/issues/1006",
          lambda: bool(torch.signbit(torch.tanh(_t(complex(_INF, 2.0))).imag)[0])),
    Quirk("expm1", "gives NaN parts at complex infinities", "exp(x) - 1", _DOCS + "torch.expm1.html",
          lambda: _is_nan(torch.expm1(_t(complex(_INF, 0.0))))),
    Quirk("sinh, cosh", "vectorised, are infinite before they overflow", "finite up to 710.47",
          _DOCS + "torch.cosh.html",
          lambda: bool(torch.isinf(torch.cosh(torch.full((64,), 710.0, dtype=torch.float64)))[0])),
    # indexing
    Quirk("x[i:j:-1]", "refuses a negative step", "steps backwards", _ISSUE + "59786",
          lambda: _raises(lambda: torch.ones(3)[::-1])),
    Quirk("x[a, :, i]", "takes integers out before it decides where the axes of index arrays go",
          "NumPy: integers are index arrays then", _ISSUE + "158134",
          lambda: tuple(_ZEROS(2, 3, 5, 7)[:, [0, 1], :, 0].shape) == (2, 2, 5)),
    Quirk("x[i]", "reads uint8 indices as a mask", "integers", "https://docs.pytorch.org/docs/stable/tensor_view.html",
          lambda: _raises(lambda: torch.ones(3)[_t(0, 2, dtype=torch.uint8)])),
    Quirk("x[i] = v", "has no index_put for unsigned integers", "sets every dtype", _ISSUE + "58734",
          lambda: _raises(lambda: _u().index_put_((_t(0),), _u()[:1]))),
    Quirk("take_along_axis", "refuses negative indices in gather", "count from the end", _ISSUE + "146211",
          lambda: _raises(lambda: torch.gather(_t(1, 2), 0, _t(-1)))),
    # reductions
    Quirk("sum, max, any, ...", "takes no axes, (), for all axes", "reduces nothing", _ISSUE + "29137",
          lambda: torch.sum(torch.ones(2), dim=()).ndim == 0),
    Quirk("prod", "takes one axis", "takes several", _DOCS + "torch.prod.html",
          lambda: _raises(lambda: torch.prod(torch.ones(2, 2), dim=(0, 1)))),  # type: ignore[call-overload]
    Quirk("argmax, argmin", "refuses bools", "NumPy: takes them", _DOCS + "torch.argmax.html",
          lambda: _raises(lambda: torch.argmax(_t(True)))),
    # searching, sorting, sets
    Quirk("searchsorted", "misses when NaN stands at the end", "NumPy: NaN is the largest", _ISSUE + "158738",
          lambda: int(torch.searchsorted(_t(1.0, _NAN, _NAN), 1.5)) != 1),
    Quirk("unique_all", "has no first indices", "values, indices, inverse, counts", _ISSUE + "70920",
          lambda: _raises(lambda: torch.unique(_t(1), return_index=True))),
    Quirk("unique_values", "refuses complex numbers", "takes them", _DOCS + "torch.unique.html",
          lambda: _raises(lambda: torch.unique(_t(1j)))),
    # creation and manipulation
    Quirk("flip", "needs the axes", "all by default", _ISSUE + "71210",
          lambda: _raises(lambda: torch.flip(torch.ones(2)))),  # type: ignore[call-arg]
    Quirk("concat", "skips an empty vector whatever the other shapes are", "equal rank", _DOCS + "torch.cat.html",
          lambda: torch.cat([torch.ones(2, 2), torch.ones(0)]).ndim == 2),
    Quirk("reshape", "cannot work out -1 for some empty arrays", "NumPy: can",
          _DOCS + "torch.reshape.html", lambda: _raises(lambda: torch.ones(0, 2).reshape(0, -1))),
    # linear algebra
    Quirk("linalg.solve", "takes an (n, n) right-hand side as a stack of vectors when the batch is n",
          "a vector has one axis", _ISSUE + "120402",
          lambda: torch.linalg.solve(torch.eye(2).expand(2, 2, 2), torch.ones(2, 2)).ndim == 2),
    Quirk("linalg.cross", "wants arrays of equal rank", "broadcasts", _DOCS + "torch.linalg.cross.html",
          lambda: _raises(lambda: torch.linalg.cross(torch.ones(2, 3), torch.ones(3)))),
    Quirk("linalg.qr", "gives NaN beside a column whose norm overflows, by LAPACK",
          "infinite is only what is too large", _DOCS + "torch.linalg.qr.html",
          lambda: _is_nan(torch.linalg.qr(_t([1.0, 0.5], [1.0, 0.2], dtype=torch.float64) * 1.7e308)[1])),
    Quirk("linalg.vector_norm", "refuses the infinity norm of no numbers", "NumPy: 0",
          _DOCS + "torch.linalg.vector_norm.html",
          lambda: _raises(lambda: torch.linalg.vector_norm(torch.ones(0), _INF))),
    Quirk("matmul", "multiplies no integer matrices on CUDA", "multiplies every numeric dtype", _ISSUE + "44428",
          lambda: not torch.cuda.is_available() or _raises(_multiply_on_cuda)),
    # exchange
    Quirk("from_dlpack", "makes read-only memory writable", "a copy, or BufferError",
          _DOCS + "torch.from_dlpack.html", lambda: _writes_through_read_only()),
    Quirk("__dlpack__", "raises another error than BufferError for a device it cannot reach", "BufferError",
          _ISSUE + "194267", lambda: _raises(_export_to_cuda, ValueError)),
)  # fmt: skip


def _multiply_on_cuda() -> torch.Tensor:
    x = torch.ones(2, 2, dtype=torch.int64, device="cuda")
    return torch.matmul(x, x)


def _export_to_cuda() -> Any:
    return torch.ones(1).__dlpack__(dl_device=(2, 0), copy=False)  # type: ignore[arg-type]


def _writes_through_read_only() -> bool:
    array = np.zeros(1)
    array.flags.writeable = False
    from_dlpack(array)[0] = 1
    return bool(array[0] == 1)
