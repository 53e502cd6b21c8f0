"""Programs as graphs: record a function or a block once, replay it on any device, save it, export it.

A graph holds the calls of functions of the standard, with the shapes and dtypes of all values. It is made without
computing anything. These functions are imported at their first use.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .graphs.graph import Graph
    from .graphs.tracing import CaptureScope

__all__ = ["capture", "load_graph", "spec", "trace"]


def spec(shape: Any, dtype: Any = None) -> Any:
    """Return the shape and dtype of an argument for ``trace``.

    Parameters
    ----------
    shape : int, str, or tuple of int and str
        The length of each axis. A name such as ``"batch"`` stands for any length.
    dtype : dtype, optional
        By default float64.

    Returns
    -------
    object
        With the attributes ``shape`` and ``dtype``.

    Raises
    ------
    ArgumentError
        If a length is negative, or a name is no word.
    ArgumentTypeError
        If a length is neither an integer nor a name.
    """
    from .graphs.tracing import declared

    return declared(shape, dtype)


def trace(f: Callable[..., Any], /, *specs: Any, name: str | None = None, sizes: Iterable[Any] = ()) -> Graph:
    """Return the graph of a function, which is called with arrays that record and have no values.

    Functions of the namespace that make arrays without ``device=`` become steps; ``device="numpy"`` still computes at
    once. A function with named lengths is called several times, at different lengths; a length in the graph may be a
    sum of products of named lengths. What follows another law is refused: remainders, roots, limits, branches on a
    length. What no length that is tried shows stays unseen, such as ``if n == 77``: add lengths by ``sizes``.

    Parameters
    ----------
    f : callable
        A function of arrays, or of tuples, lists and dicts of arrays, that returns arrays in such a structure.
    *specs : spec, Array, number, or tuple, list or dict of these
        The shapes and dtypes of the arguments; of arrays and numbers nothing else is taken.
    name : str, optional
        The name of the graph; by default that of the function.
    sizes : iterable of tuple of int
        Further lengths to try, each a tuple in the order in which the names appear in ``specs``.

    Returns
    -------
    Graph
        Called with arrays, it replays where they live.

    Raises
    ------
    CaptureError
        If the function needs values or does something that a graph cannot do; its subclasses say what.
    """
    from .graphs import tracing

    return tracing.trace(f, specs, name, sizes)


def capture(*, name: str | None = None) -> CaptureScope:
    """Return a context manager that records a block; inputs and results are declared by it.

    Parameters
    ----------
    name : str, optional
        The name of the graph, by default ``"capture"``.

    Returns
    -------
    CaptureScope
        In the block, ``input`` declares inputs and ``output`` the results. After it, the scope is a graph. A block that
        is left by an exception gives no graph.

    Raises
    ------
    CaptureError
        If this thread is in a capture already, or the block ends without a call of ``output``.

    Examples
    --------
    >>> import burn_array as xp
    >>> with xp.capture() as graph:
    ...     x = graph.input((2, 3), xp.float32, name="x")
    ...     graph.output(xp.sum(x, axis=0))
    >>> graph(xp.ones((2, 3), dtype=xp.float32)).tolist()
    [2.0, 2.0, 2.0]
    """
    from .graphs.tracing import CaptureScope

    return CaptureScope(name)


def load_graph(path: str | os.PathLike[str]) -> Graph:
    """Return the graph that ``Graph.save`` wrote to a file.

    The shape and dtype of every step are found anew, so a file can name nothing but functions of the standard, on
    values that precede. Who wrote the file, it does not tell: sign files that travel.

    Parameters
    ----------
    path : str or path
        The file.

    Returns
    -------
    Graph
        Equal to the one that was saved.

    Raises
    ------
    CaptureError
        If the file is no graph, or anything in it does not follow.
    """
    from .graphs.files import load

    return load(Path(path))
