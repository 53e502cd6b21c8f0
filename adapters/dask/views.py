"""Views: ``x[key]`` of a basic key remembers where it was taken from, so that a write to one reaches the other.

``expand_dims``, ``squeeze`` and the functions that only change the order of the axes give views, too.

The arrays of dask are immutable graphs. A write gives the same object another graph, as dask's own assignment does. Then
the array that it was taken from gets another graph too, up to the first one, and all living views below that one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from weakref import ref

_ATTRIBUTE = "_burn_array"


class Permuted:
    """In the place of a key: the view has the axes of the array in another order."""

    __slots__ = ("order",)

    def __init__(self, order: tuple[int, ...]) -> None:
        self.order = order

    def inverse(self) -> tuple[int, ...]:
        """Return the order that brings the axes back."""
        return tuple(self.order.index(axis) for axis in range(len(self.order)))


class Link:
    """Where an array was taken from, by which key, and the views taken from it."""

    __slots__ = ("base", "key", "views")

    def __init__(self) -> None:
        self.base: Any = None
        self.key: Any = None
        self.views: list[ref[Any]] = []


def link_of(x: Any) -> Link | None:
    """Return what is known about the views of an array."""
    found: Link | None = x.__dict__.get(_ATTRIBUTE)
    return found


def _own_link(x: Any) -> Link:
    found = link_of(x)
    if found is None:
        found = x.__dict__[_ATTRIBUTE] = Link()
    return found


def note_view(base: Any, key: Any, view: Any) -> None:
    """Remember that ``view`` is ``base[key]``."""
    own = _own_link(view)
    own.base, own.key = base, key
    views = _own_link(base).views
    views[:] = [one for one in views if one() is not None]
    views.append(ref(view))


def root_of(x: Any) -> Any:
    """Return the array that ``x`` was taken from, directly or through other views; ``x`` itself if it is no view."""
    while (link := link_of(x)) is not None and link.base is not None:
        x = link.base
    return x


def replace(x: Any, new: Any) -> None:
    """Give the dask array ``x`` the graph of ``new``, of the same shape and dtype."""
    link = link_of(x)
    x.dask = new.dask
    x._meta = new._meta
    x._name = new.name
    x._chunks = new.chunks
    x._reset_cache()
    if link is not None:
        x.__dict__[_ATTRIBUTE] = link


def write(
    x: Any, new: Any, take: Callable[[Any, Any], Any], put: Callable[[Any, Any, Any], Any]
) -> None:
    """Give ``x`` new values, and all arrays that share elements with it.

    ``take(base, key)`` returns a part of an array, ``put(base, key, part)`` the array with another part.
    """
    replace(x, new)
    path = [x]
    while (link := link_of(x)) is not None and link.base is not None:
        base = link.base
        replace(base, put(base, link.key, x))
        path.append(base)
        x = base
    refresh(x, take, path)


def refresh(x: Any, take: Callable[[Any, Any], Any], but: list[Any]) -> None:
    """Take the views of ``x``, and their views, again; those in ``but`` are up to date."""
    waiting = list(_views(x))
    while waiting:
        view = waiting.pop()
        link: Any = link_of(view)
        if not any(view is one for one in but):
            replace(view, take(link.base, link.key))
        waiting += _views(view)


def _views(x: Any) -> Iterator[Any]:
    link = link_of(x)
    for one in () if link is None else link.views:
        view = one()
        if view is not None:
            yield view
