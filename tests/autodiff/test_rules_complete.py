"""Every function of the standard has a derivative rule, is made of functions that have one, or is constant."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from burn_array.autodiff.rules import Composition, Constant, Rule, load

STANDARD = json.loads((Path(__file__).parents[1] / "array_api_2025_12.json").read_text())

METADATA = frozenset(
    ("__array_namespace_info__", "broadcast_shapes", "can_cast", "finfo", "iinfo", "isdtype", "result_type")
)
"""Functions of dtypes and shapes, which have no derivative."""

THROUGH = {
    "asarray": ("astype", "copy"),
    "empty_like": ("empty",),
    "from_dlpack": ("copy",),
    "full_like": ("full",),
    "linalg.matmul": ("matmul",),
    "linalg.matrix_transpose": ("matrix_transpose",),
    "linalg.tensordot": ("tensordot",),
    "linalg.vecdot": ("vecdot",),
    "ones_like": ("ones",),
    "zeros_like": ("zeros",),
}
"""Functions that call others, and the functions that they call."""

BEYOND = frozenset(("copy", "getitem", "scatter_add", "solve_triangular", "setitem"))
"""Functions of the adapters behind the methods and operators of arrays."""

DECLARED = frozenset(name for name in load() if not name.startswith("special."))


def test_rules_and_constants_are_all_functions() -> None:
    through = {name for names in THROUGH.values() for name in names}
    assert through <= DECLARED
    assert DECLARED | METADATA | set(THROUGH) == set(STANDARD["functions"]) | BEYOND


def test_no_rule_is_declared_twice() -> None:
    assert not DECLARED & METADATA
    assert not DECLARED & set(THROUGH)


@pytest.mark.parametrize("name", sorted(load()))
def test_a_rule_has_a_pull(name: str) -> None:
    declared = load()[name]
    assert isinstance(declared, Composition | Constant | Rule)
    if isinstance(declared, Rule):
        assert any(pull is not None for pull in declared.vjps)
