"""The device of a result, for committed, uncommitted and 0-d operands of every function, operator and assignment."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import burn_array as xp
from burn_array.errors import ArgumentTypeError, DeviceMismatchError

FUNCTIONS = json.loads((Path(__file__).parents[1] / "array_api_2025_12.json").read_text())["functions"]

# Expressions of one array x, and of two arrays x and y. The letters say what they hold (see VALUES): f floats,
# i integers, b bools, c complex numbers, m a symmetric matrix.
UNARY = {
    "f": (
        "abs acos acosh asin asinh atan atanh ceil conj cos cosh exp expm1 floor isfinite isinf isnan log log10 "
        "log1p log2 negative positive real reciprocal round sign signbit sin sinh sqrt square tan tanh trunc "
        "cumulative_prod cumulative_sum max mean min prod std sum var all any argmax argmin count_nonzero nonzero "
        "argsort sort unique_all unique_counts unique_inverse unique_values empty_like ones_like zeros_like diff "
        "flip unstack linalg.vector_norm fft.fft fft.fftn fft.ihfft fft.rfft fft.rfftn fft.fftshift fft.ifftshift"
    ),
    "i": "bitwise_invert",
    "b": "logical_not",
    "c": "imag fft.ifft fft.ifftn fft.irfft fft.irfftn fft.hfft",
    "m": (
        "matrix_transpose tril triu linalg.cholesky linalg.det linalg.diagonal linalg.eig linalg.eigh linalg.eigvals "
        "linalg.eigvalsh linalg.inv linalg.matrix_norm linalg.matrix_rank linalg.pinv linalg.qr linalg.slogdet "
        "linalg.svd linalg.svdvals linalg.trace"
    ),
}
ONE: dict[str, tuple[str, str]] = {
    name: (f"xp.{name}(x)", kind) for kind, names in UNARY.items() for name in names.split()
} | {
    "astype": ("xp.astype(x, xp.float32)", "f"),
    "asarray": ("xp.asarray(x)", "f"),
    "asarray of a copy": ("xp.asarray(x, copy=True)", "f"),
    "asarray of a list": ("xp.asarray([x, x])", "f"),
    "from_dlpack": ("xp.from_dlpack(x)", "f"),
    "full_like": ("xp.full_like(x, 2)", "f"),
    "broadcast_to": ("xp.broadcast_to(x, (2, 3))", "f"),
    "expand_dims": ("xp.expand_dims(x, 0)", "f"),
    "moveaxis": ("xp.moveaxis(x, 0, 1)", "m"),
    "permute_dims": ("xp.permute_dims(x, (1, 0))", "m"),
    "repeat": ("xp.repeat(x, 2)", "f"),
    "reshape": ("xp.reshape(x, (3, 1))", "f"),
    "roll": ("xp.roll(x, 1)", "f"),
    "squeeze": ("xp.squeeze(x[None], 0)", "f"),
    "tile": ("xp.tile(x, (2,))", "f"),
    "linalg.matrix_power": ("xp.linalg.matrix_power(x, 2)", "m"),
    "scalar add": ("xp.add(1.5, x)", "f"),
    "scalar where": ("xp.where(x, 1.0, 2.0)", "b"),
    "scalar clip": ("xp.clip(x, 0.5, 1)", "f"),
    "scalar searchsorted": ("xp.searchsorted(x, 0.5)", "f"),
    "scalar isin": ("xp.isin(x, 0.5)", "f"),
    "operators": (
        "[x + 1, 1 - x, x * 2.0, 2.0 / x, x // 1, 3 % x, x**2, -x, +x, abs(x), x == 1, x < 2]",
        "f",
    ),
    "index": ("[x[0], x[:1], x[::-1], x[None], x[...], x[x > 0], x[[0, 1]], x[True]]", "f"),
    "attributes": ("[x.T, x.mT, x.real, x.imag]", "m"),
    "methods": ("[x.sum(), x.mean(0), x.reshape(-1), x.copy(), x.ravel(), x.transpose(), x.dot(x)]", "m"),
    "iteration": ("[*x]", "m"),
    "copies": ("[copy.copy(x), copy.deepcopy(x), pickle.loads(pickle.dumps(x))]", "f"),
}
BINARY = {
    "ff": (
        "add atan2 copysign divide equal floor_divide greater greater_equal hypot less less_equal logaddexp maximum "
        "minimum multiply nextafter not_equal pow remainder subtract isin searchsorted"
    ),
    "ii": "bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor",
    "bb": "logical_and logical_or logical_xor",
}
# The third entry says whether both operands may be 0-d.
TWO: dict[str, tuple[str, str, bool]] = {
    name: (f"xp.{name}(x, y)", kinds, name != "searchsorted")
    for kinds, names in BINARY.items()
    for name in names.split()
} | {
    "clip min": ("xp.clip(x, y)", "ff", True),
    "clip max": ("xp.clip(x, None, y)", "ff", True),
    "where": ("xp.where(x, y, y)", "bf", True),
    "where 2": ("xp.where(xp.asarray(True), x, y)", "ff", True),
    "matmul": ("xp.matmul(x, y)", "mm", False),
    "tensordot": ("xp.tensordot(x, y, axes=1)", "mm", False),
    "vecdot": ("xp.vecdot(x, y)", "ff", False),
    "linalg.cross": ("xp.linalg.cross(x, y)", "ff", False),
    "linalg.outer": ("xp.linalg.outer(x, y)", "ff", False),
    "linalg.solve": ("xp.linalg.solve(x, y)", "mm", False),
    "linalg.matrix_rank": ("xp.linalg.matrix_rank(x[None], rtol=y[:1] * 0)", "mf", False),
    "linalg.pinv": ("xp.linalg.pinv(x[None], rtol=y[:1] * 0)", "mf", False),
    "broadcast_arrays": ("xp.broadcast_arrays(x, y)", "ff", True),
    "meshgrid": ("xp.meshgrid(x, y)", "ff", True),
    "concat": ("xp.concat([x, y])", "ff", False),
    "stack": ("xp.stack([x, y])", "ff", False),
    "asarray of a list": ("xp.asarray([x, y])", "ff", False),
    "diff prepend": ("xp.diff(x, prepend=y)", "ff", False),
    "diff append": ("xp.diff(x, append=y)", "ff", False),
    "repeat": ("xp.repeat(x, y)", "fi", False),
    "searchsorted sorter": ("xp.searchsorted(x, x, sorter=y)", "fi", False),
    "take": ("xp.take(x, y)", "fi", False),
    "take_along_axis": ("xp.take_along_axis(x, y)", "fi", False),
    "getitem": ("x[y]", "fi", False),
    "getitem mask": ("x[y]", "fb", False),
    "getitem tuple": ("x[:, y]", "mi", False),
    "x[y:]": ("x[None, y]", "fi", False),
    **{f"x {op} y": (f"x {op} y", "ff", True) for op in "+ - * / // % ** == != < <= > >=".split()},
    **{f"x {op} y": (f"x {op} y", "ii", True) for op in "& | ^ << >>".split()},
    "x @ y": ("x @ y", "mm", False),
}
VALUES: dict[str, Any] = {
    "f": np.array([0.5, 1.0, 1.5]),
    "i": np.array([1, 2, 0]),
    "b": np.array([True, False, True]),
    "c": np.array([1j, 2.0, 3.0]),
    "m": np.array([[2.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 4.0]]),
}
INPLACE = {
    "ff": "+= -= *= /= //= %= **=".split(),
    "ii": "&= |= ^= <<= >>=".split(),
    "mm": ["@="],
}
PAIRS = [("numpy", "torch:cpu"), ("torch:cpu", "numpy")]


@pytest.fixture(params=PAIRS, ids=" ".join)
def devices(request: pytest.FixtureRequest) -> Iterator[tuple[xp.Device, xp.Device]]:
    """Two devices; the first is the default device during the test."""
    default, other = map(xp.device, request.param)
    with xp.default_device(default):
        yield default, other


def make(kind: str, device: xp.Device | None, *, scalar: bool = False) -> Any:
    """Return the array of a kind, committed to ``device`` unless that is None; 0-d for ``scalar``."""
    values = VALUES[kind].copy()
    return xp.asarray(values.reshape(-1)[:1].reshape(()) if scalar else values, device=device)


def evaluate(expression: str, **names: Any) -> list[Any]:
    """Return the results of an expression as a list of arrays."""
    import copy
    import pickle

    with np.errstate(invalid="ignore", divide="ignore"):
        result = eval(expression, {"xp": xp, "copy": copy, "pickle": pickle}, names)
    return list(result) if isinstance(result, tuple | list) else [result]


def records(arrays: list[Any]) -> set[Any]:
    """Return the device records of arrays; each must fit the library of its native array."""
    assert arrays
    for x in arrays:
        assert type(x) is xp.Array
        assert type(x._native) is x._device.array_type
    return {x._device for x in arrays}


def placement(x: Any) -> tuple[str, bool]:
    """Return the name of the device, and whether the array is committed to it."""
    return str(x._device), x._device is x.device


def test_the_tables_cover_every_function_that_takes_arrays() -> None:
    without = (
        "arange empty eye full linspace ones zeros can_cast finfo iinfo isdtype result_type broadcast_shapes"
    )
    others = {*without.split(), "fft.fftfreq", "fft.rfftfreq", "__array_namespace_info__"}
    aliases = {f"linalg.{name}" for name in ("matmul", "matrix_transpose", "tensordot", "vecdot")}
    covered = {name.split()[0] for name in [*ONE, *TWO]} | others | aliases
    assert set(FUNCTIONS) - covered == set()


@pytest.mark.parametrize("label", ONE)
def test_a_result_of_one_array_has_its_device_and_commitment(
    devices: tuple[xp.Device, xp.Device], label: str
) -> None:
    default, other = devices
    expression, kind = ONE[label]
    for device, wanted in ((other, other), (default, default), (None, default.uncommitted)):
        found = evaluate(expression, x=make(kind, device))
        assert all(one is wanted for one in [x._device for x in found])
        assert len(records(found)) == 1


@pytest.mark.parametrize("label", TWO)
def test_a_result_of_two_arrays_is_on_the_committed_device(
    devices: tuple[xp.Device, xp.Device], label: str
) -> None:
    default, other = devices
    expression, kinds, _ = TWO[label]
    one, two = list(kinds)
    for a, b in itertools.product((None, default, other), repeat=2):
        x, y = make(one, a), make(two, b)
        if a and b and a is not b:
            with pytest.raises(DeviceMismatchError) as caught:
                evaluate(expression, x=x, y=y)
            assert str(a) in str(caught.value)
            assert str(b) in str(caught.value)
        else:
            found = evaluate(expression, x=x, y=y)
            assert {id(z._device) for z in found} == {id(a or b or default.uncommitted)}
            assert records(found)
        assert (placement(x), placement(y)) == (
            (str(a or default), a is not None),
            (str(b or default), b is not None),
        )


@pytest.mark.parametrize("label", TWO)
def test_values_do_not_depend_on_placement(devices: tuple[xp.Device, xp.Device], label: str) -> None:
    default, other = devices
    expression, kinds, _ = TWO[label]
    one, two = list(kinds)
    wanted = [z.tolist() for z in evaluate(expression, x=make(one, None), y=make(two, None))]
    for a, b in ((other, None), (None, other), (other, other), (default, None)):
        found = evaluate(expression, x=make(one, a), y=make(two, b))
        for z, values in zip(found, wanted, strict=True):
            np.testing.assert_allclose(z.tolist(), values, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("label", [label for label, (_, _, scalar) in TWO.items() if scalar])
def test_a_0d_array_follows_an_nd_one(devices: tuple[xp.Device, xp.Device], label: str) -> None:
    default, other = devices
    expression, kinds, _ = TWO[label]
    one, two = list(kinds)
    if not expression.startswith("xp.meshgrid"):
        found = evaluate(expression, x=make(one, default, scalar=True), y=make(two, other))
        assert {id(z._device) for z in found} == {id(other)}
        found = evaluate(expression, x=make(one, other), y=make(two, default, scalar=True))
        assert {id(z._device) for z in found} == {id(other)}
    with pytest.raises(DeviceMismatchError):
        evaluate(expression, x=make(one, default, scalar=True), y=make(two, other, scalar=True))
    found = evaluate(expression, x=make(one, None), y=make(two, other, scalar=True))
    assert {id(z._device) for z in found} == {id(other)}


@pytest.mark.parametrize("label", [label for label, (_, kinds, _) in TWO.items() if kinds != "bf"])
def test_a_foreign_ndarray_counts_as_uncommitted(devices: tuple[xp.Device, xp.Device], label: str) -> None:
    default, other = devices
    expression, kinds, _ = TWO[label]
    one, two = list(kinds)
    for device in (default, other):
        found = evaluate(expression, x=make(one, device), y=VALUES[two].copy())
        assert {id(z._device) for z in found} == {id(device)}
        if not expression.startswith(("x[", "xp.take", "xp.searchsorted")):
            found = evaluate(expression, x=VALUES[one].copy(), y=make(two, device))
            assert {id(z._device) for z in found} == {id(device)}


@pytest.mark.parametrize("label", [label for label in TWO if label in FUNCTIONS])
def test_foreign_arrays_alone_are_refused(label: str) -> None:
    expression, kinds, _ = TWO[label]
    one, two = list(kinds)
    with pytest.raises(ArgumentTypeError, match="ndarray"):
        evaluate(expression, x=VALUES[one].copy(), y=VALUES[two].copy())


@pytest.mark.parametrize("operator", [op for ops in INPLACE.values() for op in ops])
def test_in_place_operators_place_like_operators(devices: tuple[xp.Device, xp.Device], operator: str) -> None:
    default, other = devices
    one, two = list(next(kinds for kinds, ops in INPLACE.items() if operator in ops))
    wanted = make(one, None)
    exec(f"x {operator} y", {}, {"x": wanted, "y": make(two, None)})
    for a, b in itertools.product((None, default, other), repeat=2):
        x, y = make(one, a), make(two, b)
        same, before = x, x.tolist()
        names = {"x": x, "y": y}
        if a and b and a is not b:
            with pytest.raises(DeviceMismatchError):
                exec(f"x {operator} y", {}, names)
            assert (x.tolist(), x._device) == (before, a)
            continue
        exec(f"x {operator} y", {}, names)
        assert names["x"] is same
        assert x._device is (a or b or default.uncommitted)
        assert type(x._native) is x._device.array_type
        np.testing.assert_allclose(x.tolist(), wanted.tolist(), rtol=1e-12)
        assert placement(y) == (str(b or default), b is not None)


@pytest.mark.parametrize(
    "form", ["x[1] = v", "x[:2] = v", "x[k] = v", "x[k == 0] = v", "x[..., k] = v", "x[k] += v"]
)
def test_assignment_places_like_an_operator(devices: tuple[xp.Device, xp.Device], form: str) -> None:
    default, other = devices
    for where in itertools.product((None, default, other), repeat=3):
        committed = {device for device in where if device is not None}
        x, k = make("f", where[0]), xp.asarray([0, 1], device=where[1])
        v = xp.asarray(7.0, device=where[2])
        if "== 0" in form:
            k = xp.asarray([0, 1, 1], device=where[1])
        used = committed if "k" in form else {d for d in (where[0], where[2]) if d is not None}
        follows = {d for d in (where[0], where[1] if "k" in form else None) if d is not None}  # v is 0-d
        before = x.tolist()
        if len(follows) > 1:
            with pytest.raises(DeviceMismatchError):
                exec(form, {}, {"x": x, "k": k, "v": v})
            assert (x.tolist(), x.device) == (before, where[0])
            continue
        exec(form, {}, {"x": x, "k": k, "v": v})
        wanted = make("f", None)
        exec(form, {}, {"x": wanted, "k": np.asarray(k.tolist()), "v": 7.0})
        assert x.tolist() == wanted.tolist()
        assert x._device is next(iter(follows or used), default.uncommitted)


def test_assignment_of_a_whole_array_on_another_device(devices: tuple[xp.Device, xp.Device]) -> None:
    default, other = devices
    x, v = make("f", default), make("f", other)
    with pytest.raises(DeviceMismatchError):
        x[...] = v
    x = make("f", None)
    x[...] = v * 2
    assert (x.tolist(), x._device) == ([1.0, 2.0, 3.0], other)


def test_an_array_that_assignment_moves_still_shares_its_memory(devices: tuple[xp.Device, xp.Device]) -> None:
    _, other = devices
    x = make("f", None)
    view = x[1:]
    x[0] = xp.asarray(9.0, device=other)
    x[1] = 8.0
    assert x._device is other
    assert view.tolist() == [8.0, 1.5]


def test_the_order_of_three_arrays_does_not_matter(devices: tuple[xp.Device, xp.Device]) -> None:
    """A committed 0-d array follows a committed n-d array, whether or not an uncommitted one is between them."""
    default, other = devices
    condition, zero, many = make("b", None), make("f", default, scalar=True), make("f", other)
    for x1, x2 in ((zero, many), (many, zero)):
        assert xp.where(condition, x1, x2)._device is other
    for order in itertools.permutations([make("f", None), make("f", None), make("f", other)]):
        assert xp.concat(list(order))._device is other
        assert xp.stack(list(order)).shape == (3, 3)
    assert xp.clip(many, zero, make("f", None))._device is other
    with pytest.raises(DeviceMismatchError):
        xp.where(condition, make("f", default), many)


def test_uncommitted_arrays_of_two_default_devices_combine() -> None:
    with xp.default_device("torch:cpu"):
        a = xp.ones(3)
    b = xp.ones(3)
    assert ((a + b).device, (b + a).device) == (a.device, b.device)
    assert (a + b)._device is a._device
    committed = xp.ones(3, device="torch:cpu")
    assert ((b + a) + committed)._device is committed._device


def test_creation_with_a_device_commits_the_result(devices: tuple[xp.Device, xp.Device]) -> None:
    default, other = devices
    template = make("f", None)
    made: dict[str, Callable[[Any], Any]] = {
        "arange": lambda d: xp.arange(3, device=d),
        "asarray": lambda d: xp.asarray([1.0], device=d),
        "asarray of an array": lambda d: xp.asarray(template, device=d),
        "astype": lambda d: xp.astype(template, xp.float32, device=d),
        "astype to the same": lambda d: xp.astype(template, xp.float64, copy=False, device=d),
        "empty": lambda d: xp.empty(2, device=d),
        "empty_like": lambda d: xp.empty_like(template, device=d),
        "eye": lambda d: xp.eye(2, device=d),
        "fftfreq": lambda d: xp.fft.fftfreq(4, device=d),
        "from_dlpack": lambda d: xp.from_dlpack(template, device=d),
        "full": lambda d: xp.full(2, 1.0, device=d),
        "full_like": lambda d: xp.full_like(template, 1.0, device=d),
        "linspace": lambda d: xp.linspace(0, 1, 3, device=d),
        "ones": lambda d: xp.ones(2, device=d),
        "ones_like": lambda d: xp.ones_like(template, device=d),
        "rfftfreq": lambda d: xp.fft.rfftfreq(4, device=d),
        "zeros": lambda d: xp.zeros(2, device=d),
        "zeros_like": lambda d: xp.zeros_like(template, device=d),
    }
    for name, create in made.items():
        for device in (default, other):
            assert create(device)._device is device, name
            assert create(str(device))._device is device, name
        assert create(None)._device is default.uncommitted, name
    assert template._device is default.uncommitted
    for device in (default, other):
        assert template.to_device(device)._device is device
        assert make("f", other).to_device(device)._device is device


def test_creation_on_x_device_commits_the_result() -> None:
    x = xp.ones(2)
    assert x._device is xp.default_device().uncommitted
    assert xp.ones(2, device=x.device)._device is xp.default_device()


def test_scalars_do_not_decide_the_device(devices: tuple[xp.Device, xp.Device]) -> None:
    _, other = devices
    x = make("f", other)
    for number in (1, 1.5, True, np.float64(2), np.float32(2), np.int64(2), np.bool_(True), np.array(2.0)):
        for result in (x + number, number + x, xp.add(x, number), xp.multiply(number, x), x == number):
            assert result._device is other
        x[0] = number
        assert x._device is other
