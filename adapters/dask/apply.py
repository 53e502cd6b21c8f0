"""The tasks of the graphs: calls of a function of the adapter whose arrays are the blocks."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import cache, lru_cache, partial
from typing import Any

import numpy as np

import burn_array
from burn_array.adapter import Adapter
from burn_array.errors import explain

Function = Callable[..., Any]


@cache
def inner_adapter(kind: str) -> Adapter:
    """Return the adapter of the blocks, ``numpy`` or ``cupy``."""
    return burn_array.device(kind).adapter


class Functions:
    """The functions of the adapter of the blocks, as attributes, for :mod:`block_functions`."""

    def __init__(self, kind: str, page: str = "") -> None:
        self.adapter = inner_adapter(kind)
        self._kind = kind
        self._page = page

    def __getattr__(self, name: str) -> Any:
        found: Any
        if name in ("linalg", "fft", "random") and not self._page:
            found = Functions(self._kind, f"{name}.")
        else:
            found = partial(_adopted, self.adapter, self.adapter.find(self._page + name))
        setattr(self, name, found)
        return found


def _adopted(adapter: Adapter, function: Function, /, *args: Any, **settings: Any) -> Any:
    out = function(*args, **settings)
    if type(out) is adapter.array_type:
        return out
    if isinstance(out, tuple):
        return tuple(map(adapter.adopt, out))
    return adapter.adopt(out) if hasattr(out, "dtype") else out


@cache
def inner_function(kind: str, name: str) -> Function:
    """Return a function of blocks: one of :mod:`block_functions` (``"blocks.tril"``), or the adapter's."""
    page, _, own = name.partition(".")
    if page == "blocks":
        from . import block_functions

        return partial(getattr(block_functions, own), Functions(kind))
    adapter = inner_adapter(kind)
    return partial(_adopted, adapter, adapter.find(name))


class Apply:
    """A call of the function ``name`` on blocks, with further arguments; it is small to pickle.

    The function is looked up where the task runs. Warnings about special values are not given, since they would come
    from another thread or process than the call. An error names the function.
    """

    __slots__ = ("args", "kind", "name", "settings")

    def __init__(self, kind: str, name: str, args: tuple[Any, ...] = (), **settings: Any) -> None:
        self.kind = kind
        self.name = name
        self.args = args
        self.settings = settings

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.kind, self.name, self.args, self.settings)

    def __dask_tokenize__(self) -> tuple[Any, ...]:
        return "burn_array", self.kind, self.name, self.args, sorted(self.settings.items())

    def __call__(self, *blocks: Any) -> Any:
        try:
            with np.errstate(all="ignore"):
                return inner_function(self.kind, self.name)(*blocks, *self.args, **self.settings)
        except Exception as error:
            shown = [_described(one) for one in blocks]
            raise explain(self.label, error, shown, inner_adapter(self.kind)) from error

    @property
    def label(self) -> str:
        """The name of the function for texts and keys."""
        return self.name.removeprefix("blocks.")


def _restored(kind: str, name: str, args: tuple[Any, ...], settings: dict[str, Any]) -> Apply:
    return Apply(kind, name, args, **settings)


def _described(block: Any) -> str:
    shape = getattr(block, "shape", None)
    return f"a block of {block.dtype}{list(shape)}" if shape is not None else f"{block!r:.40}"


# -- dtypes -----------------------------------------------------------------------------------


def outcome(apply: Apply, *operands: Any, ndim: int = 1, length: int = 0) -> tuple[Any, ...]:
    """Return the dtype of each result of a function, by a call with small arrays of the dtypes of the operands.

    Operands are arrays or Python scalars. The small arrays have ``length`` elements along each axis; with 0 axes
    or length 1 they hold ones. Errors about dtypes, axes and numbers are raised by this call.
    """
    key = tuple(_sample(one, ndim) for one in operands)
    try:
        return _outcome(apply.kind, apply.name, apply.args, tuple(apply.settings.items()), key, length)
    except TypeError as error:
        if "unhashable" not in str(error):
            raise
        return _outcome.__wrapped__(
            apply.kind, apply.name, apply.args, tuple(apply.settings.items()), key, length
        )


def quietly(function: Function, *args: Any, **settings: Any) -> Any:
    """Call a function with small arrays, whose warnings would say nothing about the arrays of the user."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*args, **settings)


def _sample(operand: Any, ndim: int) -> tuple[Any, ...]:
    dtype = getattr(operand, "dtype", None)
    if dtype is not None:
        return dtype, ndim, None
    kind = type(operand)
    # The value of an integer decides whether its dtype can hold it; of other numbers the type is enough.
    return None, kind, operand if kind is int else (None if operand is None else kind(1))


@lru_cache(4096)
def _outcome(
    kind: str, name: str, args: tuple[Any, ...], settings: tuple[Any, ...], key: tuple[Any, ...], length: int
) -> tuple[Any, ...]:
    adapter = inner_adapter(kind)
    samples = []
    for dtype, ndim, value in key:
        if dtype is None:
            samples.append(value)
        else:
            samples.append(adapter.find("ones")((length,) * ndim, dtype=dtype, device=adapter.native_device))
    out = quietly(inner_function(kind, name), *samples, *args, **dict(settings))
    return tuple(one.dtype for one in out) if isinstance(out, tuple) else (out.dtype,)
