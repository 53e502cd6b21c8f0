"""Element-wise functions on JAX."""

from __future__ import annotations

import operator
from functools import partial
from types import SimpleNamespace
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from burn_array.errors import ArgumentError, DTypeError

from ..common import complex_special_values
from ..common import elementwise_functions as common
from .indexing import readable
from .promoting import as_float, promoted


def _complex(function: Any, special: Any) -> Any:
    """Return a function of floats that is right at complex infinities and NaNs too.

    XLA computes complex functions by formulas that turn some infinities into NaNs, or NaNs into numbers; the standard
    has the special values of C99.
    No report known; last seen in 0.10.2.
    """
    return _floating(complex_special_values.corrected(jnp, function, lax.complex, special))


def _floating(function: Any) -> Any:
    return staticmethod(lambda x: function(as_float(x)))


def _of_reals(function: Any) -> Any:
    """Return a function of two operands that refuses complex numbers; JAX takes some of them, or their real parts.

    No report known; last seen in 0.10.2.
    """
    function = promoted(function).__func__

    def wrapped(a: Any, b: Any) -> Any:
        for x in (a, b):
            if type(x) is complex or (type(x) not in common.SCALARS and x.dtype.kind == "c"):
                raise DTypeError("complex numbers are not accepted; take abs(x), real(x) or imag(x)")
        return function(a, b)

    return common.as_floats(jnp, wrapped)


def _positive(x: Any) -> Any:
    """Return ``x``; JAX takes bools too, which the standard, as NumPy, refuses."""
    if x.dtype == bool:
        raise DTypeError("positive takes numbers, not bools")
    return x


def _power(a: Any, b: Any) -> Any:
    """Return ``a ** b``.

    JAX gives 0 for an integer to a negative power in an array. NumPy refuses it; so does this function where the CPU can
    read the powers.
    No report known; last seen in 0.10.2.
    """
    out = jnp.power(a, b)
    if out.dtype.kind == "i" and out.size and readable(b) and np.asarray(b).min() < 0:
        raise ArgumentError("integers to negative integer powers are not allowed; use a float dtype")
    return out


def _divide(a: Any, b: Any) -> Any:
    """Return ``a / b``; integers are divided in the default floating dtype.

    JAX divides integers of up to 32 bits in float32. NumPy divides all of them in float64.
    https://docs.jax.dev/en/latest/type_promotion.html, last seen in 0.10.2.
    """
    return jnp.divide(a.astype(float), b.astype(float)) if a.dtype.kind in "biu" else jnp.divide(a, b)


def _floor_divide(a: Any, b: Any) -> Any:
    """Return ``a // b``.

    JAX: ``inf // 2.0`` is NaN, ``-1.0 // inf`` is -1, and zeros lose their signs. The standard rounds the quotient
    down.
    https://github.com/jax-ml/jax/issues/40028 (of the signs), last seen in 0.10.2.
    """
    out = jnp.floor_divide(a, b)
    if out.dtype.kind != "f":
        return out
    quotient = jnp.divide(a, b)
    return jnp.where(jnp.isinf(a) | jnp.isinf(b) | (out == 0) & (quotient == 0), quotient, out)


def _remainder(a: Any, b: Any) -> Any:
    """Return ``a % b``.

    JAX gives a zero the sign of ``a``. The standard gives it the sign of ``b``.
    https://github.com/jax-ml/jax/issues/40028, last seen in 0.10.2.
    """
    out = jnp.remainder(a, b)
    return jnp.where(out == 0, jnp.copysign(out, b), out) if out.dtype.kind == "f" else out


def _sign(x: Any) -> Any:
    """Return the sign of each element.

    JAX returns -0.0 for -0.0. The standard returns 0.
    No report known; last seen in 0.10.2.
    """
    sign = jnp.where(x == 0, jnp.zeros((), x.dtype), jnp.sign(x))
    if x.dtype.kind != "c":
        return sign
    real, imag = jnp.isinf(x.real), jnp.isinf(x.imag)
    one = real ^ imag  # exactly one part is infinite: the result is 1, -1, 1j or -1j
    zero = jnp.zeros((), x.real.dtype)
    return lax.complex(
        jnp.where(one, jnp.where(real, jnp.sign(x.real), zero), sign.real),
        jnp.where(one, jnp.where(imag, jnp.sign(x.imag), zero), sign.imag),
    )


_maximum = common.ordered(promoted(jnp.maximum).__func__)
_minimum = common.ordered(promoted(jnp.minimum).__func__)


class ElementwiseFunctions:
    """The page *elementwise functions* of the standard."""

    acos = _complex(jnp.acos, complex_special_values.acos)
    acosh = _complex(jnp.acosh, complex_special_values.acosh)
    add = promoted(jnp.add)
    asin = _floating(jnp.asin)
    asinh = _complex(jnp.asinh, complex_special_values.asinh)
    atan = _floating(jnp.atan)
    atan2 = _of_reals(jnp.atan2)
    atanh = _complex(jnp.atanh, complex_special_values.atanh)
    bitwise_and = promoted(jnp.bitwise_and)
    bitwise_left_shift = promoted(jnp.bitwise_left_shift)
    bitwise_or = promoted(jnp.bitwise_or)
    bitwise_right_shift = promoted(jnp.bitwise_right_shift)
    bitwise_xor = promoted(jnp.bitwise_xor)
    clip = staticmethod(partial(common.clip, SimpleNamespace(maximum=_maximum, minimum=_minimum)))
    copysign = _of_reals(jnp.copysign)
    cos = _floating(jnp.cos)
    cosh = _complex(jnp.cosh, complex_special_values.cosh)
    divide = promoted(_divide)
    equal = common.compared(jnp, promoted(jnp.equal).__func__, operator.eq)
    exp = _complex(jnp.exp, complex_special_values.exp)
    expm1 = _complex(jnp.expm1, complex_special_values.expm1)
    floor_divide = promoted(_floor_divide)
    greater = common.ordered_compared(jnp, promoted(jnp.greater).__func__, operator.gt)
    greater_equal = common.ordered_compared(jnp, promoted(jnp.greater_equal).__func__, operator.ge)
    hypot = _of_reals(jnp.hypot)
    less = common.ordered_compared(jnp, promoted(jnp.less).__func__, operator.lt)
    less_equal = common.ordered_compared(jnp, promoted(jnp.less_equal).__func__, operator.le)
    log = _complex(jnp.log, complex_special_values.log)
    log10 = _complex(jnp.log10, complex_special_values.log)
    log1p = _complex(jnp.log1p, complex_special_values.log)
    log2 = _complex(jnp.log2, complex_special_values.log)
    logaddexp = _of_reals(jnp.logaddexp)
    logical_and = common.logical(jnp.logical_and)
    logical_or = common.logical(jnp.logical_or)
    logical_xor = common.logical(jnp.logical_xor)
    maximum = staticmethod(_maximum)
    minimum = staticmethod(_minimum)
    multiply = promoted(jnp.multiply)
    nextafter = _of_reals(jnp.nextafter)
    not_equal = common.compared(jnp, promoted(jnp.not_equal).__func__, operator.ne)
    positive = staticmethod(_positive)
    pow = promoted(_power)
    remainder = promoted(_remainder)
    sign = staticmethod(_sign)
    sin = _floating(jnp.sin)
    sinh = _complex(jnp.sinh, complex_special_values.sinh)
    sqrt = _complex(jnp.sqrt, complex_special_values.sqrt)
    subtract = promoted(jnp.subtract)
    tan = _floating(jnp.tan)
    tanh = _complex(jnp.tanh, complex_special_values.tanh)
