"""Silence NumPy's floating-point warnings during a backward pass.

``np.errstate`` takes as long as the backward pass of a few calls, because it works its setting out each time. The
setting is a context variable of NumPy. If that variable is found, it is set directly to the value that
``np.errstate`` once made (with NumPy's buffer size of that time, which changes no result).
"""

from __future__ import annotations

from contextvars import ContextVar, copy_context
from typing import Any

import numpy as np


def _find() -> tuple[ContextVar[Any], Any] | None:
    """Return the context variable that ``np.errstate`` sets and its value for silence, if there is exactly one."""
    before = copy_context()
    with np.errstate(all="ignore"):
        inside = copy_context()
    found = [(one, inside[one]) for one in inside if one not in before or before[one] is not inside[one]]
    return found[0] if len(found) == 1 else None


_VARIABLE, _SILENCE = _find() or (None, None)


def ignore_warnings() -> Any:
    """Keep NumPy quiet until ``restore`` is called with what this returns."""
    if _VARIABLE is not None:
        return _VARIABLE.set(_SILENCE)
    state = np.errstate(all="ignore")
    state.__enter__()
    return state


def restore_warnings(state: Any) -> None:
    """Let NumPy warn as before."""
    if _VARIABLE is not None:
        _VARIABLE.reset(state)
    else:
        state.__exit__(None, None, None)
