"""The dtypes of results: JAX's rules differ from those of the standard where integers meet floats."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from burn_array.adapter import promote, promote_scalar

from ..common.elementwise_functions import SCALARS
from ..common.indexing import check_fits

Function = Callable[..., Any]


@cache
def _common_with_scalar(first: Any, scalar: Any) -> Any:
    return jax.dtypes.canonicalize_dtype(promote_scalar(first, scalar))


def common_dtype(*dtypes: Any) -> Any:
    """Return the dtype to which arrays of these dtypes promote on this device."""
    distinct = set(dtypes)
    if len(distinct) == 1:
        return distinct.pop()
    # Three dtypes at once, since the order would matter: int16, uint16 and float32 promote to float32.
    return jax.dtypes.canonicalize_dtype(
        promote(*distinct) if len(distinct) == 2 else np.result_type(*distinct)
    )


def in_one_dtype(a: Any, b: Any) -> tuple[Any, Any]:
    """Return two operands, arrays or Python scalars, as arrays of the dtype to which they promote.

    JAX: int64 with float32 gives float32, and Python integers wrap to the dtype of the array. The standard, as NumPy:
    float64; NumPy raises for a Python integer that does not fit.
    https://docs.jax.dev/en/latest/type_promotion.html, last seen in 0.10.2.
    """
    kind: Any = type(b)
    if kind in SCALARS:
        dtype = _common_with_scalar(a.dtype, kind)
        return _cast(a, dtype), _weak(b, dtype)
    kind = type(a)
    if kind in SCALARS:
        dtype = _common_with_scalar(b.dtype, kind)
        return _weak(a, dtype), _cast(b, dtype)
    if a.dtype == b.dtype:
        return a, b
    dtype = common_dtype(a.dtype, b.dtype)
    return _cast(a, dtype), _cast(b, dtype)


def in_common_dtype(arrays: Any) -> list[Any]:
    """Return arrays cast to the dtype to which all of them promote."""
    dtype = common_dtype(*(x.dtype for x in arrays))
    return [_cast(x, dtype) for x in arrays]


def _cast(x: Any, dtype: Any) -> Any:
    return x if x.dtype == dtype else x.astype(dtype)


def _weak(scalar: Any, dtype: Any) -> Any:
    """Return a Python scalar in the dtype that it takes beside an array."""
    if type(scalar) is int:
        check_fits(scalar, dtype)
    with np.errstate(over="ignore"):
        return np.asarray(scalar, dtype=dtype)


def promoted(function: Function) -> Any:
    """Return ``function`` of two operands such that they are promoted first."""

    def wrapped(a: Any, b: Any, **settings: Any) -> Any:
        if type(a) is not type(b) or a.dtype != b.dtype:
            a, b = in_one_dtype(a, b)
        return function(a, b, **settings)

    return staticmethod(wrapped)


def as_float(x: Any) -> Any:
    """Return integers and bools as floats of the dtype in which NumPy computes ``sin`` of them.

    JAX takes float32 or float64 for all of them, NumPy float16 for 8 bits and float32 for 16.
    https://docs.jax.dev/en/latest/type_promotion.html, last seen in 0.10.2.
    """
    if x.dtype.kind not in "biu":
        return x
    size = x.dtype.itemsize
    dtype = jnp.float16 if size == 1 else jnp.float32 if size == 2 else jnp.float64
    return x.astype(jax.dtypes.canonicalize_dtype(dtype))
