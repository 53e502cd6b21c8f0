"""Functions that say when a program is computed, imported at their first use."""

from __future__ import annotations

from typing import Any

from ._core.array import Array
from ._core.device import Device
from ._core.operands import not_an_array

__all__ = ["persist"]


def persist(*arrays: Array) -> tuple[Array, ...]:
    """Start to compute arrays in one pass, keep their values where they are computed, and return the arrays.

    On a lazy device such as ``dask`` the arrays themselves change: from then on they refer to the computed values, and
    so do other references to them. A cluster computes in the background; ``device.synchronize()`` waits for it. On a
    device that computes at once, nothing happens.

    Parameters
    ----------
    *arrays : Array
        The arrays, of any devices. What several of them need is computed once.

    Returns
    -------
    tuple of Array
        The arrays that were given.

    Raises
    ------
    ArgumentTypeError
        If an argument is not an ``Array``.
    ClusterLostError
        If the cluster goes away while it computes.
    """
    for x in arrays:
        if type(x) is not Array:
            raise not_an_array("persist", x)
    groups: dict[Device, list[Any]] = {}
    for x in arrays:
        groups.setdefault(x._device.inner, []).append(x.native)
    for at, natives in groups.items():
        at.adapter.persist(natives)
    return arrays
