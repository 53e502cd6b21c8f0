"""How CuPy runs the program of a graph: in place, and as a CUDA graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cupy

Function = Callable[..., Any]


class ProgramExtension:
    """What a replay of a graph asks of CuPy."""

    native_device: int

    def into(self, name: str, dtype: Any) -> Function | None:
        function = getattr(cupy, name, None)
        overridden = getattr(type(self), name, None) is not None
        if overridden or not isinstance(function, cupy.ufunc) or function.nin != 1 or function.nout != 1:
            return None
        return lambda x, out: function(x, out=out)

    def graph_recorder(self) -> Callable[[Function, int], tuple[Function, Any]]:
        return lambda function, runs: record_cuda_graph(function, runs, self.native_device)


def record_cuda_graph(function: Function, runs: int, index: int) -> tuple[Function, Any]:
    """Return the launch of a CUDA graph of ``function``, and what it returned while it was recorded.

    Its memory comes from a pool of its own, which the launch keeps: no other array may get what a launch writes.
    https://docs.cupy.dev/en/stable/reference/generated/cupy.cuda.Stream.html
    """
    pool = cupy.cuda.MemoryPool()
    with cupy.cuda.Device(index), cupy.cuda.using_allocator(pool.malloc):
        cupy.cuda.get_current_stream().synchronize()
        stream = cupy.cuda.Stream(non_blocking=True)
        with stream:
            for _ in range(runs):
                function()
            stream.synchronize()
            stream.begin_capture()
            try:
                results = function()
            finally:
                graph = stream.end_capture()
    kept = (graph, pool)

    def launch() -> None:
        with cupy.cuda.Device(index):
            kept[0].launch(cupy.cuda.get_current_stream())

    return launch, results
