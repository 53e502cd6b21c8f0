"""How PyTorch runs the program of a graph: in place, compiled, and as a CUDA graph."""

from __future__ import annotations

from collections.abc import Callable
from types import BuiltinFunctionType
from typing import Any

import torch

Function = Callable[..., Any]

_WRITING = frozenset(
    """abs acos acosh asin asinh atan atanh ceil cos cosh exp expm1 floor log log10 log1p log2 negative reciprocal round
    sign sin sinh sqrt square tan tanh trunc""".split()
)
"""Functions of PyTorch that take ``out=``."""


class ProgramExtension:
    """What a replay of a graph asks of PyTorch."""

    direct: Any
    native_device: torch.device

    def into(self, name: str, dtype: torch.dtype) -> Function | None:
        function = self.direct.get(dtype, {}).get(name)
        if name not in _WRITING or type(function) is not BuiltinFunctionType:
            return None
        return lambda x, out: function(x, out=out)

    def compiler(self) -> Callable[[Function], Function]:
        return compiled

    def graph_recorder(self) -> Callable[[Function, int], tuple[Function, Any]] | None:
        if self.native_device.type != "cuda":
            return None
        return lambda function, runs: record_cuda_graph(function, runs, self.native_device)


def compiled(function: Function) -> Function:
    """Return a function of tensors, recorded at its first call and compiled by ``torch.compile``.

    The calls are recorded beneath the functions of the adapter, which PyTorch's own reader of Python code could not
    follow. A function that reads a value is refused by the recording.
    """
    made: list[Function] = []

    def run(*inputs: torch.Tensor) -> Any:
        if not made:
            from torch.fx.experimental.proxy_tensor import make_fx

            recorded = make_fx(lambda *xs: function(*xs), tracing_mode="real")(*inputs)
            made.append(torch.compile(recorded, dynamic=False))
        with torch.no_grad():
            return made[0](*inputs)

    return run


def record_cuda_graph(function: Function, runs: int, device: torch.device) -> tuple[Function, Any]:
    """Return the launch of a CUDA graph of ``function``, and what it returned while it was recorded.

    As the documentation of ``torch.cuda.graph`` asks: the function runs on a stream of its own first, then once more
    while its calls are recorded. https://docs.pytorch.org/docs/stable/notes/cuda.html#cuda-graphs
    """
    with torch.cuda.device(device):
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(runs):
                function()
        torch.cuda.current_stream().wait_stream(stream)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            results = function()

    def launch() -> None:
        with torch.cuda.device(device):
            graph.replay()

    return launch, results
