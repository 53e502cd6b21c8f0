"""dpnp and dpctl, imported after a search for Intel's OpenCL runtime for the CPU.

SYCL looks for runtimes when it is loaded, so every module of this adapter imports the two libraries from here.
"""

from __future__ import annotations

import os
import re
import site
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from pathlib import Path
from typing import Any

__all__ = ["ALONE", "OPENCL", "alone", "dpctl", "dpnp", "wake"]

Function = Callable[..., Any]

_VARIABLE = "OCL_ICD_FILENAMES"


def _find() -> Path | None:
    """Return the runtime that the wheel ``intel-opencl-rt`` installed into this environment, if it did."""
    roots = [sys.prefix, sys.base_prefix, site.getuserbase()]
    folders = [Path(root, folder) for root in roots for folder in ("lib", "lib64", "Library/lib")]
    names = ("intelocl64.dll", "intelocl.dll") if sys.platform == "win32" else ("libintelocl.so",)
    return next((path for folder in folders for path in (folder / n for n in names) if path.exists()), None)


def _set_up() -> str:
    """Tell SYCL where the runtime is, unless the user has done so, and return this place in words."""
    given = os.environ.get(_VARIABLE)
    if given:
        return f"{given} (from {_VARIABLE})"
    found = _find()
    if found is None or "dpctl" in sys.modules:
        return "what the system registers"
    os.environ[_VARIABLE] = str(found)
    return str(found)


OPENCL = _set_up()
"""Where SYCL finds the runtime, in words."""

import dpctl  # noqa: E402
import dpnp  # noqa: E402

_SIGNATURE = re.compile(r"(\w+)\(([^()]*usm_ndarray[^()]*), depends: ")
_ASLEEP = {"dpnp"}
ALONE = threading.RLock()
"""The lock that every call of dpnp holds.

dpnp's record of submitted work is not safe for threads: with eight threads at work, three of eight processes ended with
a segmentation fault in a thread of OpenCL. The standard says nothing about threads; NumPy and PyTorch can be called
from several. A crash like this cannot be provoked reliably, so there is no canary.

No upstream issue is known; last seen in 0.20.0.
"""


def alone(function: Function) -> Function:
    """Return a function that holds the lock ``ALONE`` while it calls ``function``."""

    @wraps(function, ("__doc__",), ())
    def run(*args: Any, **settings: Any) -> Any:
        with ALONE:
            return function(*args, **settings)

    return run


def wake(queue: Any) -> None:
    """Call each extension module of dpnp once, while no other thread does.

    In its first call a module of dpnp initialises a static variable of C++ with the types of dpctl, and releases the
    interpreter lock meanwhile. A second thread that calls the module takes the interpreter lock and waits for the
    variable, so both threads wait for ever. The standard says nothing about threads. A call with a wrong last argument
    is enough, because it initialises the variable before it is refused.

    No upstream issue is known; last seen in 0.20.0. A deadlock cannot be provoked reliably, so there is no canary.
    """
    with ALONE:
        if not _ASLEEP:
            return
        array = (dpnp.zeros(1, dtype="float32", sycl_queue=queue) + 1).get_array()
        for module in [module for name, module in sys.modules.items() if name.startswith("dpnp.")]:
            signature = next(filter(None, map(_SIGNATURE.search, _texts(module))), None)
            if signature is not None:
                _refused(module, signature, queue, array)
        _ASLEEP.clear()


def _texts(module: Any) -> list[str]:
    """Return the docstrings of the functions that an extension module defines."""
    functions = [one for one in vars(module).values() if type(one) is type(len)]
    return [one.__doc__ or "" for one in functions if one.__module__ == module.__name__]


def _refused(module: Any, signature: re.Match[str], queue: Any, array: Any) -> None:
    """Call a function with an array, a queue or a plan for each such parameter, and ``None`` as its last argument."""
    given = {"usm_ndarray": array, "SyclQueue": queue}
    if "Descriptor" in signature[2]:
        given["Descriptor"] = module.Complex64Descriptor(1)
        given["Descriptor"].commit(queue)
    kinds = re.findall(r": ([^,]*)", signature[2])
    args = [next((value for word, value in given.items() if word in kind), 0) for kind in kinds]
    with suppress(TypeError):
        getattr(module, signature[1])(*args, depends=None)
