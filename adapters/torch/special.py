"""The extension ``special`` on PyTorch.

The functions in ``_OWN`` are PyTorch's on every device: their error against SciPy in double precision is below 1e-12.
Those in ``_ROUGH`` are less accurate in PyTorch (Bessel functions of the first and second kind 1e-5, see ``_bessel``;
incomplete gamma functions 2e-9; ``gammaln`` near 1 and 2). On the CPU SciPy computes these, if it is installed.

Three functions have wrong special values. No upstream issue known
(https://docs.pytorch.org/docs/stable/special.html), last seen in 2.13.0.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
import torch

from burn_array.errors import DTypeError

from ..common.special import SpecialFunctions
from ._bessel import first_kind, second_kind
from .dtypes import COMPLEX, FLOATS, FULL_FLOATS, HALF, PROMOTED, cast, filled, weak_dtype, weak_scalar
from .moves import from_ndarray, host_view

Function = Callable[..., Any]


def _on_floats(name: str, function: Function) -> Function:
    """Make a function of all dtypes from ``function``, which takes arrays of one dtype, float32 or float64.

    ``name`` is the function's name in SciPy, which computes it for complex numbers.
    """

    def wrapped(*operands: Any) -> Any:
        if len(operands) == 1 and operands[0].dtype in FULL_FLOATS:
            return function(*operands)
        dtype = _dtype(operands)
        if dtype in COMPLEX:
            return _of_complex(name, operands)
        precision = torch.float32 if dtype in HALF else dtype
        device = next(x.device for x in operands if isinstance(x, torch.Tensor))
        arrays = [
            cast(x, precision)
            if isinstance(x, torch.Tensor)
            else filled((), weak_scalar(x, precision), precision, device)
            for x in operands
        ]
        return cast(function(*arrays), dtype)

    return wrapped


def _of_complex(name: str, operands: tuple[Any, ...]) -> torch.Tensor:
    """Return SciPy's function of complex numbers in host memory; PyTorch's takes real numbers only.

    Raises
    ------
    DTypeError
        if SciPy or the function is missing, or an array is not in host memory
    """
    try:
        function = getattr(import_module("scipy.special"), name)
    except (ImportError, AttributeError):
        function = None
    if function is None or not all(x.is_cpu for x in operands if isinstance(x, torch.Tensor)):
        raise DTypeError("expected real numbers, got complex ones")
    views = [host_view(x) if isinstance(x, torch.Tensor) else x for x in operands]
    return from_ndarray(np.asarray(function(*views)), None)


def _dtype(operands: tuple[Any, ...]) -> torch.dtype:
    """Return the common dtype of all operands, float64 for integers and bools."""
    arrays = [x for x in operands if isinstance(x, torch.Tensor)]
    dtype = arrays[0].dtype
    for x in arrays[1:]:
        dtype = PROMOTED[dtype, x.dtype]
    for x in operands:
        if not isinstance(x, torch.Tensor):
            dtype = weak_dtype(torch.empty((), dtype=dtype, device="meta"), x)
    return dtype if dtype in FLOATS or dtype in COMPLEX else torch.float64


def _in_double(function: Function, a: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    """Return ``function(a, x)`` in the dtype of ``x``, computed in double precision if the device has it."""
    if x.dtype is torch.float64 or x.device.type not in ("cpu", "cuda"):
        value: torch.Tensor = function(a, x)
        return value
    value = function(a.to(torch.float64), x.to(torch.float64))
    return value.to(x.dtype)


def _incomplete_gamma(function: Function) -> Function:
    """PyTorch returns a number for some NaN operands, and loses digits in single precision."""

    def gamma(a: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
        return torch.where((a == a) & (x == x), _in_double(function, a, x), math.nan)

    return gamma


def _gammaln(x: torch.Tensor) -> torch.Tensor:
    """PyTorch gives inf at -inf, as C does; SciPy gives -inf."""
    return torch.where(x == -math.inf, x, torch.special.gammaln(x))


def _zeta(x: torch.Tensor, q: Any = None) -> torch.Tensor:
    """PyTorch gives NaN at an infinite ``q``, and near it in single precision; the sum of no terms is 0."""
    if q is None:
        return torch.special.zeta(x, 1)
    return torch.where((q == math.inf) & (x > 1), 0.0, _in_double(torch.special.zeta, x, q))


_OWN = {
    "digamma": torch.special.digamma,
    "entr": torch.special.entr,
    "erf": torch.special.erf,
    "erfc": torch.special.erfc,
    "erfcx": torch.special.erfcx,
    "erfinv": torch.special.erfinv,
    "exp2": torch.special.exp2,
    "expit": torch.special.expit,
    "i0": torch.special.i0,
    "i0e": torch.special.i0e,
    "i1": torch.special.i1,
    "i1e": torch.special.i1e,
    "k0": torch.special.modified_bessel_k0,
    "k0e": torch.special.scaled_modified_bessel_k0,
    "k1": torch.special.modified_bessel_k1,
    "k1e": torch.special.scaled_modified_bessel_k1,
    "log_expit": torch.nn.functional.logsigmoid,
    "log_ndtr": torch.special.log_ndtr,
    "logit": torch.special.logit,
    "ndtri": torch.special.ndtri,
    "psi": torch.special.digamma,
    "sinc": torch.special.sinc,
    "xlog1py": torch.special.xlog1py,
    "xlogy": torch.special.xlogy,
}
"""PyTorch's function, by the name of the special function."""
_ROUGH = {
    "gammainc": _incomplete_gamma(torch.special.gammainc),
    "gammaincc": _incomplete_gamma(torch.special.gammaincc),
    "gammaln": _gammaln,
    "j0": first_kind(0, torch.special.bessel_j0),
    "j1": first_kind(1, torch.special.bessel_j1),
    "y0": second_kind(0, torch.special.bessel_y0),
    "y1": second_kind(1, torch.special.bessel_y1),
    "zeta": _zeta,
}
"""Functions that SciPy computes more accurately on the CPU."""


class SpecialExtension(SpecialFunctions):
    """The special functions of PyTorch."""

    special_own = {name: _on_floats(name, function) for name, function in _OWN.items()}
    special_rough = {name: _on_floats(name, function) for name, function in _ROUGH.items()}
