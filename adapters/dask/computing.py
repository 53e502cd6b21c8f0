"""The computations: where dask runs them, and what is said when a cluster is lost."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from typing import Any
from weakref import WeakSet, ref

import dask
import dask.array as da

from burn_array import __version__
from burn_array.errors import BurnArrayError, ClusterLostError, LibraryError, explain

from .memory import fits

_LOST = frozenset(
    "KilledWorker FutureCancelledError FutureLostError CommClosedError TimeoutError CancelledError "
    "NoValidWorkerError ClosedClientError".split()
)
"""The errors of ``distributed`` that say that a worker, the scheduler or a result is gone."""
_ADVICE = "connect a new distributed.Client, or close this one to compute in this process"
_CHECKED: WeakSet[Any] = WeakSet()
"""The clients whose workers are known to have this version of burn_array."""
_STARTED: list[ref[Any]] = []
"""The arrays whose values were started by ``persist``."""


def current_client() -> Any:
    """Return the ``distributed.Client`` that dask would compute with, ``None`` if it computes in this process."""
    distributed = sys.modules.get("distributed")
    if distributed is None:
        return None
    scheduler = dask.config.get("scheduler", None)
    if scheduler is not None and scheduler not in ("dask.distributed", "distributed"):
        return scheduler if isinstance(scheduler, distributed.Client) else None
    try:
        return distributed.Client.current(allow_global=True)
    except ValueError:
        return None


def compute(function: str, arrays: Sequence[Any]) -> tuple[Any, ...]:
    """Return the values of dask arrays as arrays of the device of their blocks, computed in one pass.

    Raises
    ------
    ClusterLostError
        If the cluster that computes goes away.
    OutOfMemoryError
        If the values do not fit the memory of one place; nothing is computed then.
    """
    fits(function, sum(x.nbytes for x in arrays), "in this process")
    _check_client(function)
    try:
        found: tuple[Any, ...] = dask.compute(*arrays, traverse=False)
    except Exception as error:
        raise _explained(function, error, arrays) from error
    return found


def persist(arrays: Sequence[Any]) -> tuple[Any, ...]:
    """Start to compute dask arrays in one pass, and return arrays that refer to the computed blocks.

    Raises
    ------
    ClusterLostError
        If the cluster that computes goes away.
    """
    _check_client("persist")
    try:
        made: tuple[Any, ...] = dask.persist(*arrays, traverse=False)
    except Exception as error:
        raise _explained("persist", error, arrays) from error
    return made


def note_started(x: Any) -> None:
    """Remember an array for :func:`wait`."""
    _STARTED[:] = [one for one in _STARTED if one() is not None] + [ref(x)]


def wait() -> None:
    """Wait until everything that ``persist`` started is computed.

    Raises
    ------
    ClusterLostError
        If the cluster that computes goes away.
    """
    arrays = [x for x in (one() for one in _STARTED) if x is not None]
    client = current_client()
    if client is None or not arrays:
        return
    _check_client("synchronize")
    futures = [one for x in arrays for one in sys.modules["distributed"].futures_of(x)]
    try:
        sys.modules["distributed"].wait(futures)
        for one in futures:
            if one.status != "finished":
                one.result()
    except Exception as error:
        raise _explained("synchronize", error, arrays) from error


def _explained(function: str, error: Exception, arrays: Sequence[Any]) -> Exception:
    """Return the error of burn_array for an error of a computation."""
    if isinstance(error, BurnArrayError):
        return error
    names = {kind.__name__ for kind in type(error).__mro__}
    if names & _LOST or (isinstance(error, OSError) and current_client() is not None):
        return ClusterLostError(f"{function}: the cluster lost what it computed ({error!r:.200}); {_ADVICE}")
    shown = [f"{x.dtype}{list(x.shape)}" for x in arrays]
    return explain(function, error, shown)


def _check_client(function: str) -> None:
    """Raise at once for a client that is not connected; compare the versions of its workers the first time."""
    client = current_client()
    if client is None:
        return
    if client.status != "running":
        raise ClusterLostError(
            f"{function}: the client of {client.scheduler_info().get('address', 'the scheduler')} is "
            f"{client.status}; {_ADVICE}"
        )
    if client in _CHECKED:
        return
    _warn_of_port(client)
    try:
        found = client.run(installed_version)
    except Exception as error:
        if {kind.__name__ for kind in type(error).__mro__} & _LOST:
            raise _explained(function, error, ()) from error
        raise LibraryError(
            f"{function}: a worker of the cluster cannot import burn_array ({error!r:.200}); install version "
            f"{__version__} there"
        ) from error
    others = sorted({one for one in found.values() if one != __version__})
    if others:
        raise LibraryError(
            f"{function}: burn_array is {__version__} here and {', '.join(others)} on workers of the cluster; "
            f"install one version everywhere"
        )
    _CHECKED.add(client)


def installed_version() -> str:
    """Return the version of burn_array where this runs."""
    return __version__


def _warn_of_port(client: Any) -> None:
    """Warn of a cluster that takes tasks from everyone who reaches its port."""
    address = str(getattr(client.scheduler, "address", ""))
    if address.startswith("tcp://") and not address.startswith(("tcp://127.", "tcp://localhost", "tcp://[::1]")):
        warnings.warn(
            f"the cluster at {address} runs whatever anyone who reaches its port sends; bind it to 127.0.0.1, or use "
            f"distributed.Security(require_encryption=True) with certificates of your own",
            RuntimeWarning,
            stacklevel=6,
        )


def has_unknown_shape(x: Any) -> bool:
    """Return whether dask does not know the shape of an array, as after a filter of its own."""
    return any(n != n for n in x.shape)


def with_known_shape(x: Any) -> Any:
    """Return a dask array whose shape is known; the lengths of its blocks are computed for that if need be."""
    if not has_unknown_shape(x):
        return x
    known = da.Array(x.dask, x.name, x.chunks, meta=x._meta)
    _check_client("asarray")
    try:
        return known.compute_chunk_sizes()
    except Exception as error:
        raise _explained("asarray", error, ()) from error
