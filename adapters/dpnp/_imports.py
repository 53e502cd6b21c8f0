"""dpnp and dpctl, imported once Intel's OpenCL runtime for the CPU has been found in the environment.

SYCL looks for runtimes when it is loaded, so every ``dpnp_*`` file takes the two libraries from here.
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

_SIGNATURE = re.compile(r"(\w+)\(([^()]*usm_ndarray[^()]*), depends: ")
_ASLEEP = {"dpnp"}
ALONE = threading.RLock()
"""Held by every call of dpnp: its notes of what was submitted are not made for several threads.

With eight of them at work, three processes of eight ended with a segmentation fault in a thread of OpenCL.
No upstream issue known (https://github.com/IntelPython/dpnp/issues), last seen in 0.20.0.
"""


def alone(function: Function) -> Function:
    """Return the form of a function that one thread at a time runs."""

    @wraps(function, ("__doc__",), ())
    def run(*args: Any, **settings: Any) -> Any:
        with ALONE:
            return function(*args, **settings)

    return run


def wake(queue: Any) -> None:
    """Call each extension module of dpnp once, while no other thread does.

    At its first call a module asks dpctl for its types, in the initialisation of a static variable of C++, and gives up
    the interpreter lock meanwhile: a second thread that calls the module then waits for the variable and keeps that
    lock, both for ever. A call that is refused for its last argument has read the ones before.

    No upstream issue known (https://github.com/IntelPython/dpnp/issues), last seen in 0.20.0.
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
    """Call a function with an array, a queue and a plan where it takes one, and no list where it takes a list."""
    given = {"usm_ndarray": array, "SyclQueue": queue}
    if "Descriptor" in signature[2]:
        given["Descriptor"] = module.Complex64Descriptor(1)
        given["Descriptor"].commit(queue)
    kinds = re.findall(r": ([^,]*)", signature[2])
    args = [next((value for word, value in given.items() if word in kind), 0) for kind in kinds]
    with suppress(TypeError):
        getattr(module, signature[1])(*args, depends=None)
