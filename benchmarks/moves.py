"""Time moves between devices, and compare moves to a GPU with PyTorch's own.

    python benchmarks/moves.py [--megabytes 1 64 1024] [--repeat 7]

The program prints GB/s of ``to_device`` for every pair of devices, or *shared* if nothing is copied. If there is a GPU,
it also prints PyTorch's own move from ordinary host memory, from ordinary memory that is copied to page-locked memory
first, and from page-locked memory, and burn_array's move from the same page-locked memory.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import burn_array as xp


def best(call: Callable[[], Any], wait: Callable[[], None], repeat: int) -> float:
    """Return the shortest time of ``repeat`` calls, each with ``wait``, in seconds. A first call is not counted."""
    times = []
    for _ in range(repeat + 1):
        wait()
        start = time.perf_counter()
        result = call()
        wait()
        times.append(time.perf_counter() - start)
        del result
    return min(times[1:])


def shares(x: xp.Array, target: xp.Device) -> bool:
    """Return whether a move of ``x`` to ``target`` copies nothing."""
    try:
        xp.asarray(x, device=target, copy=False)
    except ValueError:
        return False
    return True


def measure(source: xp.Device, target: xp.Device, megabytes: int, repeat: int) -> str:
    """Return one cell of the table: GB/s, or ``shared``."""
    x = xp.asarray(np.ones(megabytes * 2**18, dtype=np.float32)).to_device(source)
    if shares(x, target):
        return "shared"

    def wait() -> None:
        source.synchronize()
        target.synchronize()

    return f"{x.nbytes / best(lambda: x.to_device(target), wait, repeat) / 1e9:.1f}"


def torch_rows(megabytes: int, repeat: int) -> dict[str, float]:
    """Return GB/s from the host to ``cuda:0``: by PyTorch in three ways, and by burn_array from page-locked memory."""
    import torch

    host = torch.ones(megabytes * 2**18)
    locked = host.pin_memory()
    ways: dict[str, Callable[[], Any]] = {
        "ordinary memory": lambda: host.to("cuda"),
        "page-locked first": lambda: host.pin_memory().to("cuda", non_blocking=True),
        "page-locked": lambda: locked.to("cuda", non_blocking=True),
    }
    x = xp.asarray(locked.numpy(), device="numpy", copy=False)
    gpus = [device for device in xp.devices() if str(device) in ("cupy:0", "torch:cuda:0")]
    ways |= {f"to_device({gpu}) from page-locked": partial(x.to_device, gpu) for gpu in gpus}
    return {name: host.nbytes / best(way, torch.cuda.synchronize, repeat) / 1e9 for name, way in ways.items()}


def has_torch_cuda() -> bool:
    """Return whether PyTorch has a CUDA device here."""
    return any(str(device) == "torch:cuda:0" for device in xp.devices())


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--megabytes", type=int, nargs="+", default=[1, 64, 1024])
    parser.add_argument("--repeat", type=int, default=7)
    options = parser.parse_args()
    devices = xp.devices()
    print("GB/s of to_device, from the device of the row to that of the column")
    for megabytes in options.megabytes:
        print(f"\n{megabytes} MB".ljust(18) + "".join(f"{d!s:>16}" for d in devices))
        for source in devices:
            cells = (measure(source, target, megabytes, options.repeat) for target in devices)
            print(f"{source!s:<17}" + "".join(f"{cell:>16}" for cell in cells))
        if has_torch_cuda():
            rows = torch_rows(megabytes, options.repeat)
            print("Host to cuda:0 by PyTorch: " + ", ".join(f"{n} {v:.1f}" for n, v in rows.items()))


if __name__ == "__main__":
    main()
