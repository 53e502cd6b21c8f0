"""The extension ``special`` on JAX: SciPy's functions on the CPU, and those of JAX elsewhere and while it traces."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import jax

from ..common.special import FORMULAS_ONLY, SpecialFunctions

Function = Callable[..., Any]


class JaxSpecialFunctions(SpecialFunctions):
    """The extension ``special``."""

    def find(self, name: str) -> Function:
        page, _, function = name.partition(".")
        if page != "special" or function in FORMULAS_ONLY:
            return super().find(name)
        traced = getattr(import_module("jax.scipy.special"), function, None)
        if not self.is_host:
            return traced if traced is not None else super().find(name)
        exact = super().find(name)
        return exact if traced is None else _unless_traced(exact, traced)


def _unless_traced(exact: Function, traced: Function) -> Function:
    """Return ``exact``, replaced by ``traced`` for values that JAX traces, which SciPy cannot read."""

    def chosen(*operands: Any) -> Any:
        if any(isinstance(x, jax.core.Tracer) for x in operands):
            return traced(*operands)
        return exact(*operands)

    return chosen
