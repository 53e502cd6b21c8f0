"""NumPy's warnings of divisions by zero and the like, kept quiet during a pass back.

``np.errstate`` reckons its setting anew each time it is entered, which takes as long as the pass of a few calls. The
setting is a context variable of NumPy; where it is found, it is set to what ``np.errstate`` once made (with the size
of NumPy's buffer at that time, which changes no value).
"""

from __future__ import annotations

from contextvars import ContextVar, copy_context
from typing import Any

import numpy as np


def _find() -> tuple[ContextVar[Any], Any] | None:
    """Return the variable that ``np.errstate`` sets, and the value for silence, if it sets a single one."""
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
    """Let NumPy warn again as before."""
    if _VARIABLE is not None:
        _VARIABLE.reset(state)
    else:
        state.__exit__(None, None, None)
