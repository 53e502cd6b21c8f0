"""Kernels in CUDA C++ (which ROCm compiles too) for what CuPy computes otherwise than the standard.

Each takes operands of one dtype ``T``; :func:`common` promotes them by NumPy's rules first.

Unless a line names an issue, none is known upstream
(https://docs.cupy.dev/en/stable/user_guide/difference.html); all were last seen in CuPy 14.2.0.
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
    """Return two operands in their common dtype; a Python scalar, which must fit, as a scalar of it."""
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
    """Return a function that runs ``compute`` on real floats and ``otherwise`` on all else."""

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
    """Return a function that runs ``compute`` on integers (bools as int8) and ``otherwise`` on all else."""

    def function(a: Any, b: Any) -> Any:
        x, y = common(a, b)
        if x.dtype.kind == "b":
            x, y = x.astype(np.int8), y.astype(np.int8)
        return compute(x, y) if x.dtype.kind in "iu" else otherwise(a, b)

    return staticmethod(function)


def complex_unary(compute: Any, otherwise: Function) -> Any:
    """Return a function that runs ``compute`` on complex numbers and ``otherwise`` on all else."""
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

_BEYOND = "(unsigned long long)b >= 8 * sizeof(T)"
left_shift = kernel("left_shift", "T a, T b", f"out = {_BEYOND} ? T(0) : T(a << b);")
right_shift = kernel("right_shift", "T a, T b", f"out = {_BEYOND} ? (a < 0 ? T(-1) : T(0)) : T(a >> b);")

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

# The logarithm of the magnitude of (x, y): near 1 by log1p, and without overflow.
_LOG_MAGNITUDE = """
    T::value_type u = fabs(x), v = fabs(y);
    T::value_type a = u < v ? v : u, b = u < v ? u : v;
    T::value_type h = hypot(x, y), m;
    if (h > 0.5 && h < 2) m = log1p((a - 1) * (a + 1) + b * b) / 2;
    else if (isinf(h) && !isinf(a) && !isinf(b)) m = log(a) + log1p((b / a) * (b / a)) / 2;
    else m = log(h);
"""


def _logarithm(name: str, scale: float) -> Any:
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
log2 = _logarithm("log2", 1 / math.log(2))
log10 = _logarithm("log10", 1 / math.log(10))

log1p = kernel(
    "log1p",
    "T z",
    f"""
    if (fabs(z.real()) < 0.5 && fabs(z.imag()) < 0.5) {{
        T::value_type r = z.real(), j = z.imag();
        out = T(T::value_type(log1p(r * (2 + r) + j * j)) / 2, T::value_type(atan2(j, r + 1)));
    }} else {{
        T::value_type x = z.real() + 1, y = z.imag();
        {_LOG_MAGNITUDE}
        out = T(m, T::value_type(atan2(y, x)));
    }}
    """,
)

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

# tanh of w into t: a zero imaginary part has the sign of that of w; a zero real part stays at infinity.
_TANH = """
    T t = tanh(w);
    if (w.imag() == 0 || (isinf(w.real()) && isfinite(w.imag()))) {
        t = T(t.real(), T::value_type(copysign(T::value_type(0), w.imag())));
    } else if (w.real() == 0 && !isfinite(w.imag())) {
        t = T(w.real(), w.imag() - w.imag());
    }
"""
tanh = kernel("tanh", "T z", f"T w = z; {_TANH} out = t;")
tan = kernel("tan", "T z", f"T w(-z.imag(), z.real()); {_TANH} out = T(t.imag(), -t.real());")

acosh = kernel(
    "acosh",
    "T z",
    f"""
    T t = acosh(z);
    out = z.real() == 0 && isnan(z.imag()) ? T(t.real(), T::value_type({math.pi / 2!r})) : t;
    """,
)

round_complex = kernel("round", "T z", "out = T(rint(z.real()), rint(z.imag()));")

# -- matrices brought to a size whose squares neither overflow nor underflow ------------------------


_EXCESS_OF = """
__device__ int burn_array_excess_of(double a, int reach) {
    int e = a > 0 && isfinite(a) ? int(floor(log2(a))) : 0;
    return e > reach ? e - reach : e < -reach ? e + reach : 0;
}
"""


def _excess_of(name: str, size: str) -> Any:
    """Return a kernel of matrices and the largest exponent that is left alone."""
    reduce, result = "fmax(a, b)", "k = burn_array_excess_of(a, reach)"
    text = "T x, int32 reach", "int32 k", size, reduce, result, "0", f"burn_array_{name}", "double"
    return cupy.ReductionKernel(*text, preamble=_EXCESS_OF)


_EXCESS = {
    "f": _excess_of("excess", "fabs(x)"),
    "c": _excess_of("complex_excess", "fmax(fabs(x.real()), fabs(x.imag()))"),
}
_REACH = {"f": 40, "F": 40, "d": 400, "D": 400}
_COLUMN_REACH = {"f": 20, "F": 20, "d": 400, "D": 400}
"""Beside the largest element of such a column what is less than ``_LEAST`` is lost."""
_LEAST = {"f": 2.0**-50, "F": 2.0**-50, "d": 2.0**-480, "D": 2.0**-480}
_LARGE_ENOUGH = {
    "f": kernel("large_enough", "T x, float64 least", "out = fabs(x) < least ? T(0) : x;"),
    "c": kernel(
        "complex_large_enough",
        "T x, float64 least",
        "out = T(fabs(x.real()) < least ? 0 : x.real(), fabs(x.imag()) < least ? 0 : x.imag());",
    ),
}


def _shift(sign: str) -> dict[str, Any]:
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
    """Return, for each matrix, the exponent by which its largest element is too large or too small to be squared."""
    return _EXCESS[x.dtype.kind](x, _REACH[x.dtype.char], axis=(x.ndim - 2, x.ndim - 1), keepdims=True)


def excess_of_columns(x: Any) -> Any:
    """Return the same for each column."""
    return _EXCESS[x.dtype.kind](x, _COLUMN_REACH[x.dtype.char], axis=x.ndim - 2, keepdims=True)


def large_enough(x: Any) -> Any:
    """Return ``x`` without what can hardly be squared, and is lost beside the largest of a column in reach."""
    return _LARGE_ENOUGH[x.dtype.kind](x, _LEAST[x.dtype.char])


def times_power(x: Any, k: Any) -> Any:
    """Return ``x * 2**k``, complex numbers by parts, so that an infinity beside a zero stays one."""
    return _UP[x.dtype.kind](x, k)


def over_power(x: Any, k: Any) -> Any:
    """Return ``x / 2**k``."""
    return _DOWN[x.dtype.kind](x, k)
