"""The extension ``special`` on JAX: SciPy's functions on the CPU, and those of JAX elsewhere and while it traces."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
from jax.scipy import special as jax_special

from ..common.special import FORMULAS_ONLY, SpecialFunctions

Function = Callable[..., Any]


class JaxSpecialFunctions(SpecialFunctions):
    """The extension ``special``."""

    special_rough = {
        name: function
        for name, function in vars(jax_special).items()
        if name not in FORMULAS_ONLY and not name.startswith("_") and callable(function)
    }

    def find(self, name: str) -> Function:
        found = super().find(name)
        page, _, function = name.partition(".")
        if page != "special" or found is self.special_rough.get(function, found):
            return found
        return _unless_traced(found, self.special_rough[function])


def _unless_traced(exact: Function, traced: Function) -> Function:
    """Return ``exact``, replaced by ``traced`` for values that JAX traces, which SciPy cannot read."""

    def chosen(*operands: Any) -> Any:
        if any(isinstance(x, jax.core.Tracer) for x in operands):
            return traced(*operands)
        return exact(*operands)

    return chosen
