"""The canaries of a library are collected where a device of it is present."""

from __future__ import annotations

import burn_array
from burn_array.errors import DeviceNotFoundError


def _present(library: str) -> bool:
    try:
        burn_array.device(library)
    except DeviceNotFoundError:
        return False
    return True


collect_ignore = [f"test_{library}_quirks.py" for library in ("cupy", "dpnp") if not _present(library)]
collect_ignore += [] if _present("torch:cuda:0") else ["test_torch_cuda.py"]
collect_ignore += [] if _present("torch:cuda:1") or _present("cupy:1") else ["test_two_gpus.py"]
