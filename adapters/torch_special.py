"""The extension ``special`` on PyTorch.

``torch.special`` has these functions to full precision (the error measured against SciPy in double precision is
below 1e-12): they are PyTorch's on every device. Its Bessel functions of the first and second kind (1e-5), its
incomplete gamma functions (2e-9) and its ``gammaln`` near 1 and 2 are less exact, so on the CPU SciPy computes
them, if it is installed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from burn_array.adapters.special import SpecialFunctions
from burn_array.adapters.torch_dtypes import FLOATS, FULL, PROMOTED, cast, weak_dtype

Function = Callable[..., Any]
_HALF = frozenset({torch.float16, torch.bfloat16})


def _on_floats(function: Function) -> Function:
    """Let a function of arrays of one full floating dtype take all real dtypes."""

    def wrapped(*operands: Any) -> Any:
        if len(operands) == 1 and operands[0].dtype in FULL:
            return function(*operands)
        dtype = _dtype(operands)
        full = torch.float32 if dtype in _HALF else dtype
        device = next(one.device for one in operands if isinstance(one, torch.Tensor))
        arrays = [
            cast(one, full)
            if isinstance(one, torch.Tensor)
            else torch.full((), one, dtype=full, device=device)
            for one in operands
        ]
        return cast(function(*arrays), dtype)

    return wrapped


def _dtype(operands: tuple[Any, ...]) -> torch.dtype:
    """Return the common dtype; integers and bools become float64."""
    arrays = [one for one in operands if isinstance(one, torch.Tensor)]
    dtype = arrays[0].dtype
    for one in arrays[1:]:
        dtype = PROMOTED[dtype, one.dtype]
    for one in operands:
        if not isinstance(one, torch.Tensor):
            dtype = weak_dtype(torch.empty((), dtype=dtype, device="meta"), one)
    return dtype if dtype in FLOATS else torch.float64


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
    "gammainc": torch.special.gammainc,
    "gammaincc": torch.special.gammaincc,
    "gammaln": torch.special.gammaln,
    "j0": torch.special.bessel_j0,
    "j1": torch.special.bessel_j1,
    "y0": torch.special.bessel_y0,
    "y1": torch.special.bessel_y1,
    "zeta": lambda x, q=None: torch.special.zeta(x, 1 if q is None else q),
}


class SpecialExtension(SpecialFunctions):
    """The special functions of PyTorch."""

    special_own = {name: _on_floats(function) for name, function in _OWN.items()}
    special_rough = {name: _on_floats(function) for name, function in _ROUGH.items()}
