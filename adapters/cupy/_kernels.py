"""Kernels in CUDA C++, which ROCm compiles too, that replace functions of CuPy.

All operands of a kernel have one dtype ``T``; :func:`common` promotes them by NumPy's rules first. Each kernel that
repairs a quirk has a canary in ``tests/adapters/cupy/test_cupy_quirks.py``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import cupy
import numpy as np

from burn_array.adapter import promote, promote_scalar

from ..common.elementwise_functions import SCALARS
from ..common.indexing import check_fits

Function = Callable[..., Any]


def kernel(name: str, inputs: str, body: str) -> Any:
    """Return a kernel that computes ``out`` of the same dtype as its ``inputs``."""
    return cupy.ElementwiseKernel(inputs, "T out", body, f"burn_array_{name}")


def common(a: Any, b: Any) -> tuple[Any, Any]:
    """Return two operands in their common dtype. A Python scalar must fit and becomes a scalar of this dtype."""
    if type(a) in SCALARS:
        b, a = common(b, a)
        return a, b
    if type(b) in SCALARS:
        dtype = promote_scalar(a.dtype, type(b))
        if type(b) is int:
            check_fits(b, dtype)
        return a.astype(dtype, copy=False), dtype.type(b)
    dtype = promote(a.dtype, b.dtype)
    return a.astype(dtype, copy=False), b.astype(dtype, copy=False)


def real_binary(compute: Any, otherwise: Function) -> Any:
    """Return a function that calls ``compute`` for real floats and ``otherwise`` for other dtypes."""

    def function(a: Any, b: Any) -> Any:
        if type(a) is type(b) and (dtype := a.dtype) == b.dtype and dtype.char in "fd":
            return compute(a, b)
        x, y = common(a, b)
        if x.dtype.kind != "f":
            return otherwise(a, b)
        if x.dtype.itemsize > 2:
            return compute(x, y)
        return compute(x.astype(np.float32), y.astype(np.float32)).astype(x.dtype)

    return staticmethod(function)


def integer_binary(compute: Any, otherwise: Function) -> Any:
    """Return a function that calls ``compute`` for integers and bools, as int8, and ``otherwise`` for other dtypes."""

    def function(a: Any, b: Any) -> Any:
        x, y = common(a, b)
        if x.dtype.kind == "b":
            x, y = x.astype(np.int8), y.astype(np.int8)
        return compute(x, y) if x.dtype.kind in "iu" else otherwise(a, b)

    return staticmethod(function)


def complex_unary(compute: Any, otherwise: Function) -> Any:
    """Return a function that calls ``compute`` for complex numbers and ``otherwise`` for other dtypes."""
    return staticmethod(lambda x: compute(x) if x.dtype.kind == "c" else otherwise(x))


remainder = kernel(
    "remainder",
    "T a, T b",
    """
    T r = fmod(a, b);
    if (r == 0) r = copysign(T(0), b);
    else if ((b < 0) != (r < 0)) r += b;
    out = r;
    """,
)
"""The remainder of real floats.

CuPy computes ``a - floor(a / b) * b``, which is NaN if ``b`` is infinite. By the standard ``remainder(1, inf)`` is 1.

https://github.com/cupy/cupy/issues/8807, last seen in 14.2.0. Canary: ``remainder``.
"""

floor_divide = kernel(
    "floor_divide",
    "T a, T b",
    """
    if (b == 0 || isinf(a) || isinf(b)) {
        out = a / b;
    } else {
        T m = fmod(a, b);
        T q = (a - m) / b;
        if (m != 0 && (b < 0) != (m < 0)) q -= 1;
        if (q != 0) {
            T f = floor(q);
            out = q - f > T(0.5) ? f + 1 : f;
        } else {
            out = copysign(T(0), a / b);
        }
    }
    """,
)
"""The quotient of real floats, rounded down.

CuPy rounds the quotient before it takes the floor, so ``1 // 0.001`` is 1000. The standard wants the floor of the
quotient, and 1 divided by the number 0.001 is a little less than 1000.

https://github.com/cupy/cupy/issues/7737, last seen in 14.2.0. Canary: ``floor_divide``.
"""

_BEYOND = "(unsigned long long)b >= 8 * sizeof(T)"
left_shift = kernel("left_shift", "T a, T b", f"out = {_BEYOND} ? T(0) : T(a << b);")
"""The bits of integers, shifted to the left.

CuPy uses the shift of C, which is undefined for a count that is negative or at least the number of bits. The standard
leaves this open; NumPy shifts all bits out.

No upstream issue is known; last seen in 14.2.0. Canary: ``bitwise_left_shift``.
"""
right_shift = kernel("right_shift", "T a, T b", f"out = {_BEYOND} ? (a < 0 ? T(-1) : T(0)) : T(a >> b);")
"""The bits of integers, shifted to the right.

CuPy uses the shift of C, which is undefined for a count that is negative or at least the number of bits. The standard
leaves this open; NumPy shifts all bits out, and only sign bits remain.

No upstream issue is known; last seen in 14.2.0. Canary: ``bitwise_right_shift``.
"""

complex_power = kernel(
    "power",
    "T a, T b",
    """
    if (b == T(0)) out = T(1);
    else if (a == T(0)) out = b.real() > 0 ? T(0) : T(log(-1.0), log(-1.0));
    else if (b.imag() == 0 && fabs(b.real()) < 100 && b.real() == floor(b.real())) {
        T r(1), p = a;
        for (int k = (int)fabs(b.real()); k; k >>= 1) {
            if (k & 1) r *= p;
            p *= p;
        }
        out = b.real() < 0 ? T(1) / r : r;
    }
    else out = pow(a, b);
    """,
)
"""The power of complex numbers.

CuPy computes ``exp(b * log(a))``, which is NaN for ``0j ** 1`` and inexact for small whole exponents, as in
``(1 + 2j) ** 2``. The standard leaves complex powers of 0 open; NumPy returns 0 if the real part of the exponent is
positive, and multiplies for small whole exponents.

https://github.com/cupy/cupy/pull/3449 repairs ``0j ** 0j`` alone; last seen in 14.2.0. Canary: ``pow``.
"""

# Computes m, the logarithm of the magnitude of (x, y): near 1 by log1p, and without overflow.
_LOG_MAGNITUDE = """
    T::value_type u = fabs(x), v = fabs(y);
    T::value_type a = u < v ? v : u, b = u < v ? u : v;
    T::value_type h = hypot(x, y), m;
    if (h > 0.5 && h < 2) m = log1p((a - 1) * (a + 1) + b * b) / 2;
    else if (isinf(h) && !isinf(a) && !isinf(b)) m = log(a) + log1p((b / a) * (b / a)) / 2;
    else m = log(h);
"""


def _logarithm(name: str, scale: float) -> Any:
    """Return a kernel for the logarithm of complex numbers, multiplied by ``scale``."""
    return kernel(
        name,
        "T z",
        f"""
        T::value_type x = z.real(), y = z.imag();
        {_LOG_MAGNITUDE}
        const T::value_type s = {scale!r};
        out = T(m * s, T::value_type(atan2(y, x)) * s);
        """,
    )


log = _logarithm("log", 1.0)
"""The logarithm of complex numbers.

CuPy returns NaN for ``inf + nanj``; by the standard the real part is inf.

No upstream issue is known; last seen in 14.2.0. Canary: ``log``.
"""
log2 = _logarithm("log2", 1 / math.log(2))
"""The logarithm to base 2 of complex numbers.

CuPy divides ``log(x)`` by a complex number, so an infinite real part makes the imaginary part NaN, or its kernel does
not compile. By the standard ``log2(0j)`` is ``-inf + 0j``.

No upstream issue is known; last seen in 14.2.0. Canary: ``log2``.
"""
log10 = _logarithm("log10", 1 / math.log(10))
"""The logarithm to base 10 of complex numbers.

CuPy returns NaN for ``inf + nanj``; by the standard the real part is inf.

No upstream issue is known; last seen in 14.2.0. Canary: ``log10``.
"""

log1p = kernel(
    "log1p",
    "T z",
    f"""
    T::value_type r = z.real(), j = z.imag(), size = hypot(r + 1, j);
    if (size > 0.5 && size < 3) {{
        // The terms of 2 r + r r + j j cancel near the unit circle, so their rounding errors are added.
        T::value_type q = r * r, p = j * j, rest = fma(r, r, -q) + fma(j, j, -p);
        T::value_type d = 2 * r, s = d + q, t = s - d;
        rest += (d - (s - t)) + (q - t);
        T::value_type all = s + p, u = all - s;
        rest += (s - (all - u)) + (p - u);
        out = T(T::value_type(log1p(all + rest)) / 2, T::value_type(atan2(j, r + 1)));
    }} else {{
        T::value_type x = z.real() + 1, y = z.imag();
        {_LOG_MAGNITUDE}
        out = T(m, T::value_type(atan2(y, x)));
    }}
    """,
)
"""The logarithm of ``1 + x`` of complex numbers.

CuPy adds 1 first, which loses the digits of small numbers: ``log1p(1e-17 + 0j)`` is 0. By the standard the result is as
exact as for other numbers.

No upstream issue is known; last seen in 14.2.0. Canary: ``log1p``.
"""

expm1 = kernel(
    "expm1",
    "T z",
    """
    T::value_type a = z.real(), b = z.imag();
    T e = exp(z);
    if (isfinite(a) && isfinite(b)) {
        T::value_type s = sin(b / 2);
        T::value_type r = T::value_type(expm1(a)) * T::value_type(cos(b)) - 2 * s * s;
        out = T(r + 0, b == 0 ? b : e.imag());
    } else {
        out = T(e.real() - 1, e.imag());
    }
    """,
)
"""``exp(x) - 1`` of complex numbers.

CuPy subtracts 1 last, which loses the digits of small numbers: ``expm1(1e-20 + 0j)`` is 0. By the standard the result
is as exact as for other numbers.

No upstream issue is known; last seen in 14.2.0. Canary: ``expm1``.
"""

# Computes t, the hyperbolic tangent of w. A zero in the imaginary part has the sign of the imaginary part of w. The
# real part of w is kept if it is 0 and the imaginary part is infinite or NaN.
_TANH = """
    T t = tanh(w);
    if (w.imag() == 0 || (isinf(w.real()) && isfinite(w.imag()))) {
        t = T(t.real(), T::value_type(copysign(T::value_type(0), w.imag())));
    } else if (w.real() == 0 && !isfinite(w.imag())) {
        t = T(w.real(), w.imag() - w.imag());
    }
"""
tanh = kernel("tanh", "T z", f"T w = z; {_TANH} out = t;")
"""The hyperbolic tangent of complex numbers.

CuPy gives the zero in ``tanh(inf + yj)`` the sign of ``sin(2 * y)``, as C99 does; by the standard it has the sign of
``y``. For ``0 + infj`` CuPy returns ``nan + nanj``; by the standard the real part is 0.

https://github.com/data-apis/array-api/issues/1006, last seen in 14.2.0. Canary: ``tanh``.
"""
tan = kernel("tan", "T z", f"T w(-z.imag(), z.real()); {_TANH} out = T(t.imag(), -t.real());")
"""The tangent of complex numbers.

CuPy returns ``nan + nanj`` for ``inf + 0j``. The standard defines ``tan(x)`` as ``-1j * tanh(1j * x)``, whose imaginary
part is 0 there.

No upstream issue is known; last seen in 14.2.0. Canary: ``tan``.
"""

acosh = kernel(
    "acosh",
    "T z",
    f"""
    T t = acosh(z);
    out = z.real() == 0 && isnan(z.imag()) ? T(t.real(), T::value_type({math.pi / 2!r})) : t;
    """,
)
"""The inverse hyperbolic cosine of complex numbers.

CuPy returns ``nan + nanj`` for ``0 + nanj``; by the standard the imaginary part is pi/2.

No upstream issue is known; last seen in 14.2.0. Canary: ``acosh``.
"""

round_complex = kernel("round", "T z", "out = T(rint(z.real()), rint(z.imag()));")
"""The parts of complex numbers, rounded to whole numbers; see ``_rounded`` in ``elementwise_functions``."""

# -- scaling of matrices, so that squares of their elements neither overflow nor underflow -------------


_EXCESS_OF = """
__device__ int burn_array_excess_of(double a, int reach) {
    int e = a > 0 && isfinite(a) ? int(floor(log2(a))) : 0;
    return e > reach ? e - reach : e < -reach ? e + reach : 0;
}
"""


def _excess_of(name: str, size: str) -> Any:
    """Return a kernel that computes the excess exponents of matrices; its second operand is the largest exponent
    that is not changed."""
    reduce, result = "fmax(a, b)", "k = burn_array_excess_of(a, reach)"
    text = "T x, int32 reach", "int32 k", size, reduce, result, "0", f"burn_array_{name}", "double"
    return cupy.ReductionKernel(*text, preamble=_EXCESS_OF)


_EXCESS = {
    "f": _excess_of("excess", "fabs(x)"),
    "c": _excess_of("complex_excess", "fmax(fabs(x.real()), fabs(x.imag()))"),
}
_REACH = {"f": 40, "F": 40, "d": 400, "D": 400}
_COLUMN_REACH = {"f": 20, "F": 20, "d": 400, "D": 400}
"""The largest exponent of a column that is not changed."""
_LEAST = {"f": 2.0**-50, "F": 2.0**-50, "d": 2.0**-480, "D": 2.0**-480}
"""Elements below this are too small to be squared; beside the largest element of a scaled column they do not count."""
_LARGE_ENOUGH = {
    "f": kernel("large_enough", "T x, float64 least", "out = fabs(x) < least ? T(0) : x;"),
    "c": kernel(
        "complex_large_enough",
        "T x, float64 least",
        "out = T(fabs(x.real()) < least ? 0 : x.real(), fabs(x.imag()) < least ? 0 : x.imag());",
    ),
}


def _shift(sign: str) -> dict[str, Any]:
    """Return kernels, by kind of dtype, that multiply by ``2**k``, or divide if ``sign`` is ``"-"``."""
    return {
        "f": kernel("times_power", "T x, int32 k", f"out = ldexp(x, {sign}k);"),
        "c": kernel(
            "times_complex_power",
            "T x, int32 k",
            f"out = T(T::value_type(ldexp(x.real(), {sign}k)), T::value_type(ldexp(x.imag(), {sign}k)));",
        ),
    }


_UP, _DOWN = _shift(""), _shift("-")


def excess(x: Any) -> Any:
    """Return for each matrix by how much the exponent of its largest element is too large or too small to be
    squared."""
    return _EXCESS[x.dtype.kind](x, _REACH[x.dtype.char], axis=(x.ndim - 2, x.ndim - 1), keepdims=True)


def excess_of_columns(x: Any) -> Any:
    """Return for each column what ``excess`` returns for each matrix."""
    return _EXCESS[x.dtype.kind](x, _COLUMN_REACH[x.dtype.char], axis=x.ndim - 2, keepdims=True)


def large_enough(x: Any) -> Any:
    """Return ``x`` with 0 for elements that are too small to be squared, see ``_LEAST``."""
    return _LARGE_ENOUGH[x.dtype.kind](x, _LEAST[x.dtype.char])


def times_power(x: Any, k: Any) -> Any:
    """Return ``x * 2**k``. The parts of complex numbers are multiplied separately, so that ``inf + 0j`` is
    unchanged."""
    return _UP[x.dtype.kind](x, k)


def over_power(x: Any, k: Any) -> Any:
    """Return ``x / 2**k``, by parts as well."""
    return _DOWN[x.dtype.kind](x, k)
