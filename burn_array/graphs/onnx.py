"""Graphs as models of ONNX, written by the package ``ndonnx``: each step becomes a call of its functions.

A function that ONNX or ``ndonnx`` lacks, or computes otherwise, is composed here, or refused by name.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from .._core.dtypes import kind_of, promote, promote_scalar
from .._core.namespace import namespace
from ..errors import BurnArrayError, NotSupportedError
from .shapes.elementwise import BINARY, UNARY
from .size import Scaled, Size
from .values import SCALARS, Ref, Spec, Step, mapped, refs_in

if TYPE_CHECKING:
    from .graph import Graph

Emit = Callable[..., Any]

_BINARY = frozenset(BINARY.split())
_UNARY = frozenset(UNARY.split())
_UNROLLED = 64
"""The longest axis along which a running product is written out."""
REFUSED: dict[str, str] = {
    "nextafter": "ONNX has no such function",
}
"""Functions that are refused by name, and why."""


def to_onnx(graph: Graph) -> Any:
    """Return a graph as an ``onnx.ModelProto``."""
    try:
        ndx = import_module("ndonnx")
    except ImportError as error:
        raise NotSupportedError(
            f"to_onnx: the package ndonnx is missing ({error}); install it with: pip install 'burn_array[onnx]'"
        ) from error
    return _Writer(ndx, graph.simplified()).model()


class _Writer:
    """Writes one graph."""

    def __init__(self, ndx: Any, graph: Graph) -> None:
        self.ndx = ndx
        self.graph = graph
        self.values: dict[int, Any] = {}
        self.lengths: dict[str, Any] = {}

    def model(self) -> Any:
        inputs = {}
        for one in self.graph.inputs:
            shape = tuple(str(n) if type(n) is Size else n for n in one.shape)
            inputs[one.name] = self.ndx.argument(shape=shape, dtype=self.dtype(one.dtype, one.name))
            self.values[one.number] = inputs[one.name]
            for axis, n in enumerate(one.shape):
                if type(n) is Size and n.name is not None and n.name not in self.lengths:
                    self.lengths[n.name] = inputs[one.name].dynamic_shape[axis]
        self.write_steps()
        outputs = {f"output{i}": self._output(n) for i, n in enumerate(self.graph.outputs)}
        return self.ndx.build(inputs, outputs)

    def write_steps(self) -> None:
        """Write all constants and steps."""
        for number, constant in self.graph.constant_values.items():
            self.dtype(self.graph.specs[number].dtype, f"the constant %{number}")
            values = np.array(constant.device.adapter.to_host(constant.native))
            self.values[number] = self.ndx.asarray(values.reshape(self.graph.specs[number].shape))
        for step in self.graph.steps:
            self._emit(step)

    def dtype(self, dtype: Any, what: str) -> Any:
        """Return the dtype of ndonnx."""
        if kind_of(dtype) == "c" or dtype.name == "bfloat16":
            raise NotSupportedError(f"to_onnx: {what} is {dtype}, which ONNX cannot compute with")
        return getattr(self.ndx, dtype.name)

    def _output(self, number: int) -> Any:
        """Return a result; an input that is a result itself is copied, since ONNX tells them apart by their names."""
        value = self.values[number]
        if any(value is self.values[one.number] for one in self.graph.inputs):
            return self.ndx.asarray(value, copy=True) if value.dtype == self.ndx.bool else +value
        return value

    # -- steps --------------------------------------------------------------------------------

    def _emit(self, step: Step) -> None:
        specs = [self.graph.specs[out] for out in step.outs]
        for spec in (*specs, *(self.graph.specs[ref.number] for ref in refs_in((step.args, step.settings)))):
            self.dtype(spec.dtype, f"a value of {step.name}")
        try:
            found = self._call(step, specs)
        except BurnArrayError:
            raise
        except Exception as error:
            raise self.refused(step, f"{type(error).__name__}: {error}") from error
        for number, spec, value in zip(step.outs, specs, found if step.several else (found,), strict=True):
            wanted = self.dtype(spec.dtype, step.name)
            self.values[number] = value if value.dtype == wanted else self.ndx.astype(value, wanted)

    def refused(self, step: Step, why: str) -> NotSupportedError:
        """Return the error for a step that cannot be written."""
        where = self.graph.step_text(step)
        return NotSupportedError(f"to_onnx: {step.name} cannot be exported: {why:.200} [in {where}]")

    def _call(self, step: Step, specs: list[Spec]) -> Any:
        name = step.name
        if name in REFUSED:
            raise self.refused(step, REFUSED[name])
        if name in _BINARY and len(step.args) == 2:
            return self._binary(step, specs[0])
        if name.startswith("special."):
            return self._formula(step, specs[0])
        args = [self.value(one) for one in step.args]
        settings = {key: self.value(one) for key, one in step.settings.items()}
        composed = COMPOSED.get(name)
        if composed is not None:
            return composed(self, step, specs[0] if specs else None, *args, **settings)
        function = getattr(self.ndx, name, None)
        if function is None:
            raise self.refused(step, "neither ONNX nor ndonnx has it")
        if name in _UNARY and kind_of(specs[0].dtype) == "f":
            args = [self.ndx.astype(args[0], self.dtype(specs[0].dtype, name))]
        return function(*args, **{key: one for key, one in settings.items() if one is not None})

    def _formula(self, step: Step, out: Spec) -> Any:
        """Write a special function by its formula, whose steps are traced and written here."""
        from ..special import FORMULAS

        formula = FORMULAS.get(step.name.removeprefix("special."))
        if formula is None or any(type(one) in (Size, Scaled) for one in step.args) or step.settings:
            raise self.refused(step, "ONNX has no such function, and there is no formula")
        operands = [one for one in step.args if type(one) is Ref]
        shapes = [self.graph.specs[one.number].shape for one in operands]
        if any(type(n) is not int for shape in shapes for n in shape):
            shapes = [tuple(2 for _ in shape) for shape in shapes]  # a formula does not look at lengths
        xp = namespace()

        def composed_of(*arrays: Any) -> Any:
            rest = list(arrays)
            full = [
                rest.pop(0) if type(one) is Ref else xp.full((), one, dtype=out.dtype) for one in step.args
            ]
            return formula(xp, *full)

        inner = xp.trace(composed_of, *(xp.spec(shape, out.dtype) for shape in shapes)).simplified()
        if any(one.name in ("reshape", "broadcast_to") for one in inner.steps):
            raise self.refused(step, "the formula depends on the shape")
        to = self.dtype(out.dtype, step.name)
        return self._inlined(inner, [self.ndx.astype(self.values[one.number], to) for one in operands])

    def _inlined(self, inner: Graph, values: list[Any]) -> Any:
        """Return the result of another graph, whose steps are written into this model."""
        writer = _Writer(self.ndx, inner)
        writer.values = {one.number: value for one, value in zip(inner.inputs, values, strict=True)}
        writer.write_steps()
        return writer.values[inner.outputs[0]]

    def value(self, one: Any) -> Any:
        """Return an argument as ndonnx gets it."""

        def changed(leaf: Any) -> Any:
            if type(leaf) is Ref:
                return self.values[leaf.number]
            if type(leaf) in (Size, Scaled):
                return self.number(leaf)
            return self.dtype(leaf, "an argument") if isinstance(leaf, np.dtype) else leaf

        return mapped(one, changed)

    def number(self, size: Size | Scaled) -> Any:
        """Return a number that depends on named lengths, as an array without axes."""
        if type(size) is Scaled:
            inner = self.ndx.astype(self.number(size.size), self.ndx.float64)
            return size.factor / inner if size.divides else size.factor * inner
        assert type(size) is Size
        terms = []
        for names, coefficient in size.terms:
            factors = [self.lengths[name] for name in names]
            terms.append(
                reduce(lambda a, b: a * b, factors, self.ndx.asarray(coefficient, dtype=self.ndx.int64))
            )
        return reduce(lambda a, b: a + b, terms, self.ndx.asarray(0, dtype=self.ndx.int64))

    def shape(self, lengths: Any) -> Any:
        """Return a shape: a tuple of ints, or an array if a length depends on an input."""
        if all(type(n) is int for n in lengths):
            return tuple(lengths)
        parts = [self.ndx.asarray(n, dtype=self.ndx.int64) if type(n) is int else n for n in lengths]
        return self.ndx.stack([self.ndx.reshape(one, ()) for one in parts])

    def _binary(self, step: Step, out: Spec) -> Any:
        """Write an element-wise function of two operands, both in the dtype to which they promote."""
        dtypes = [self.graph.specs[one.number].dtype for one in step.args if type(one) is Ref]
        common = reduce(promote, dtypes)
        for one in step.args:
            if type(one) in SCALARS:
                common = promote_scalar(common, type(one))
            elif type(one) in (Size, Scaled):
                common = promote_scalar(common, int if type(one) is Size else float)
        if kind_of(out.dtype) == "f" and kind_of(common) != "f":
            common = out.dtype
        to = self.dtype(common, step.name)
        operands = [self._operand(one, common, to) for one in step.args]
        composed = COMPOSED.get(step.name)
        if composed is not None:
            return composed(self, step, out, *operands)
        return getattr(self.ndx, step.name)(*operands)

    def _operand(self, one: Any, common: Any, to: Any) -> Any:
        if type(one) in SCALARS:
            return self.ndx.asarray(np.asarray(one, dtype=common))
        return self.ndx.astype(self.value(one), to)


# -- compositions -------------------------------------------------------------------------------

COMPOSED: dict[str, Emit] = {}


def composed(*names: str) -> Callable[[Emit], Emit]:
    """Declare how a step is written, as a decorator: a function of the writer, the step, its spec and arguments."""

    def declare(function: Emit) -> Emit:
        COMPOSED.update(dict.fromkeys(names, function))
        return function

    return declare


def _whole(key: Any) -> Any:
    """Return a key that reaches all axes, as ndonnx asks."""
    keys = key if type(key) is tuple else (key,)
    return keys if any(one is ... for one in keys) else (*keys, ...)


@composed("getitem")
def _getitem(w: _Writer, step: Step, out: Spec, x: Any, key: Any) -> Any:
    keys = step.args[1] if type(step.args[1]) is tuple else (step.args[1],)
    places = [i for i, one in enumerate(keys) if type(one) is Ref]
    if any(type(one) is bool for one in keys):
        raise w.refused(step, "a key is a bool")
    if not places:
        return x[_whole(key)]
    if len(places) > 1 or any(one != slice(None) and type(one) is not Ref for one in keys):
        raise w.refused(step, "a key has several arrays, or an array beside other keys")
    return w.ndx.take(x, w.values[keys[places[0]].number], axis=places[0])


@composed("expand_dims")
def _expand_dims(w: _Writer, step: Step, out: Spec, x: Any, axis: Any) -> Any:
    axes = axis if type(axis) is tuple else (axis,)
    for one in sorted(one % len(out.shape) for one in axes):
        x = w.ndx.expand_dims(x, axis=one)
    return x


@composed("fft.fftshift", "fft.ifftshift")
def _shifted(w: _Writer, step: Step, out: Spec, x: Any, *, axes: Any) -> Any:
    over = range(len(out.shape)) if axes is None else axes if isinstance(axes, tuple | list) else (axes,)
    for one in over:
        length = out.shape[one]
        if type(length) is not int:
            raise w.refused(step, "the length of the axis is not fixed")
        by = length // 2 if step.name == "fft.fftshift" else -(length // 2)
        x = _rolled(w, x, by, one % len(out.shape), length)
    return x


@composed("cumulative_prod")
def _cumulative_prod(
    w: _Writer, step: Step, out: Spec, x: Any, *, axis: Any, dtype: Any, include_initial: bool
) -> Any:
    at = (0 if axis is None else axis) % len(out.shape)
    length = w.graph.specs[step.args[0].number].shape[at]
    if type(length) is not int or not 0 < length <= _UNROLLED:
        raise w.refused(step, f"ndonnx computes it wrongly, and the axis is longer than {_UNROLLED}")
    x = w.ndx.astype(x, w.dtype(out.dtype, step.name))
    before = (slice(None),) * at
    parts = [x[_whole((*before, slice(i, i + 1)))] for i in range(length)]
    for i in range(1, length):
        parts[i] = parts[i - 1] * parts[i]
    if include_initial:
        parts.insert(0, w.ndx.ones_like(parts[0]))
    return w.ndx.concat(parts, axis=at)


@composed("mean", "var", "std")
def _moment(
    w: _Writer, step: Step, out: Spec, x: Any, *, axis: Any, keepdims: bool, correction: Any = 0
) -> Any:
    xp, to = w.ndx, w.dtype(out.dtype, step.name)
    shape = w.graph.specs[step.args[0].number].shape
    axes = tuple(range(len(shape))) if axis is None else axis if isinstance(axis, tuple | list) else (axis,)

    def total(y: Any, keep: bool) -> Any:
        return xp.sum(y, axis=tuple(axes), keepdims=keep) if axes else y

    counted = [w.value(shape[one]) for one in axes]
    size = xp.astype(reduce(lambda a, b: a * b, counted, xp.asarray(1, dtype=xp.int64)), to)
    x = xp.astype(x, to)
    if step.name == "mean":
        return total(x, keepdims) / size
    apart = x - total(x, True) / size
    spread = total(apart * apart, keepdims) / (size - xp.asarray(np.asarray(correction).astype(out.dtype)))
    return xp.sqrt(spread) if step.name == "std" else spread


@composed("logical_and", "logical_or", "logical_xor", "logical_not")
def _logical(w: _Writer, step: Step, out: Spec, *operands: Any) -> Any:
    return getattr(w.ndx, step.name)(*(_bools(w, one) for one in operands))


@composed("sign")
def _sign(w: _Writer, step: Step, out: Spec, x: Any) -> Any:
    found = w.ndx.sign(x)
    return w.ndx.where(w.ndx.isnan(x), x, found) if kind_of(out.dtype) == "f" else found


@composed("pow")
def _pow(w: _Writer, step: Step, out: Spec, a: Any, b: Any) -> Any:
    exponent = step.args[1]
    if type(exponent) is int and 1 <= exponent <= _UNROLLED and type(step.args[0]) is Ref:
        return reduce(lambda x, y: x * y, [a] * exponent)
    if kind_of(out.dtype) != "f":
        raise w.refused(step, "runtimes compute powers of integers in floating point")
    return w.ndx.pow(a, b)


@composed("floor_divide")
def _floor_divide(w: _Writer, step: Step, out: Spec, a: Any, b: Any) -> Any:
    xp = w.ndx
    if kind_of(out.dtype) != "f":
        return xp.floor_divide(a, b)
    plain = xp.floor(a / b)
    exact = xp.round((a - xp.remainder(a, b)) / b)
    return xp.where(xp.logical_and(xp.isfinite(plain), xp.isfinite(exact)), exact, plain)


@composed("bitwise_right_shift")
def _right_shift(w: _Writer, step: Step, out: Spec, a: Any, b: Any) -> Any:
    xp = w.ndx
    if out.dtype.kind != "i":
        return xp.bitwise_right_shift(a, b)
    most = xp.asarray(np.asarray(8 * out.dtype.itemsize - 2, out.dtype))
    one, zero = xp.ones_like(b), xp.zeros_like(a)
    divided = xp.floor_divide(a, xp.bitwise_left_shift(one, xp.where(b > most, most, b)))
    return xp.where(b > most, xp.where(a < zero, zero - 1, zero), divided)


@composed("logaddexp")
def _logaddexp(w: _Writer, step: Step, out: Spec, a: Any, b: Any) -> Any:
    xp = w.ndx
    apart = xp.where(a == b, xp.zeros_like(a + b), xp.abs(a - b))
    return xp.maximum(a, b) + _log1p_of(xp, xp.exp(-apart))


# ONNX Runtime has no double precision for these functions, and ndonnx computes them in single precision. The
# logarithm of 1 + x and its inverse are Kahan's: W. Kahan, "Branch cuts for complex elementary functions", 1987.


def _log1p_of(xp: Any, x: Any) -> Any:
    one = xp.ones_like(x)
    u = one + x
    plain = xp.log(u)
    return xp.where(
        xp.logical_or(u == one, xp.isinf(u)), xp.where(xp.isinf(u), plain, x), plain * x / (u - one)
    )


def _expm1_of(xp: Any, x: Any) -> Any:
    one = xp.ones_like(x)
    u = xp.exp(x)
    small = xp.where(u == one, x, (u - one) * x / xp.log(u))
    return xp.where(xp.abs(x) < one, small, u - one)


def _cos_of(xp: Any, x: Any) -> Any:
    half = xp.sin(x * 0.5)
    return 1.0 - 2.0 * half * half


def _sinh_of(xp: Any, x: Any) -> Any:
    size = xp.abs(x)
    e = _expm1_of(xp, xp.where(size < 20.0, size, xp.zeros_like(x) + 20.0))
    half = xp.exp(size * 0.5)
    found = xp.where(size < 20.0, 0.5 * (e + e / (e + 1.0)), 0.5 * half * half)
    return xp.where(x < 0.0, -found, found)


def _cosh_of(xp: Any, x: Any) -> Any:
    half = xp.exp(xp.abs(x) * 0.5)
    return 0.5 * half * half + 0.5 / half / half


def _atan_of(xp: Any, x: Any) -> Any:
    """Return the arc tangent: that of single precision, and what the addition theorem says is missing."""
    bounded = xp.where(xp.abs(x) > 1e20, xp.zeros_like(x) + 1e20, xp.abs(x))
    y = xp.atan(bounded)
    sine, cosine = xp.sin(y), _cos_of(xp, y)
    found = y + (bounded * cosine - sine) / (cosine + bounded * sine)
    found = xp.where(xp.isnan(x), x, found)
    return xp.where(x < 0.0, -found, found)


def _asin_of(xp: Any, x: Any) -> Any:
    return _atan_of(xp, x / xp.sqrt((1.0 - x) * (1.0 + x)))


def _acos_of(xp: Any, x: Any) -> Any:
    """Return ``2 atan(sqrt((1 - x) / (1 + x)))``, which keeps its digits near 1."""
    return 2.0 * _atan_of(xp, xp.sqrt((1.0 - x) / (1.0 + x)))


def _asinh_of(xp: Any, x: Any) -> Any:
    size = xp.abs(x)
    bounded = xp.where(size > 1e8, xp.zeros_like(x) + 1e8, size)
    small = _log1p_of(xp, bounded + bounded * bounded / (1.0 + xp.sqrt(1.0 + bounded * bounded)))
    found = xp.where(size > 1e8, xp.log(size) + 0.6931471805599453, small)
    found = xp.where(xp.isnan(x), x, found)
    return xp.where(x < 0.0, -found, found)


def _acosh_of(xp: Any, x: Any) -> Any:
    t = xp.where(x > 1e8, xp.zeros_like(x) + 1e8, x) - 1.0
    found = xp.where(x > 1e8, xp.log(x) + 0.6931471805599453, _log1p_of(xp, t + xp.sqrt(t * (t + 2.0))))
    return xp.where(xp.isnan(x), x, found)


def _atanh_of(xp: Any, x: Any) -> Any:
    size = xp.abs(x)
    found = 0.5 * _log1p_of(xp, 2.0 * size / (1.0 - size))
    return xp.where(x < 0.0, -found, found)


_DOUBLE: dict[str, Emit] = {
    "acos": _acos_of,
    "acosh": _acosh_of,
    "asin": _asin_of,
    "asinh": _asinh_of,
    "atan": _atan_of,
    "atanh": _atanh_of,
    "cos": _cos_of,
    "cosh": _cosh_of,
    "expm1": _expm1_of,
    "log1p": _log1p_of,
    "sinh": _sinh_of,
    "tan": lambda xp, x: xp.sin(x) / _cos_of(xp, x),
}


@composed(*_DOUBLE)
def _in_double(w: _Writer, step: Step, out: Spec, x: Any) -> Any:
    x = w.ndx.astype(x, w.dtype(out.dtype, step.name))
    if out.dtype.name != "float64" and step.name not in ("expm1", "log1p"):
        return getattr(w.ndx, step.name)(x)
    return _DOUBLE[step.name](w.ndx, x)


@composed("signbit")
def _signbit(w: _Writer, step: Step, out: Spec, x: Any) -> Any:
    if kind_of(w.graph.specs[step.args[0].number].dtype) != "f":
        return x < 0
    return _is_negative(w, x)


def _is_negative(w: _Writer, x: Any) -> Any:
    """Return whether numbers have a sign, which zeros have as well; that of a NaN cannot be told."""
    zero = w.ndx.zeros_like(x)
    return w.ndx.logical_or(x < zero, w.ndx.logical_and(x == zero, w.ndx.reciprocal(x) < zero))


@composed("copysign")
def _copysign(w: _Writer, step: Step, out: Spec, a: Any, b: Any) -> Any:
    size = w.ndx.abs(a)
    return w.ndx.where(_is_negative(w, b), -size, size)


@composed("hypot")
def _hypot(w: _Writer, step: Step, out: Spec, a: Any, b: Any) -> Any:
    xp = w.ndx
    a, b = xp.abs(a), xp.abs(b)
    large = _extreme(w, a, b, greater=True)
    zero = xp.zeros_like(large)
    scale = xp.where(large == zero, zero + 1, large)
    found = scale * xp.sqrt((a / scale) * (a / scale) + (b / scale) * (b / scale))
    found = xp.where(large == zero, large, found)
    endless = xp.logical_or(xp.isinf(a), xp.isinf(b))
    return xp.where(endless, zero * 0 + xp.asarray(np.asarray(np.inf, out.dtype)), found)


@composed("atan2")
def _atan2(w: _Writer, step: Step, out: Spec, y: Any, x: Any) -> Any:
    xp = w.ndx

    def number(value: float) -> Any:
        return xp.asarray(np.asarray(value, out.dtype))

    below, left = _is_negative(w, y), _is_negative(w, x)
    endless = xp.logical_and(xp.isinf(x), xp.isinf(y))
    ratio = xp.where(endless, number(1.0), xp.abs(y) / xp.abs(x))
    both_zero = xp.logical_and(x == number(0.0), y == number(0.0))
    atan = xp.atan if out.dtype.name != "float64" else partial(_atan_of, xp)
    angle = xp.where(both_zero, number(0.0), atan(ratio))
    angle = xp.where(left, number(np.pi) - angle, angle)
    angle = xp.where(below, -angle, angle)
    return xp.where(xp.logical_or(xp.isnan(x), xp.isnan(y)), x + y, angle)


@composed("setitem")
def _setitem(w: _Writer, step: Step, out: Spec, x: Any, key: Any, value: Any) -> Any:
    keys = step.args[1] if type(step.args[1]) is tuple else (step.args[1],)
    arrays = [w.graph.specs[one.number] for one in keys if type(one) is Ref]
    if arrays and not (len(keys) == 1 and arrays[0].dtype.kind == "b" and arrays[0].shape == out.shape):
        raise w.refused(step, "a key holds an array that is no mask of the whole array")
    made = w.ndx.asarray(x, copy=True)
    to = w.dtype(out.dtype, "setitem")
    if type(value) in SCALARS:
        value = w.ndx.asarray(np.asarray(value).astype(out.dtype))
    if arrays:
        if len(getattr(value, "shape", ())) > 0:
            raise w.refused(step, "a mask selects as many elements as there are values")
        return w.ndx.where(key if type(key) is not tuple else key[0], w.ndx.astype(value, to), made)
    made[_whole(key)] = w.ndx.astype(value, to)
    return made


@composed("astype")
def _astype(w: _Writer, step: Step, out: Spec, x: Any, dtype: Any, *, copy: bool) -> Any:
    source = w.graph.specs[step.args[0].number].dtype
    if kind_of(source) == "f" and kind_of(out.dtype) in "iu":
        x = w.ndx.trunc(x)
    return w.ndx.astype(x, dtype)


@composed("copy")
def _copy(w: _Writer, step: Step, out: Spec, x: Any) -> Any:
    return w.ndx.asarray(x, copy=True)


@composed("reshape")
def _reshape(w: _Writer, step: Step, out: Spec, x: Any, shape: Any, **_: Any) -> Any:
    return w.ndx.reshape(x, w.shape(shape))


@composed("broadcast_to")
def _broadcast_to(w: _Writer, step: Step, out: Spec, x: Any, shape: Any) -> Any:
    return w.ndx.broadcast_to(x, w.shape(shape))


@composed("zeros", "ones", "full", "empty")
def _filled(w: _Writer, step: Step, out: Spec, shape: Any, fill: Any = None, *, dtype: Any) -> Any:
    number = fill if step.name == "full" else int(step.name == "ones")
    one = w.ndx.asarray(np.asarray(number).astype(out.dtype))
    return w.ndx.broadcast_to(one, w.shape(shape))


@composed("arange")
def _arange(w: _Writer, step: Step, out: Spec, start: Any, stop: Any, step_: Any, *, dtype: Any) -> Any:
    if all(type(one) in (int, float) for one in (start, stop, step_)):
        return w.ndx.asarray(np.arange(start, stop, step_, dtype=out.dtype))
    return w.ndx.astype(w.ndx.arange(start, stop, step_), dtype)


@composed("linspace", "eye", "fft.fftfreq", "fft.rfftfreq")
def _fixed(w: _Writer, step: Step, out: Spec, *args: Any, dtype: Any, **settings: Any) -> Any:
    from .._core.device import device

    function = device("numpy").function(step.name)
    values = function(*step.args, **{**step.settings, "dtype": out.dtype}, device=None)
    return w.ndx.asarray(np.asarray(values).astype(out.dtype))


@composed("square")
def _square(w: _Writer, step: Step, out: Spec, x: Any) -> Any:
    return x * x


@composed("positive", "real", "conj")
def _same(w: _Writer, step: Step, out: Spec, x: Any) -> Any:
    return w.ndx.asarray(x, copy=True)


@composed("imag")
def _imag(w: _Writer, step: Step, out: Spec, x: Any) -> Any:
    return w.ndx.zeros_like(x)


@composed("concat")
def _concat(w: _Writer, step: Step, out: Spec, arrays: Any, *, axis: Any = 0) -> Any:
    to = w.dtype(out.dtype, "concat")
    parts = [w.ndx.astype(one, to) for one in arrays]
    if axis is None:
        parts = [w.ndx.reshape(one, (-1,)) for one in parts]
    return w.ndx.concat(parts, axis=0 if axis is None else axis)


@composed("stack")
def _stack(w: _Writer, step: Step, out: Spec, arrays: Any, *, axis: int = 0) -> Any:
    to = w.dtype(out.dtype, "stack")
    return w.ndx.stack([w.ndx.astype(one, to) for one in arrays], axis=axis)


@composed("where")
def _where(w: _Writer, step: Step, out: Spec, condition: Any, a: Any, b: Any) -> Any:
    to = w.dtype(out.dtype, "where")
    return w.ndx.where(_bools(w, condition), _typed(w, a, out, to), _typed(w, b, out, to))


@composed("clip")
def _clip(w: _Writer, step: Step, out: Spec, x: Any, low: Any = None, high: Any = None) -> Any:
    to = w.dtype(out.dtype, "clip")
    x = w.ndx.astype(x, to)
    if low is not None:
        x = _extreme(w, x, _typed(w, low, out, to), greater=True)
    return x if high is None else _extreme(w, x, _typed(w, high, out, to), greater=False)


def _extreme(w: _Writer, a: Any, b: Any, *, greater: bool) -> Any:
    """Return the larger or the smaller elements; where one is NaN, NaN."""
    first = w.ndx.greater_equal(a, b) if greater else w.ndx.less_equal(a, b)
    if w.ndx.isdtype(a.dtype, "real floating"):
        first = w.ndx.logical_or(first, w.ndx.isnan(a))
    return w.ndx.where(first, a, b)


def _typed(w: _Writer, x: Any, out: Spec, to: Any) -> Any:
    return w.ndx.asarray(np.asarray(x).astype(out.dtype)) if type(x) in SCALARS else w.ndx.astype(x, to)


def _bools(w: _Writer, x: Any) -> Any:
    return x if x.dtype == w.ndx.bool else x != 0


@composed("tile")
def _tile(w: _Writer, step: Step, out: Spec, x: Any, repetitions: Any) -> Any:
    ndim = len(w.graph.specs[step.args[0].number].shape)
    repetitions = (1,) * (ndim - len(repetitions)) + tuple(repetitions)
    for _ in range(len(repetitions) - ndim):
        x = w.ndx.expand_dims(x, axis=0)
    for axis, n in enumerate(repetitions):
        if n == 0:
            raise w.refused(step, "an axis is repeated no times")
        if n != 1:
            x = w.ndx.concat([x] * n, axis=axis)
    return x


@composed("roll")
def _roll(w: _Writer, step: Step, out: Spec, x: Any, shift: Any, *, axis: Any) -> Any:
    shape = w.graph.specs[step.args[0].number].shape
    if any(type(n) is not int for n in shape):
        raise w.refused(step, "the length of the axis is not fixed")
    if axis is None:
        total = int(np.prod(shape))
        return w.ndx.reshape(_rolled(w, w.ndx.reshape(x, (total,)), shift, 0, total), shape)
    axes = axis if isinstance(axis, tuple) else (axis,)
    shifts = shift if isinstance(shift, tuple) else (shift,) * len(axes)
    for by, one in zip(shifts, axes, strict=True):
        x = _rolled(w, x, by, one % len(shape), shape[one])
    return x


def _rolled(w: _Writer, x: Any, shift: int, axis: int, length: int) -> Any:
    by = shift % length if length else 0
    if not by:
        return x
    before = (slice(None),) * axis
    parts = [x[_whole((*before, slice(*ends)))] for ends in ((length - by, length), (0, length - by))]
    return w.ndx.concat(parts, axis=axis)


@composed("broadcast_arrays", "meshgrid")
def _several(w: _Writer, step: Step, out: Spec, *arrays: Any, **settings: Any) -> Any:
    return tuple(getattr(w.ndx, step.name)(*arrays, **settings))


@composed("unstack")
def _unstack(w: _Writer, step: Step, out: Spec, x: Any, *, axis: int) -> Any:
    ndim = len(w.graph.specs[step.args[0].number].shape)
    before = (slice(None),) * (axis % ndim)
    return tuple(x[_whole((*before, i))] for i in range(len(step.outs)))


@composed("linalg.diagonal")
def _diagonal(w: _Writer, step: Step, out: Spec, x: Any, *, offset: int) -> Any:
    rows, columns = w.graph.specs[step.args[0].number].shape[-2:]
    if type(rows) is not int or type(columns) is not int:
        raise w.refused(step, "the length of an axis is not fixed")
    length = out.shape[-1]
    if not length:
        raise w.refused(step, "it has no elements")
    first = [i + max(-offset, 0) for i in range(length)]
    parts = [x[(..., i, i + offset)] for i in first]
    return w.ndx.stack(parts, axis=-1)


@composed("linalg.trace")
def _trace(w: _Writer, step: Step, out: Spec, x: Any, *, offset: int, dtype: Any) -> Any:
    rows, columns = w.graph.specs[step.args[0].number].shape[-2:]
    if type(rows) is not int or type(columns) is not int:
        raise w.refused(step, "the length of an axis is not fixed")
    places = [(i, i + offset) for i in range(rows) if 0 <= i + offset < columns]
    if not places:
        raise w.refused(step, "the diagonal has no elements")
    to = w.dtype(out.dtype, "linalg.trace")
    return reduce(lambda a, b: a + b, [w.ndx.astype(x[(..., i, j)], to) for i, j in places])


@composed("linalg.det")
def _det(w: _Writer, step: Step, out: Spec, x: Any) -> Any:
    n = w.graph.specs[step.args[0].number].shape[-1]
    if type(n) is not int or not 0 < n <= 3:
        raise w.refused(step, "only determinants of at most three rows are written out")
    x = w.ndx.astype(x, w.dtype(out.dtype, "linalg.det"))

    def at(i: int, j: int) -> Any:
        return x[(..., i, j)]

    if n == 1:
        return at(0, 0)
    if n == 2:
        return at(0, 0) * at(1, 1) - at(0, 1) * at(1, 0)
    terms = [
        at(0, i) * (at(1, j) * at(2, k) - at(1, k) * at(2, j))
        for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1))
    ]
    return terms[0] + terms[1] + terms[2]


@composed("searchsorted")
def _searchsorted(w: _Writer, step: Step, out: Spec, x1: Any, x2: Any, *, side: str, sorter: Any) -> Any:
    """Count the elements that come before; a NaN comes after all numbers."""
    xp = w.ndx
    dtypes = [w.graph.specs[one.number].dtype for one in step.args if type(one) is Ref]
    if len(dtypes) < 2:
        raise w.refused(step, "an operand is a number")
    to = w.dtype(reduce(promote, dtypes), "searchsorted")
    known = xp.astype(x1 if sorter is None else xp.take(x1, sorter, axis=0), to)
    sought = xp.expand_dims(xp.astype(x2, to), axis=-1)
    before = known < sought if side == "left" else known <= sought
    if kind_of(reduce(promote, dtypes)) == "f":
        beyond = xp.isnan(sought)
        if side == "left":
            beyond = xp.logical_and(beyond, xp.logical_not(xp.isnan(known)))
        before = xp.logical_or(before, beyond)
    return xp.sum(xp.astype(before, xp.int64), axis=-1)


@composed("linalg.outer")
def _outer(w: _Writer, step: Step, out: Spec, a: Any, b: Any) -> Any:
    to = w.dtype(out.dtype, "linalg.outer")
    columns = w.ndx.expand_dims(w.ndx.astype(a, to), axis=1)
    return columns * w.ndx.expand_dims(w.ndx.astype(b, to), axis=0)


@composed("matmul")
def _matmul(w: _Writer, step: Step, out: Spec, a: Any, b: Any) -> Any:
    to = w.dtype(out.dtype, "matmul")
    return w.ndx.matmul(w.ndx.astype(a, to), w.ndx.astype(b, to))


@composed("vecdot")
def _vecdot(w: _Writer, step: Step, out: Spec, a: Any, b: Any, *, axis: int) -> Any:
    to = w.dtype(out.dtype, "vecdot")
    ndims = [len(w.graph.specs[one.number].shape) for one in step.args]
    if axis >= 0 and ndims[0] != ndims[1]:
        raise w.refused(step, "the axis counts from the front, and the arrays have different numbers of axes")
    axis = axis - ndims[0] if axis >= 0 else axis
    return w.ndx.sum(w.ndx.astype(a, to) * w.ndx.astype(b, to), axis=axis)


@composed("tensordot")
def _tensordot(w: _Writer, step: Step, out: Spec, a: Any, b: Any, *, axes: Any) -> Any:
    to = w.dtype(out.dtype, "tensordot")
    return w.ndx.tensordot(w.ndx.astype(a, to), w.ndx.astype(b, to), axes=axes)


@composed("linalg.cross")
def _cross(w: _Writer, step: Step, out: Spec, a: Any, b: Any, *, axis: int) -> Any:
    to = w.dtype(out.dtype, "linalg.cross")
    if axis != -1:
        raise w.refused(step, "only the last axis is written")
    x, y = ([w.ndx.astype(v, to)[..., i] for i in range(3)] for v in (a, b))
    pairs = [(1, 2), (2, 0), (0, 1)]
    return w.ndx.stack([x[i] * y[j] - x[j] * y[i] for i, j in pairs], axis=-1)


@composed("linalg.vector_norm")
def _vector_norm(w: _Writer, step: Step, out: Spec, x: Any, *, axis: Any, keepdims: bool, ord: Any) -> Any:
    xp = w.ndx
    size = xp.abs(xp.astype(x, w.dtype(out.dtype, "linalg.vector_norm")))
    settings = {"axis": axis, "keepdims": keepdims}
    if ord == float("inf"):
        return xp.max(size, **settings)
    if ord == -float("inf"):
        return xp.min(size, **settings)
    if ord == 0:
        return xp.sum(xp.astype(size != 0, size.dtype), **settings)
    if ord == 1:
        return xp.sum(size, **settings)
    return (
        xp.sqrt(xp.sum(size * size, **settings)) if ord == 2 else xp.sum(size**ord, **settings) ** (1 / ord)
    )


@composed("linalg.matrix_norm")
def _matrix_norm(w: _Writer, step: Step, out: Spec, x: Any, *, keepdims: bool, ord: Any) -> Any:
    xp = w.ndx
    size = xp.abs(xp.astype(x, w.dtype(out.dtype, "linalg.matrix_norm")))
    if ord == "fro":
        return xp.sqrt(xp.sum(size * size, axis=(-2, -1), keepdims=keepdims))
    if ord not in (1, -1, float("inf"), -float("inf")):
        raise w.refused(step, f"ONNX has no singular values, which ord={ord!r} needs")
    within, over = (-2, -1) if abs(ord) == 1 else (-1, -2)
    sums = xp.sum(size, axis=within, keepdims=True)
    found = (xp.max if ord > 0 else xp.min)(sums, axis=over, keepdims=True)
    return found if keepdims else xp.squeeze(found, axis=(-2, -1))


@composed("linalg.matrix_power")
def _matrix_power(w: _Writer, step: Step, out: Spec, x: Any, n: int) -> Any:
    if n < 1:
        raise w.refused(step, "ONNX has no inverse of a matrix")
    x = w.ndx.astype(x, w.dtype(out.dtype, "linalg.matrix_power"))
    return reduce(w.ndx.matmul, [x] * n)


@composed("isin")
def _isin(w: _Writer, step: Step, out: Spec, a: Any, b: Any, *, invert: bool) -> Any:
    dtypes = [w.graph.specs[one.number].dtype for one in step.args if type(one) is Ref]
    if len(dtypes) < 2:
        raise w.refused(step, "an operand is a number")
    to = w.dtype(reduce(promote, dtypes), "isin")
    same = w.ndx.expand_dims(w.ndx.astype(a, to), axis=-1) == w.ndx.reshape(w.ndx.astype(b, to), (-1,))
    found = w.ndx.any(same, axis=-1)
    return w.ndx.logical_not(found) if invert else found


@composed("count_nonzero")
def _count_nonzero(w: _Writer, step: Step, out: Spec, x: Any, *, axis: Any, keepdims: bool) -> Any:
    return w.ndx.sum(w.ndx.astype(_bools(w, x), w.ndx.int64), axis=axis, keepdims=keepdims)


@composed("sum", "prod")
def _sum(w: _Writer, step: Step, out: Spec, x: Any, *, axis: Any, dtype: Any, keepdims: bool) -> Any:
    if axis == ():
        return w.ndx.astype(x, w.dtype(out.dtype, step.name))
    x = w.ndx.astype(x, w.dtype(out.dtype, step.name))
    return getattr(w.ndx, step.name)(x, axis=axis, keepdims=keepdims)


@composed("diff")
def _diff(w: _Writer, step: Step, out: Spec, x: Any, *, axis: int, n: int, prepend: Any, append: Any) -> Any:
    to = w.dtype(out.dtype, "diff")
    parts = [w.ndx.astype(one, to) for one in (prepend, x, append) if one is not None]
    x = w.ndx.concat(parts, axis=axis) if len(parts) > 1 else parts[0]
    ndim = len(w.graph.specs[step.args[0].number].shape)
    before = (slice(None),) * (axis % ndim)
    for _ in range(n):
        later, earlier = (x[_whole((*before, slice(*ends)))] for ends in ((1, None), (None, -1)))
        x = later != earlier if out.dtype.kind == "b" else later - earlier
    return x
