"""dpnp and dpctl, imported once Intel's OpenCL runtime for the CPU has been found in the environment.

SYCL looks for runtimes when it is loaded, so every ``dpnp_*`` file takes the two libraries from here.
"""

from __future__ import annotations

import os
import site
import sys
from pathlib import Path

__all__ = ["OPENCL", "dpctl", "dpnp"]

_VARIABLE = "OCL_ICD_FILENAMES"


def _find() -> Path | None:
    """Return the runtime that the wheel ``intel-opencl-rt`` has put into this environment."""
    roots = [sys.prefix, sys.base_prefix, site.getuserbase()]
    folders = [Path(root, folder) for root in roots for folder in ("lib", "lib64", "Library/lib")]
    names = ("intelocl64.dll", "intelocl.dll") if sys.platform == "win32" else ("libintelocl.so",)
    return next((path for folder in folders for path in (folder / n for n in names) if path.exists()), None)


def _set_up() -> str:
    """Let SYCL find the runtime, unless the user has said which, and return where it lies."""
    given = os.environ.get(_VARIABLE)
    if given:
        return f"{given} (from {_VARIABLE})"
    found = _find()
    if found is None or "dpctl" in sys.modules:
        return "what the system registers"
    os.environ[_VARIABLE] = str(found)
    return str(found)


OPENCL = _set_up()
"""Where the runtime lies, in words."""

import dpctl  # noqa: E402
import dpnp  # noqa: E402
