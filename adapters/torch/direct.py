"""The tables of ``Adapter.direct``: functions of PyTorch that can be called without checking dtypes.

A function of the adapter checks the dtypes of its operands first, and mostly finds that PyTorch's own function gives
the right answer. It registers here for which dtypes that is so; the core then calls PyTorch's function itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from inspect import getattr_static
from typing import Any

import torch

Function = Callable[..., Any]

_DIRECT: dict[int, tuple[Function, dict[torch.dtype, Function]]] = {}
"""By the ``id`` of a function of the adapter: the function, so that it stays alive, and its replacement per dtype."""


def register_direct(general: Function, function: Function, dtypes: Iterable[torch.dtype]) -> Function:
    """Register that ``function`` may be called instead of ``general`` if all operands have one of these ``dtypes``.

    The result of ``function`` must have that dtype too, or bool for a predicate. Returns ``general``.
    """
    _DIRECT.setdefault(id(general), (general, {}))[1].update(dict.fromkeys(dtypes, function))
    return general


def tables(adapter: type, dtypes: Iterable[torch.dtype]) -> dict[torch.dtype, dict[str, Function]]:
    """Return for each dtype the functions that were registered for an adapter class, by name."""
    found: dict[torch.dtype, dict[str, Function]] = {dtype: {} for dtype in dtypes}
    for name in dir(adapter):
        if name.startswith("linalg_"):  # the core asks for these by the name in the main namespace
            continue
        general = getattr_static(adapter, name)
        _, known = _DIRECT.get(id(getattr(general, "__func__", general)), (None, {}))
        for dtype in found.keys() & known.keys():
            found[dtype][name] = known[dtype]
    return found
