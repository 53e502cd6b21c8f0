"""Whether the host may look at the values of a tensor, to choose the faster of two ways."""

from __future__ import annotations

import torch

_is_compiling = torch.compiler.is_dynamo_compiling
_transform = torch._C._functorch.peek_interpreter_stack
_modes = torch._C._len_torch_dispatch_stack


def traced() -> bool:
    """Return whether tensors may be without values: ``torch.compile``, ``torch.func`` or ``make_fx`` runs the call."""
    return _is_compiling() or _transform() is not None or _modes() > 0


def readable(x: torch.Tensor) -> bool:
    """Return whether the values of ``x`` can be read without waiting.

    They cannot on an accelerator, and while PyTorch traces. There the functions of this adapter take the way that is
    right for all values.
    """
    return x.is_cpu and not traced()
