"""Names of NumPy and PyTorch: the error says what they are called here, and that has the same values."""

from __future__ import annotations

import builtins
import inspect
import re
from operator import attrgetter
from typing import Any

import numpy as np
import pytest
import torch

import burn_array as xp
from burn_array._core.other_names import RENAMED, WRITTEN

X = np.asarray([[0.25, -0.5, 0.75], [0.5, 0.125, -0.875]])
Y = np.asarray([[0.5, 0.25, -0.75], [2.0, -1.5, 3.0]])
ELEMENTWISE = (
    "arccos",
    "arcsin",
    "arcsinh",
    "arctan",
    "arctanh",
    "absolute",
    "fabs",
    "conjugate",
    "fix",
    "rint",
    "around",
)
OF_TWO = ("arctan2", "power", "true_divide", "mod")
WITH_VALUES = [
    *(
        "fmod",
        "heaviside",
        "deg2rad",
        "radians",
        "rad2deg",
        "degrees",
        "angle",
        "nan_to_num",
        "ptp",
        "ravel",
        "copy",
    ),
    *("nansum", "nanmax", "nanmin", "fmax", "fmin"),
]


@pytest.mark.parametrize("name", RENAMED)
def test_a_renamed_function_is_named(name: str) -> None:
    assert callable(attrgetter(RENAMED[name])(xp)) or isinstance(attrgetter(RENAMED[name])(xp), np.dtype)
    with pytest.raises(AttributeError, match=rf"no attribute '{name}'; here it is xp\.{RENAMED[name]}$"):
        getattr(xp, name)


@pytest.mark.parametrize("name", WRITTEN)
def test_a_missing_function_is_told_what_to_write(name: str) -> None:
    for used in re.findall(r"xp\.([\w.]+)", WRITTEN[name]):
        assert attrgetter(used)(xp) is not None
    with pytest.raises(AttributeError, match=re.escape(f"no attribute '{name}'; write {WRITTEN[name]}")):
        getattr(xp, name)


def test_every_name_is_one_of_numpy_or_pytorch() -> None:
    theirs = {*dir(np), *dir(torch), *dir(torch.Tensor), *dir(builtins), "in1d", "no_grad", "stop_gradient"}
    assert {*RENAMED, *WRITTEN} <= theirs
    assert not {*RENAMED} & {*WRITTEN}


@pytest.mark.parametrize("name", ELEMENTWISE)
def test_a_renamed_function_has_the_values_of_numpy(name: str) -> None:
    x = xp.asarray(X)
    assert np.allclose(np.asarray(getattr(xp, RENAMED[name])(x)), getattr(np, name)(X))


@pytest.mark.parametrize("name", OF_TWO)
def test_a_renamed_function_of_two_arrays_has_the_values_of_numpy(name: str) -> None:
    x, y = np.abs(X), Y
    assert np.allclose(
        np.asarray(getattr(xp, RENAMED[name])(xp.asarray(x), xp.asarray(y))), getattr(np, name)(x, y)
    )


@pytest.mark.parametrize("name", WITH_VALUES)
def test_what_to_write_has_the_values_of_numpy(name: str) -> None:
    x = X if name in ("angle", "heaviside", "fmod", "copy") else np.where(X > 0.6, np.nan, X)
    operands = (x, Y)[: 2 if re.search(r"\by\b", WRITTEN[name]) else 1]
    x = x if name != "ptp" else X
    found: Any = eval(WRITTEN[name], {"xp": xp, "x": xp.asarray(x), "y": xp.asarray(Y)})
    assert np.allclose(np.asarray(found), getattr(np, name)(x, *operands[1:]), equal_nan=True)


@pytest.mark.parametrize("name", ["concatenate", "__wrapped__", "nothing"])
def test_a_probe_is_false(name: str) -> None:
    assert not hasattr(xp, name)
    assert getattr(xp, name, None) is None
    assert inspect.getattr_static(xp, name, None) is None


def test_other_names_get_no_advice() -> None:
    with pytest.raises(AttributeError, match=r"has no attribute 'nothing'$"):
        _ = xp.nothing  # type: ignore[attr-defined]
