"""Whether the host may look at the values of a tensor, to choose the faster of two ways."""

from __future__ import annotations

import torch

_is_compiling = torch.compiler.is_dynamo_compiling
_transforms = torch._C._functorch.peek_interpreter_stack


def traced() -> bool:
    """Return whether ``torch.compile`` or a transform of ``torch.func`` runs the function, with tensors of no values."""
    return _is_compiling() or _transforms() is not None


def readable(x: torch.Tensor) -> bool:
    """Return whether the values of ``x`` can be read without waiting.

    They cannot on an accelerator, while ``torch.compile`` traces a function, and inside of ``torch.func.vmap`` and its
    kind. There the functions of this adapter take the way that is right for all values.
    """
    return x.is_cpu and not traced()
