"""Data type functions on PyTorch."""

from __future__ import annotations

from typing import Any

import torch

from .dtypes import COMPLEX, cast


class DataTypeFunctions:
    """The page ``data type functions`` of the standard."""

    @staticmethod
    def astype(x: torch.Tensor, dtype: torch.dtype, *, copy: bool = True, device: Any = None) -> torch.Tensor:
        if device is not None and x.device != device:
            return cast(x, dtype).to(device)
        have = x.dtype
        if have is dtype:
            return x.clone() if copy else x
        return cast(x, dtype) if have in COMPLEX else x.to(dtype)
