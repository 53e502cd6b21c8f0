"""Element-wise functions on JAX."""

from __future__ import annotations

import math
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
from ..common.formulas import elementwise as formulas
from .indexing import readable
from .promoting import as_float, in_one_dtype, promoted


def _complex(function: Any, special: Any) -> Any:
    """Return a function of floats that is right at complex infinities and NaNs too.

    XLA computes complex functions by formulas that turn some infinities into NaNs, or NaNs into numbers; the standard
    has the special values of C99.
    No report known; last seen in 0.10.2.
    """
    return _floating(complex_special_values.corrected(jnp, function, lax.complex, special))


def _signed(function: Any, real: int, imag: int) -> Any:
    """Return a complex function whose parts have the sign of those of ``x``, times 1 or -1; 0 leaves a part alone.

    On a branch cut JAX ignores the sign of a zero; the standard has the values of C99, which depend on it.
    No report known; last seen in 0.10.2.
    """

    def wrapped(x: Any) -> Any:
        out = function(x)
        if out.dtype.kind != "c":
            return out
        return formulas.with_signs(jnp, lax.complex, out, x, real, imag)

    return wrapped


def _floating(function: Any) -> Any:
    return staticmethod(lambda x: function(as_float(x)))


def _of_reals(function: Any) -> Any:
    """Return a function of two operands that refuses complex numbers; JAX takes some of them, or their real parts.

    No report known; last seen in 0.10.2.
    """

    def wrapped(a: Any, b: Any) -> Any:
        for x in (a, b):
            if type(x) is complex or (type(x) not in common.SCALARS and x.dtype.kind == "c"):
                raise DTypeError("complex numbers are not accepted; take abs(x), real(x) or imag(x)")
        return function(*in_one_dtype(*_as_floats(a, b)))

    return staticmethod(wrapped)


def _as_floats(a: Any, b: Any) -> tuple[Any, Any]:
    """Return operands with arrays of integers as floats; beside a Python float that is left to its promotion."""
    if type(a) is float or type(b) is float:
        return a, b
    if type(a) is int or type(b) is int:  # beside an integer a bool becomes one of 64 bits
        a, b = (x.astype(int) if type(x) is not int and x.dtype == bool else x for x in (a, b))
    first, second = (x if type(x) in common.SCALARS else as_float(x) for x in (a, b))
    return first, second


def _of_integers(function: Any) -> Any:
    """Return a function of two operands that computes with two bools as int8, as NumPy does; JAX takes int32."""

    def wrapped(a: Any, b: Any) -> Any:
        a, b = in_one_dtype(a, b)
        if a.dtype == bool:
            a, b = a.astype("int8"), b.astype("int8")
        return function(a, b)

    return staticmethod(wrapped)


def _positive(x: Any) -> Any:
    """Return ``x``; JAX takes bools too, which the standard, as NumPy, refuses."""
    if x.dtype == bool:
        raise DTypeError("positive takes numbers, not bools")
    return x


def _power(a: Any, b: Any) -> Any:
    """Return ``a ** b``.

    JAX reads six bits of an integer exponent, so that powers from 64 on are wrong where they wrap around, and gives 0
    for an integer to a negative power in an array. NumPy computes modulo the range of the dtype and refuses negative
    powers; so does this function where the CPU can read them.
    No report known; last seen in 0.10.2.
    """
    if a.dtype.kind not in "iu":
        out = jnp.power(a, b)
        return formulas.complex_power(jnp, lax.complex, out, a, b) if out.dtype.kind == "c" else out
    if b.dtype.kind == "i" and b.size and readable(b) and np.asarray(b).min() < 0:
        raise ArgumentError("integers to negative integer powers are not allowed; use a float dtype")
    shape = jnp.broadcast_shapes(a.shape, b.shape)
    left = (jnp.ones(shape, a.dtype), jnp.broadcast_to(a, shape), jnp.broadcast_to(b, shape))
    step = partial(formulas.power_step, jnp)
    return lax.while_loop(lambda state: jnp.any(state[2] > 0), lambda state: step(*state), left)[0]


def _true_divide(a: Any, b: Any) -> Any:
    """Return ``a / b``; a Python integer beside integers is a float, so that it need not fit their dtype."""
    if type(b) is int:
        a, b = _as_default(a), float(b)
    elif type(a) is int:
        a, b = float(a), _as_default(b)
    return _divide(*in_one_dtype(a, b))


def _as_default(x: Any) -> Any:
    return x.astype(float) if x.dtype.kind in "biu" else x


def _divide(a: Any, b: Any) -> Any:
    """Return ``a / b``; integers are divided in the default floating dtype.

    JAX divides integers of up to 32 bits in float32. NumPy divides all of them in float64.
    https://docs.jax.dev/en/latest/type_promotion.html, last seen in 0.10.2.
    """
    a, b = _as_default(a), _as_default(b)
    if b.size == 1 and a.size > 1 and readable(b) and _has_no_reciprocal(b):
        b = jnp.broadcast_to(b, jnp.broadcast_shapes(a.shape, b.shape))
    return jnp.divide(a, b)


def _has_no_reciprocal(b: Any) -> bool:
    """Return whether the reciprocal of the one number ``b`` is below the least normal number.

    XLA multiplies an array by the reciprocal of a single divisor, and takes such a reciprocal for zero. So ``x / b``
    is 0. The standard asks for the quotient.
    No report known; last seen in 0.10.2.
    """
    if b.dtype.kind != "f":
        return False
    limit = 1 / float(jnp.finfo(b.dtype).tiny)
    return limit < abs(float(np.asarray(b).reshape(()))) < math.inf


def _floor_divide(a: Any, b: Any) -> Any:
    """Return ``a // b``.

    JAX: ``inf // 2.0`` is NaN, ``-1.0 // inf`` is -1, and zeros lose their signs. The standard rounds the quotient
    down. An integer divided by zero gives -1 or -2; NumPy gives 0.
    https://github.com/jax-ml/jax/issues/40028 (of the signs), last seen in 0.10.2.
    """
    out = jnp.floor_divide(a, b)
    if out.dtype.kind != "f":
        return formulas.zero_by_zero(jnp, out, b)
    quotient = jnp.divide(a, b)
    out = jnp.where(out == 0, jnp.copysign(out, quotient), out)
    return jnp.where(jnp.isinf(a) | jnp.isinf(b), quotient, out)


def _remainder(a: Any, b: Any) -> Any:
    """Return ``a % b``.

    JAX gives a zero the sign of ``a``, and the remainder of integers by 0 is not 0. The standard gives a zero the sign
    of ``b``; NumPy gives 0.
    https://github.com/jax-ml/jax/issues/40028, last seen in 0.10.2.
    """
    out = jnp.remainder(a, b)
    if out.dtype.kind != "f":
        return formulas.zero_by_zero(jnp, out, b)
    return jnp.where(out == 0, jnp.copysign(out, b), out)


def _reciprocal(x: Any) -> Any:
    """Return ``1 / x``.

    JAX returns floats for integers. NumPy keeps the dtype and cuts the fraction off; 0 gives 0 here.
    https://docs.jax.dev/en/latest/_autosummary/jax.numpy.reciprocal.html, last seen in 0.10.2.
    """
    if x.dtype.kind not in "iu":
        return jnp.reciprocal(x)
    return formulas.reciprocal_of_integers(jnp, x)


def _sinh(x: Any) -> Any:
    """Return the hyperbolic sine; JAX subtracts exponentials of complex numbers, which loses digits of small ones."""
    out = jnp.sinh(x)
    if x.dtype.kind != "c":
        return out
    return formulas.complex_sinh(jnp, lax.complex, out, x)


def _log1p(x: Any) -> Any:
    """Return ``log(1 + x)``; the real part of a complex number keeps its digits near the unit circle around -1.

    JAX squares the parts. No report known; last seen in 0.10.2.
    """
    if x.dtype.kind != "c":
        return jnp.log1p(x)
    return formulas.complex_log1p(jnp, lax.complex, x)


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

    acos = _complex(_signed(jnp.acos, 0, -1), complex_special_values.acos)
    acosh = _complex(_signed(jnp.acosh, 0, 1), complex_special_values.acosh)
    add = promoted(jnp.add)
    asin = _floating(_signed(jnp.asin, 1, 1))
    asinh = _complex(_signed(jnp.asinh, 1, 1), complex_special_values.asinh)
    atan = _floating(jnp.atan)
    atan2 = _of_reals(jnp.atan2)
    atanh = _complex(jnp.atanh, complex_special_values.atanh)
    bitwise_and = promoted(jnp.bitwise_and)
    bitwise_left_shift = _of_integers(jnp.bitwise_left_shift)
    bitwise_or = promoted(jnp.bitwise_or)
    bitwise_right_shift = _of_integers(jnp.bitwise_right_shift)
    bitwise_xor = promoted(jnp.bitwise_xor)
    clip = staticmethod(partial(common.clip, SimpleNamespace(maximum=_maximum, minimum=_minimum)))
    copysign = _of_reals(jnp.copysign)
    cos = _floating(jnp.cos)
    cosh = _complex(jnp.cosh, complex_special_values.cosh)
    divide = staticmethod(_true_divide)
    equal = common.compared(jnp, promoted(jnp.equal).__func__, operator.eq)
    exp = _complex(jnp.exp, complex_special_values.exp)
    expm1 = _complex(jnp.expm1, complex_special_values.expm1)
    floor_divide = _of_integers(_floor_divide)
    greater = common.ordered_compared(jnp, promoted(jnp.greater).__func__, operator.gt)
    greater_equal = common.ordered_compared(jnp, promoted(jnp.greater_equal).__func__, operator.ge)
    hypot = _of_reals(jnp.hypot)
    less = common.ordered_compared(jnp, promoted(jnp.less).__func__, operator.lt)
    less_equal = common.ordered_compared(jnp, promoted(jnp.less_equal).__func__, operator.le)
    log = _complex(jnp.log, complex_special_values.log)
    log10 = _complex(jnp.log10, complex_special_values.log)
    log1p = _complex(_log1p, complex_special_values.log)
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
    pow = _of_integers(_power)
    reciprocal = staticmethod(_reciprocal)
    remainder = _of_integers(_remainder)
    sign = staticmethod(_sign)
    sin = _floating(jnp.sin)
    sinh = _complex(_sinh, complex_special_values.sinh)
    square = staticmethod(lambda x: jnp.square(x.astype("int8") if x.dtype == bool else x))
    sqrt = _complex(_signed(jnp.sqrt, 0, 1), complex_special_values.sqrt)
    subtract = promoted(jnp.subtract)
    tan = _complex(jnp.tan, complex_special_values.tan)
    tanh = _complex(jnp.tanh, complex_special_values.tanh)
