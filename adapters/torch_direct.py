"""What PyTorch computes rightly for arrays of one dtype, so that nothing has to look at it.

A function of the adapter looks at the dtypes of its operands, and lets PyTorch compute what it computes by
the standard. Here such a function says for which dtypes that is; whoever knows the dtype calls PyTorch's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import torch

Function = Callable[..., Any]

_DIRECT: dict[Function, dict[torch.dtype, Function]] = {}


def directly(general: Function, function: Function, dtypes: Iterable[torch.dtype]) -> Function:
    """Say of ``general`` that it is ``function`` for arrays of one of the ``dtypes``, and return it.

    The results have to be of that dtype, too, or bools where the standard says so.
    """
    _DIRECT.setdefault(general, {}).update(dict.fromkeys(dtypes, function))
    return general


def tables(adapter: type, dtypes: Iterable[torch.dtype]) -> dict[torch.dtype, dict[str, Function]]:
    """Return for each of the ``dtypes`` the functions of an adapter class that take arrays of it directly."""
    found: dict[torch.dtype, dict[str, Function]] = {dtype: {} for dtype in dtypes}
    for name in dir(adapter):
        general = getattr(adapter, name)
        known = _DIRECT.get(general, {}) if callable(general) else {}
        for dtype in found.keys() & known.keys():
            found[dtype][name] = known[dtype]
    return found
