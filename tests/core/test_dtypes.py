"""Promotion, casts, kinds and limits of dtypes: by the standard, and as in NumPy where it leaves them open."""

from __future__ import annotations

import itertools
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import burn_array as bn
from burn_array.errors import ArgumentError, DTypeError

NAMES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex64 complex128".split()
INTEGERS = NAMES[1:9]
SEVERAL = (
    ("int16", "uint16", "float32"),
    ("int8", "uint16", "float32"),
    ("uint64", "int8", "complex64"),
    ("int8", "uint32", "float32", "int16"),
)
"""Dtypes that, promoted one pair after the other, give different dtypes in different orders."""
# The promotion tables of the standard; columns are in the order of the names.
SIGNED = "int8 int16 int32 int64".split()
UNSIGNED = "uint8 uint16 uint32 uint64".split()
MIXED = {  # row: signed, column: unsigned; the standard leaves the column of uint64 open
    "int8": "int16 int32 int64 float64",
    "int16": "int16 int32 int64 float64",
    "int32": "int32 int32 int64 float64",
    "int64": "int64 int64 int64 float64",
}
FLOATING = {
    "float32": "float32 float64 complex64 complex128",
    "float64": "float64 float64 complex128 complex128",
    "complex64": "complex64 complex128 complex64 complex128",
    "complex128": "complex128 complex128 complex128 complex128",
}


def test_result_type_of_the_standard() -> None:
    wanted = {("bool", "bool"): "bool"}
    for names in (SIGNED, UNSIGNED):
        wanted |= {(a, b): max(a, b, key=names.index) for a in names for b in names}
    for a, row in MIXED.items():
        wanted |= dict(zip([(a, b) for b in UNSIGNED], row.split(), strict=True))
    for a, row in FLOATING.items():
        wanted |= dict(zip([(a, b) for b in FLOATING], row.split(), strict=True))
    for (a, b), dtype in wanted.items():
        assert bn.result_type(np.dtype(a), np.dtype(b)) is np.dtype(dtype)
        assert bn.result_type(np.dtype(b), np.dtype(a)) is np.dtype(dtype)


def available(xp: ModuleType, dtype: Any) -> Any:
    """Return a dtype of NumPy's result, or what takes its place on the default device."""
    adapter = xp.default_device().adapter
    if dtype == "float16" and dtype not in adapter.dtypes:
        return xp.float32
    return adapter.promote(np.dtype(dtype))


def names_on(xp: ModuleType) -> list[str]:
    """Return the names of the dtypes of the default device."""
    return [name for name in NAMES if np.dtype(name) in xp.default_device().adapter.dtypes]


@pytest.mark.parametrize("a", NAMES)
def test_pairs_promote_alike_everywhere(xp: ModuleType, a: str) -> None:
    for b in names_on(xp):
        check_pair(xp, a, b)


def check_pair(xp: ModuleType, a: str, b: str) -> None:
    wanted = available(xp, np.promote_types(a, b))
    x, y = xp.ones(2, dtype=a), xp.ones(1, dtype=b)
    assert xp.result_type(x, y) == xp.result_type(x.dtype, y) == wanted
    assert (x * y).dtype == wanted
    assert (x * y[0]).dtype == wanted  # a 0-d array promotes like any other
    assert xp.where(xp.asarray([True, False]), x, y).dtype == wanted
    assert xp.concat([x, y]).dtype == wanted
    assert xp.stack([x[:1], y]).dtype == wanted
    assert (x == y).dtype == xp.bool
    assert (x / y).dtype == available(xp, (np.ones(1, a) / np.ones(1, b)).dtype)
    assert all(one.dtype == wanted for one in xp.meshgrid(x, y))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("scalar", [True, 2, 1.5, 1j], ids=str)
def test_python_scalars_are_weak(xp: ModuleType, name: str, scalar: Any) -> None:
    x, a = xp.ones(2, dtype=name), np.ones(2, dtype=name)
    wanted = available(xp, (a * scalar).dtype)
    assert (x * scalar).dtype == (scalar * x).dtype == wanted
    assert xp.multiply(x, scalar).dtype == wanted
    assert (x[0] * scalar).dtype == wanted
    assert xp.result_type(x, scalar) == wanted
    assert xp.result_type(scalar, x.dtype) == (a * scalar).dtype  # no array, hence no device
    assert xp.where(xp.asarray([True, False]), x, scalar).dtype == wanted
    assert (x == scalar).dtype == xp.bool
    assert xp.isin(x, scalar).dtype == xp.bool


@pytest.mark.parametrize("name", NAMES)
def test_dtypes_of_reductions(xp: ModuleType, name: str) -> None:
    x, kind = xp.ones((2, 2), dtype=name), np.dtype(name).kind
    wide = available(xp, {"b": "int64", "i": "int64", "u": "uint64"}.get(kind, name))
    for function in (xp.sum, xp.prod, xp.linalg.trace):
        assert function(x).dtype == np.dtype(wide)
        assert function(x, dtype=xp.float32).dtype == xp.float32 if kind != "c" else True
    for function in (xp.cumulative_sum, xp.cumulative_prod):
        assert function(x, axis=0).dtype == np.dtype(wide)
    for function in (xp.any, xp.all, xp.isnan, xp.isfinite, xp.logical_not):
        assert function(x).dtype == xp.bool
    assert xp.count_nonzero(x).dtype == xp.default_device().adapter.index_dtype
    if kind != "c":
        assert xp.max(x).dtype == xp.min(x).dtype == xp.sort(x).dtype == np.dtype(name)
        assert xp.argmax(x).dtype == xp.argsort(x).dtype == xp.default_device().adapter.index_dtype
    if kind in "fc":
        for function in (xp.mean, xp.exp, xp.fft.ifftshift, xp.sqrt):
            assert function(x).dtype == np.dtype(name)
        real = {"complex64": "float32", "complex128": "float64"}.get(name, name)
        assert abs(x).dtype == xp.linalg.vector_norm(x).dtype == xp.linalg.svdvals(x).dtype == np.dtype(real)
        complex_name = {"float32": "complex64", "float64": "complex128"}.get(name, name)
        assert xp.fft.fft(x).dtype == xp.linalg.eigvals(x).dtype == np.dtype(complex_name)


@pytest.mark.needs("64 bits")
def test_result_type_takes_anything_in_any_order(xp: ModuleType) -> None:
    x = xp.ones(2, dtype=xp.float32)
    for order in itertools.permutations([1.0, xp.float32, xp.complex64, True]):
        assert xp.result_type(*order) is xp.complex64
    assert xp.result_type(x, np.float64) is xp.float64
    assert xp.result_type(x, "int8") is xp.float32
    assert xp.result_type(x, np.ones(2)) is xp.float64
    assert xp.result_type(xp.int8, 1) is xp.int8
    assert xp.result_type(xp.uint8, 1.5) is xp.float64
    assert xp.result_type(xp.bool, 1) is xp.int64
    assert xp.result_type(x) is xp.float32
    for nothing in ((), (1,), (1, 2.0)):
        for kind in (ValueError, TypeError):  # SciPy catches ValueError, xarray TypeError
            with pytest.raises(kind, match="at least one array or dtype"):
                xp.result_type(*nothing)


@pytest.mark.needs("64 bits")
def test_can_cast(xp: ModuleType) -> None:
    for a, b in itertools.product(NAMES, repeat=2):
        wanted = np.promote_types(a, b) == np.dtype(b)
        assert xp.can_cast(np.dtype(a), np.dtype(b)) is wanted
        assert xp.can_cast(xp.ones(1, dtype=a), np.dtype(b)) is wanted
    assert xp.can_cast(xp.complex64, xp.float64) is False


def test_isdtype() -> None:
    kinds = {
        "bool": "b",
        "signed integer": "i",
        "unsigned integer": "u",
        "integral": "iu",
        "real floating": "f",
        "complex floating": "c",
        "numeric": "iufc",
    }
    for name in NAMES:
        dtype = np.dtype(name)
        for kind, letters in kinds.items():
            assert bn.isdtype(dtype, kind) is (dtype.kind in letters)
            assert bn.isdtype(dtype, (kind, "bool")) is (dtype.kind in letters + "b")
        assert bn.isdtype(dtype, dtype)
        assert bn.isdtype(dtype, ("bool", dtype))
        assert bn.isdtype(dtype, np.dtype("int8")) is (name == "int8")
    assert not bn.isdtype(bn.float32, ())
    for wrong in ("float", "text", ("bool", "text")):
        with pytest.raises(ArgumentError, match="real floating"):
            bn.isdtype(bn.float32, wrong)


@pytest.mark.needs("64 bits")
def test_finfo_and_iinfo(xp: ModuleType) -> None:
    for name in ("float32", "float64", "complex64", "complex128"):
        info, wanted = xp.finfo(np.dtype(name)), np.finfo(name)
        assert info == xp.finfo(xp.ones(1, dtype=name))
        assert (info.bits, info.eps, info.max, info.min, info.smallest_normal) == (
            wanted.bits, float(wanted.eps), float(wanted.max), float(wanted.min), float(wanted.smallest_normal),
        )  # fmt: skip
        assert all(type(value) is float for value in (info.eps, info.max, info.min, info.smallest_normal))
        assert info.dtype in (xp.float32, xp.float64)
    for name in INTEGERS:
        limits, true = xp.iinfo(np.dtype(name)), np.iinfo(name)
        assert limits == xp.iinfo(xp.ones(1, dtype=name))
        assert (limits.bits, limits.max, limits.min, limits.dtype) == (
            true.bits,
            true.max,
            true.min,
            np.dtype(name),
        )
        assert type(limits.max) is type(limits.bits) is int
    for wrong in (xp.bool, xp.complex64, xp.float64):
        with pytest.raises(DTypeError):
            xp.iinfo(wrong)
    with pytest.raises(DTypeError, match="iinfo"):
        xp.finfo(xp.int8)


@pytest.mark.parametrize("source", NAMES)
def test_astype(xp: ModuleType, source: str) -> None:
    for target in names_on(xp):
        check_astype(xp, source, target)


def check_astype(xp: ModuleType, source: str, target: str) -> None:
    values = np.array([[0, 1], [2, 100]]).astype(source)
    x = xp.asarray(values)
    if source.startswith("complex") and not target.startswith("complex"):
        with pytest.raises(DTypeError, match="real"):
            xp.astype(x, np.dtype(target))
        return
    y = xp.astype(x, np.dtype(target))
    assert y.dtype is np.dtype(target)
    assert y.tolist() == values.astype(target).tolist()
    z = xp.astype(x, np.dtype(target), copy=False)
    assert (z is x) is (source == target)
    y[0, 0] = 1
    assert x.tolist() == values.tolist()


@pytest.mark.parametrize(
    "form", [np.float32, "float32", np.dtype("float32"), "f4", np.dtype(">f4"), "<f4", bn.float32]
)
def test_every_spelling_of_a_dtype_is_one_object(xp: ModuleType, form: Any) -> None:
    assert xp.zeros(2, dtype=form).dtype is xp.float32
    assert xp.astype(xp.zeros(2), form).dtype is xp.float32
    assert xp.isdtype(form, "real floating")
    assert xp.finfo(form).bits == 32
    assert xp.result_type(form, xp.int8) is xp.float32


@pytest.mark.parametrize(
    ("python", "name"), [(bool, "bool"), (int, "int64"), (float, "float64"), (complex, "complex128")]
)
def test_python_types_are_dtypes(xp: ModuleType, python: type, name: str) -> None:
    assert xp.zeros(2, dtype=python).dtype is np.dtype(name)


@pytest.mark.needs("64 bits")
def test_casts_of_integers_out_of_range_wrap(xp: ModuleType) -> None:
    x = xp.asarray([300, -1, 2**40])
    assert xp.astype(x, xp.uint8).tolist() == [44, 255, 0]
    assert xp.astype(x, xp.int8).tolist() == [44, -1, 0]
    assert xp.astype(xp.asarray([2**64 - 1], dtype=xp.uint64), xp.int64).tolist() == [-1]
    assert xp.astype(xp.asarray([-1]), xp.uint64).tolist() == [2**64 - 1]
    assert xp.astype(xp.asarray([2**53 + 1], dtype=xp.uint64), xp.float64).tolist() == [float(2**53)]
    assert xp.astype(xp.asarray([2.0**63]), xp.uint64).tolist() == [2**63]
    assert xp.astype(xp.asarray([0.5, -0.0, np.nan]), xp.bool).tolist() == [True, False, True]


@pytest.mark.parametrize("name", INTEGERS)
def test_integer_arithmetic_wraps_at_the_ends(xp: ModuleType, name: str) -> None:
    info = np.iinfo(name)
    ends = np.array([info.min, info.max], dtype=name)
    x = xp.asarray(ends)
    with np.errstate(over="ignore"):
        assert (x + 1).tolist() == (ends + np.array(1, dtype=name)).tolist()
        assert (x - 1).tolist() == (ends - np.array(1, dtype=name)).tolist()
        assert (x * 2).tolist() == (ends * np.array(2, dtype=name)).tolist()
    assert (x == info.max).tolist() == [False, True]
    assert (x < int(info.max) + 1).tolist() == [True, True]
    assert (x > int(info.min) - 1).tolist() == [True, True]
    assert xp.max(x).item() == info.max
    assert xp.sort(x, descending=True).tolist() == [info.max, info.min]


@pytest.mark.parametrize("dtypes", SEVERAL, ids="-".join)
@pytest.mark.needs("64 bits")
def test_the_dtype_of_several_arrays_does_not_depend_on_their_order(
    xp: ModuleType, dtypes: tuple[str, ...]
) -> None:
    """NumPy promotes all dtypes at once."""
    wanted = np.result_type(*dtypes)
    for order in itertools.permutations(dtypes):
        xs = [xp.full(2, number, dtype=dtype) for number, dtype in enumerate(order)]
        values = [[number, number] for number in range(len(xs))]
        joined, stacked = xp.concat(xs), xp.stack(xs, axis=-1)
        assert joined.dtype == stacked.dtype == wanted
        assert joined.tolist() == [number for pair in values for number in pair]
        assert stacked.tolist() == [list(range(len(xs)))] * 2
        ended = xp.diff(xs[0], prepend=xs[1], append=xs[2])
        assert ended.dtype == np.result_type(*order[:3])
        assert ended.tolist() == np.diff([1, 1, 0, 0, 2, 2]).tolist()


RANGES: dict[str, list[int]] = {
    "arange(1e18, 1e18 + 1000, 300, dtype=xp.int64)": list(range(10**18, 10**18 + 1000, 300)),
    "arange(1e18, 1e18 + 1000, 300.0, dtype=xp.uint64)": list(range(10**18, 10**18 + 1000, 300)),
    "arange(2.0**53, 2.0**53 + 10, 3, dtype=xp.int64)": list(range(2**53, 2**53 + 10, 3)),
    "arange(2.0**63, 2.0**63 + 6000, 2500, dtype=xp.uint64)": list(range(2**63, 2**63 + 6000, 2500)),
    "arange(10.0, 0.5, -3, dtype=xp.int16)": [10, 7, 4, 1],
    "arange(0, 2.5, dtype=xp.uint8)": [0, 1, 2],
    "arange(5.0, 0.0, dtype=xp.int8)": [],
    # the standard leaves these open; NumPy gives them
    "arange(-1.5, 3, 1, dtype=xp.int32)": [-1, 0, 1, 2, 3],
    "arange(5.5, 0.2, -1.5, dtype=xp.int16)": [5, 4, 3, 2],
    "arange(0.5, 2, 0.25, dtype=xp.int64)": [0] * 6,
    "arange(-0.5, -1, 0.25, dtype=xp.int64)": [],
}


@pytest.mark.parametrize("code", RANGES)
def test_ranges_of_integers_from_floats(xp: ModuleType, code: str) -> None:
    found = eval(f"xp.{code}", {"xp": xp})
    assert found.dtype == code.rpartition("xp.")[2].strip(")")
    assert found.tolist() == RANGES[code]
