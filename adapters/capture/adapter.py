"""The device ``capture``: its functions record their calls as steps of a graph, and compute nothing."""

from __future__ import annotations

import operator
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from burn_array.adapter import Adapter
from burn_array.errors import CaptureError, GradientError, NotSupportedError, ValueNeededError
from burn_array.graphs.record import check_fresh, constant, recording
from burn_array.graphs.shapes import rules
from burn_array.graphs.values import NO_VALUE, Traced

from ..common.error_texts import NUMPY_ERRORS
from ..common.numpy_like import DTYPES


def _all_dtypes() -> dict[Any, Any]:
    """Return the dtypes of NumPy, and bfloat16 where the package ``ml_dtypes`` is installed."""
    try:
        from ml_dtypes import bfloat16
    except ImportError:
        return dict(DTYPES)
    brain = np.dtype(bfloat16)
    return {**DTYPES, brain: brain}


class CaptureAdapter(Adapter):
    """The device on which programs are recorded; ``trace`` and ``capture`` make it the default device."""

    name = "capture"
    library = ModuleType("capture")
    array_type = Traced
    absorbs = True
    data_dependent_shapes = False
    dlpack_device = None
    errors = NUMPY_ERRORS
    dtypes = _all_dtypes()
    dtype_of = operator.attrgetter("dtype")  # type: ignore[assignment]
    shape_of = operator.attrgetter("shape")  # type: ignore[assignment]

    def __init__(self, suffix: str) -> None:
        if suffix:
            raise self.absent(suffix)
        super().__init__("")
        self.export_device = (1, 0)  # so that an export is refused by `dlpack`, which says why

    @classmethod
    def present(cls) -> list[str]:
        """Return no device: this one is found by its name alone."""
        return []

    @classmethod
    def versions(cls) -> dict[str, str]:
        return {}

    # -- functions ----------------------------------------------------------------------------

    def find(self, name: str) -> Callable[..., Any]:
        if name == "random.generator":
            return _generator
        if name not in rules() and name != "setitem":
            raise NotSupportedError(
                f"{name} is not available on {self}: it cannot be captured; call it outside of the capture"
            )
        return recording(name)

    # -- values -------------------------------------------------------------------------------

    def adopt(self, value: Any) -> Traced:
        return value if type(value) is Traced else self.from_host(np.asarray(value), None)

    def show(self, native: Traced) -> str:
        return repr(native)

    def item(self, native: Traced) -> Any:
        raise ValueNeededError(NO_VALUE)

    def memory(self, native: Traced) -> tuple[Any, Any]:
        return native.memory, native

    # -- moves --------------------------------------------------------------------------------

    def to_host(self, native: Traced) -> np.ndarray[Any, Any]:
        raise ValueNeededError(NO_VALUE)

    def dlpack(self, native: Traced, *_: Any) -> Any:
        raise ValueNeededError(NO_VALUE)

    def from_host(self, array: np.ndarray[Any, Any], copy: bool | None) -> Traced:
        kept = np.array(array, copy=True)
        return constant("numpy", kept, array, kept.shape, kept.dtype)

    def from_dlpack(self, exporter: Any, copy: bool | None) -> Traced:
        return self.from_host(np.from_dlpack(exporter), True)

    def transfer(self, native: Any, source: Adapter, copy: bool | None) -> Traced | None:
        if source is self:
            return None
        original = native
        if source.is_autodiff:
            if source.is_tracked(native):
                raise GradientError(
                    "a tracked array from outside of the capture would lose its gradient; give it as an argument of "
                    "the function, or take x.detach()"
                )
            native, source = source.unwrapped(native), source.inner
        kept = source.find("copy")(native)
        return constant(str(source), kept, original, source.shape_of(native), source.dtype_of(native))

    def deliver(self, native: Traced, target: Adapter, copy: bool | None) -> Any:
        check_fresh("to_device", native)
        raise CaptureError(
            f"to_device: an array that is being captured cannot be moved to {target}; a graph runs on one device, "
            f"which the replay chooses: graph.on('{target}')"
        )


def _generator(seed: int | None, device: None) -> str:
    """Return what stands for the generator of the device of a replay."""
    if seed is not None:
        raise CaptureError(
            "a seed belongs to a device, which the replay chooses; call random.seed(value, device=...) before it"
        )
    return "generator"
