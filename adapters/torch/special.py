"""The extension ``special`` on PyTorch.

``torch.special`` has these functions to full precision (the error measured against SciPy in double precision is
below 1e-12): they are PyTorch's on every device. Its Bessel functions of the first and second kind (1e-5, mended in
double precision), its incomplete gamma functions (2e-9) and its ``gammaln`` near 1 and 2 are less exact, so on the CPU
SciPy computes them, if it is installed.

Special values are mended for which no upstream issue is known (https://docs.pytorch.org/docs/stable/special.html), last
seen in PyTorch 2.13.0.
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
    """Let a function of arrays of one full floating dtype take all dtypes."""

    def wrapped(*operands: Any) -> Any:
        if len(operands) == 1 and operands[0].dtype in FULL_FLOATS:
            return function(*operands)
        dtype = _dtype(operands)
        if dtype in COMPLEX:
            return _of_complex(name, operands)
        full = torch.float32 if dtype in HALF else dtype
        device = next(one.device for one in operands if isinstance(one, torch.Tensor))
        arrays = [
            cast(one, full)
            if isinstance(one, torch.Tensor)
            else filled((), weak_scalar(one, full), full, device)
            for one in operands
        ]
        return cast(function(*arrays), dtype)

    return wrapped


def _of_complex(name: str, operands: tuple[Any, ...]) -> torch.Tensor:
    """Return what SciPy has of complex numbers; PyTorch's functions are of real ones."""
    try:
        function = getattr(import_module("scipy.special"), name)
    except (ImportError, AttributeError):
        function = None
    if function is None or not all(one.is_cpu for one in operands if isinstance(one, torch.Tensor)):
        raise DTypeError("expected real numbers, got complex ones")
    views = [host_view(one) if isinstance(one, torch.Tensor) else one for one in operands]
    return from_ndarray(np.asarray(function(*views)), None)


def _dtype(operands: tuple[Any, ...]) -> torch.dtype:
    """Return the common dtype; integers and bools become float64."""
    arrays = [one for one in operands if isinstance(one, torch.Tensor)]
    dtype = arrays[0].dtype
    for one in arrays[1:]:
        dtype = PROMOTED[dtype, one.dtype]
    for one in operands:
        if not isinstance(one, torch.Tensor):
            dtype = weak_dtype(torch.empty((), dtype=dtype, device="meta"), one)
    return dtype if dtype in FLOATS or dtype in COMPLEX else torch.float64


def _in_double(function: Function, a: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    """Return a function of two arrays, computed in double precision where the device has it."""
    if x.dtype is torch.float64 or x.device.type not in ("cpu", "cuda"):
        value: torch.Tensor = function(a, x)
        return value
    value = function(a.to(torch.float64), x.to(torch.float64))
    return value.to(x.dtype)


def _of_shares(function: Function) -> Function:
    """PyTorch has a number for some NaN, and in single precision 1 less a number near 1."""

    def share(a: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
        return torch.where((a == a) & (x == x), _in_double(function, a, x), math.nan)

    return share


def _gammaln(x: torch.Tensor) -> torch.Tensor:
    """PyTorch has inf at -inf, as C has; SciPy has -inf."""
    return torch.where(x == -math.inf, x, torch.special.gammaln(x))


def _zeta(x: torch.Tensor, q: Any = None) -> torch.Tensor:
    """PyTorch has NaN at an infinite ``q``, where no term of the sum is left, and in single precision near it."""
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
_ROUGH = {
    "gammainc": _of_shares(torch.special.gammainc),
    "gammaincc": _of_shares(torch.special.gammaincc),
    "gammaln": _gammaln,
    "j0": first_kind(0, torch.special.bessel_j0),
    "j1": first_kind(1, torch.special.bessel_j1),
    "y0": second_kind(0, torch.special.bessel_y0),
    "y1": second_kind(1, torch.special.bessel_y1),
    "zeta": _zeta,
}


class SpecialExtension(SpecialFunctions):
    """The special functions of PyTorch."""

    special_own = {name: _on_floats(name, function) for name, function in _OWN.items()}
    special_rough = {name: _on_floats(name, function) for name, function in _ROUGH.items()}
