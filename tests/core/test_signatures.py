"""The namespace has every name of the standard, with the same names, kinds and defaults of parameters."""

from __future__ import annotations

import inspect
import json
import linecache
from functools import reduce
from pathlib import Path
from types import MethodDescriptorType, WrapperDescriptorType
from typing import Any

import numpy as np
import pytest

import burn_array as xp

STANDARD: dict[str, Any] = json.loads((Path(__file__).parents[1] / "array_api_2025_12.json").read_text())
FUNCTIONS: dict[str, Any] = STANDARD["functions"]
METHODS: dict[str, Any] = STANDARD["array_methods"]


def attribute(owner: Any, dotted: str) -> Any:
    """Return ``owner.dotted``, as in ``linalg.svd``."""
    return reduce(getattr, dotted.split("."), owner)


def parameters(function: Any, *, skip: int = 0) -> list[tuple[str, str, str | None]]:
    """Return name, kind and default of each parameter in the form of the data file."""
    found = list(inspect.signature(function).parameters.values())[skip:]
    return [
        (one.name, one.kind.name.lower(), None if one.default is one.empty else repr(one.default))
        for one in found
    ]


def expected(entry: dict[str, Any]) -> list[tuple[str, str, str | None]]:
    """Return name, kind and default of each parameter in an entry of the data file."""
    return [(one["name"], one["kind"], one.get("default")) for one in entry["parameters"]]


def test_the_data_file_is_of_the_revision_of_the_namespace() -> None:
    assert xp.__array_api_version__ == STANDARD["revision"] == "2025.12"
    assert (len(FUNCTIONS), len(METHODS)) == (175, 34)  # 174 functions and __array_namespace_info__


WIDER = {
    # scikit-learn passes n of diff by position, as NumPy, CuPy and PyTorch allow.
    "diff": [
        ("x", "positional_only", None),
        ("n", "positional_or_keyword", "1"),
        ("axis", "keyword_only", "-1"),
        ("prepend", "keyword_only", "None"),
        ("append", "keyword_only", "None"),
    ],
    # scikit-learn calls where with a condition alone, as NumPy, CuPy and PyTorch allow.
    "where": [
        ("condition", "positional_only", None),
        ("x1", "positional_only", "Ellipsis"),
        ("x2", "positional_only", "Ellipsis"),
    ],
}
"""Signatures that take every call of the standard, and further calls that widely used libraries make."""


def taken(signature: list[tuple[str, str, str | None]]) -> set[tuple[str, str, str | None]]:
    """Return the ways to pass each parameter, with its default."""
    ways: set[tuple[str, str, str | None]] = set()
    for name, kind, default in signature:
        kinds = ["positional_only", "keyword_only"] if kind == "positional_or_keyword" else [kind]
        ways |= {(name, one, default) for one in kinds}
    return ways


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_has_the_signature_of_the_standard(name: str) -> None:
    assert parameters(attribute(xp, name)) == WIDER.get(name, expected(FUNCTIONS[name]))


@pytest.mark.parametrize("name", WIDER)
def test_a_wider_signature_takes_every_call_of_the_standard(name: str) -> None:
    required = {(one, kind) for one, kind, _ in taken(expected(FUNCTIONS[name]))}
    assert required <= {(one, kind) for one, kind, _ in taken(WIDER[name])}
    defaults = {one: default for one, _, default in expected(FUNCTIONS[name]) if default is not None}
    assert defaults.items() <= {one: default for one, _, default in WIDER[name]}.items()


def test_calls_beyond_the_signatures_of_the_standard(device: xp.Device) -> None:
    x = xp.asarray([1, 4, 9, 16], device=device)
    assert xp.diff(x, 2).tolist() == xp.diff(x, n=2).tolist() == [2, 2]
    (found,) = xp.where(x > 4)
    assert found.tolist() == [2, 3]
    assert found.device == device
    with pytest.raises(TypeError, match="where: x2 is missing"):
        xp.where(x > 4, x)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_is_documented_and_short(name: str) -> None:
    function = attribute(xp, name)
    assert function.__name__ == name.rpartition(".")[2]
    assert function.__module__.startswith("burn_array.")
    first = (function.__doc__ or "").split("\n")[0]
    assert first.startswith("Return ")
    assert first.endswith(".")
    code = function.__code__  # inspect.getsource fails for compiled functions
    lines = linecache.getlines(code.co_filename)[code.co_firstlineno - 1 :]
    assert lines[0].startswith(("def ", "@"))
    of_docstring = (function.__doc__ or "").count("\n")
    assert len(inspect.getblock(lines)) - of_docstring <= 45


@pytest.mark.parametrize("name", METHODS)
def test_a_method_has_the_signature_of_the_standard(name: str) -> None:
    method = getattr(xp.Array, name)
    if isinstance(
        method, MethodDescriptorType | WrapperDescriptorType
    ):  # a slot of C has no names of parameters
        assert len(METHODS[name]["parameters"]) <= 2
        return
    assert parameters(method, skip=1) == expected(METHODS[name])


@pytest.mark.parametrize("name", STANDARD["array_attributes"])
def test_an_attribute_is_a_documented_property(name: str) -> None:
    assert inspect.isdatadescriptor(inspect.getattr_static(xp.Array, name))
    assert xp.Array.__dict__[name].__doc__


@pytest.mark.parametrize("name", STANDARD["constants"])
def test_a_constant_has_its_value(name: str) -> None:
    wanted = {"e": np.e, "inf": np.inf, "nan": np.nan, "newaxis": None, "pi": np.pi}[name]
    assert repr(getattr(xp, name)) == repr(wanted)


@pytest.mark.parametrize("name", STANDARD["dtypes"])
def test_dtype_is_that_of_numpy(name: str) -> None:
    assert getattr(xp, name) is np.dtype(name)


@pytest.mark.parametrize("extension", ["linalg", "fft"])
def test_extension_has_its_names_and_no_others(extension: str) -> None:
    wanted = {name.partition(".")[2] for name in FUNCTIONS if name.startswith(f"{extension}.")}
    assert set(getattr(xp, extension).__all__) == wanted
    assert all(callable(getattr(getattr(xp, extension), name)) for name in wanted)


def test_pages_export_the_functions_of_the_standard_only() -> None:
    pages = {entry["category"] for entry in FUNCTIONS.values()} - {"linalg", "fft", "info"}
    for page in pages:
        module = inspect.getmodule(getattr(xp, _first_of(page)))
        assert module is not None
        assert set(module.__all__) == {name for name, entry in FUNCTIONS.items() if entry["category"] == page}
        assert module.__name__ == f"burn_array.{page}"


def _first_of(page: str) -> str:
    return next(name for name, entry in FUNCTIONS.items() if entry["category"] == page)


def test_aliases_of_linalg_are_the_functions_of_the_namespace() -> None:
    for name in ("matmul", "matrix_transpose", "tensordot", "vecdot"):
        assert getattr(xp.linalg, name) is getattr(xp, name)


def test_namespace_is_one_hashable_object_with_a_fixed_name() -> None:
    x = xp.asarray([1.0])
    namespace = x.__array_namespace__()
    assert namespace is xp is x.__array_namespace__(api_version="2025.12")
    assert namespace.__name__ == "burn_array"
    assert hash(namespace) == hash(xp)
    with pytest.raises(ValueError, match="1999"):
        x.__array_namespace__(api_version="1999.01")
