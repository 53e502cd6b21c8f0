"""What PyTorch computes rightly for arrays of one dtype, so that nothing has to look at it.

A function of the adapter looks at the dtypes of its operands, and lets PyTorch compute what it computes by
the standard. Here such a function says for which dtypes that is; whoever knows the dtype calls PyTorch's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from inspect import getattr_static
from typing import Any

import torch

Function = Callable[..., Any]

_DIRECT: dict[int, tuple[Function, dict[torch.dtype, Function]]] = {}
"""By the ``id`` of a function of the adapter: itself, so that it is kept, and what it is for a dtype."""


def register_direct(general: Function, function: Function, dtypes: Iterable[torch.dtype]) -> Function:
    """Register ``function`` as what ``general`` does for arrays that all are of one of the ``dtypes``.

    ``general`` is returned. The results have to be of that dtype, too, or bools where the standard says so.
    """
    _DIRECT.setdefault(id(general), (general, {}))[1].update(dict.fromkeys(dtypes, function))
    return general


def tables(adapter: type, dtypes: Iterable[torch.dtype]) -> dict[torch.dtype, dict[str, Function]]:
    """Return for each of the ``dtypes`` the functions of an adapter class that take arrays of it directly."""
    found: dict[torch.dtype, dict[str, Function]] = {dtype: {} for dtype in dtypes}
    for name in dir(adapter):
        if name.startswith("linalg_"):  # the extension asks for them by their other name
            continue
        general = getattr_static(adapter, name)
        _, known = _DIRECT.get(id(getattr(general, "__func__", general)), (None, {}))
        for dtype in found.keys() & known.keys():
            found[dtype][name] = known[dtype]
    return found
