"""The shape and dtype of what each function returns, found from the shapes and dtypes of its operands alone.

A rule gets the arguments as an adapter gets them, with anything that has ``shape`` and ``dtype`` in place of an array.
It returns a ``Spec``, or a tuple of them, or raises as the function does. Dtypes are those of NumPy.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

Rule = Callable[..., Any]

_RULES: dict[str, Rule] = {}
DRAWS = frozenset(("random.uniform", "random.normal", "random.integers", "random.permutation"))
"""Functions that draw random numbers: two equal calls have different results."""
_PAGES = ("elementwise", "creation", "manipulation", "reductions", "linear", "indexing", "special")


def rule(*names: str) -> Callable[[Rule], Rule]:
    """Declare the rule of some functions, as a decorator."""

    def declare(function: Rule) -> Rule:
        _RULES.update(dict.fromkeys(names, function))
        return function

    return declare


def rule_for_each(names: str) -> Callable[[Callable[[str], Rule]], Callable[[str], Rule]]:
    """Declare a rule for each of some functions, made from its name, as a decorator."""

    def declare(make: Callable[[str], Rule]) -> Callable[[str], Rule]:
        _RULES.update({name: make(name) for name in names.split()})
        return make

    return declare


@cache
def rules() -> dict[str, Rule]:
    """Return all rules by the names of their functions."""
    for page in _PAGES:
        import_module(f"{__name__}.{page}")
    return _RULES
