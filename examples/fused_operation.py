"""Write an operation of your own: one function in the standard, faster forms for some libraries, one derivative.

``gelu`` is the activation function ``x / 2 * (1 + tanh(c * (x + 0.044715 x**3)))`` with ``c = sqrt(2 / pi)``. In the
standard it takes eight passes over the memory. A kernel of Triton computes it in one on the GPUs of PyTorch, a kernel
in CUDA on those of CuPy, and NumPy works in place. The same derivative serves all of them.

    python examples/fused_operation.py [--device DEVICE ...] [--size N]

Source of the formula: D. Hendrycks and K. Gimpel, Gaussian Error Linear Units, https://arxiv.org/abs/1606.08415
"""

from __future__ import annotations

import argparse
import inspect
import math
import time
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

import burn_array as xp
from burn_array.autodiff import check_grads
from burn_array.operations import operation

try:
    import triton
    import triton.language as tl
except ImportError:  # PyTorch brings Triton where it has GPUs
    triton = None

C = math.sqrt(2.0 / math.pi)
A = 0.044715


# -- the operation --------------------------------------------------------------------------------


@operation
def gelu(x: Any) -> Any:
    """Return ``x / 2 * (1 + tanh(C * (x + A * x**3)))``, in the shape and floating dtype of ``x``."""
    return 0.5 * x * (1.0 + xp.tanh(C * (x + A * x * x * x)))


@gelu.derivative
def gelu_derivative(g: Any, _result: Any, x: Any) -> tuple[Any]:
    """Return the cotangent of ``x`` for the cotangent ``g`` of the result."""
    t = xp.tanh(C * (x + A * x * x * x))
    return (g * (0.5 * (1.0 + t) + 0.5 * x * (1.0 - t * t) * C * (1.0 + 3.0 * A * x * x)),)


# -- implementations ------------------------------------------------------------------------------


@gelu.implementation("numpy")
def gelu_numpy(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Compute in the memory of one new array."""
    out: np.ndarray[Any, Any] = np.multiply(x, x)
    out *= A * C
    out += C
    out *= x
    np.tanh(out, out=out)
    out += 1.0
    out *= x
    out *= 0.5
    return out


@gelu.implementation("torch:cuda")
def gelu_triton(x: Any) -> Any:
    """Run the kernel of Triton on the GPU of ``x``, one program for each 1024 elements."""
    import torch

    x = x.contiguous()
    out = torch.empty_like(x)
    if x.numel():
        with torch.cuda.device(x.device):
            gelu_kernel[(-(-x.numel() // 1024),)](x, out, x.numel(), C=C, A=A, BLOCK=1024)
    return out


if triton is not None:

    @triton.jit  # type: ignore[untyped-decorator,unused-ignore]
    def gelu_kernel(  # type: ignore[no-untyped-def]
        x_ptr, out_ptr, n, C: tl.constexpr, A: tl.constexpr, BLOCK: tl.constexpr
    ):
        """Compute a block of elements; ``tanh(z)`` is ``1 - 2 / (exp(2 z) + 1)``, also where ``exp`` overflows."""
        at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + at, mask=at < n)
        t = 1.0 - 2.0 / (tl.exp(2.0 * C * (x + A * x * x * x)) + 1.0)
        tl.store(out_ptr + at, 0.5 * x * (1.0 + t), mask=at < n)


@gelu.implementation("cupy")
def gelu_cuda(x: Any) -> Any:
    """Run the kernel in CUDA."""
    return cuda_kernel()(x, x.dtype.type(C), x.dtype.type(A))


@cache
def cuda_kernel() -> Any:
    """Return the kernel, which CuPy compiles for each dtype when it is first called."""
    import cupy

    return cupy.ElementwiseKernel(
        "T x, T c, T a", "T out", "out = T(0.5) * x * (T(1) + tanh(c * (x + a * x * x * x)))", "gelu"
    )


# -- running it -----------------------------------------------------------------------------------


def seconds(function: Callable[[Any], Any], x: Any) -> float:
    """Return the shortest time of five calls."""
    times = []
    for _ in range(6):
        x.device.synchronize()
        start = time.perf_counter()
        function(x)
        x.device.synchronize()
        times.append(time.perf_counter() - start)
    return min(times[1:])


def main(argv: Sequence[str] | None = None) -> None:
    """Compare the operation with the function in the standard, on each device."""
    parser = argparse.ArgumentParser(
        description="Compare a fused operation with the same function in the standard."
    )
    parser.add_argument("--device", nargs="+", default=[str(one) for one in xp.devices()])
    parser.add_argument("--size", type=int, default=1_000_000)
    options = parser.parse_args(argv)
    print(f"{'device':<14} {'difference':>10} {'fused':>10} {'standard':>10}")
    for name in options.device:
        x = xp.linspace(-6.0, 6.0, options.size, dtype=xp.float32, device=name)
        plain = inspect.unwrap(gelu)
        difference = float(xp.max(xp.abs(gelu(x) - plain(x))))
        fused, standard = seconds(gelu, x), seconds(plain, x)
        print(f"{name:<14} {difference:>10.1e} {1e3 * fused:>7.2f} ms {1e3 * standard:>7.2f} ms")
        points = xp.asarray([-2.0, 0.0, 0.5, 3.0], device=name)
        check_grads(lambda x: xp.sum(gelu(x)), (points,))
    print("the derivative agrees with central differences")


if __name__ == "__main__":
    main()
