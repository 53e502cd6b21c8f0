"""The functions of JAX by page of the standard, and the moves. Importing this module imports JAX."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from burn_array.adapter import Adapter
from burn_array.errors import CopyRequiredError

from .adapter import JaxDevice, _suffix
from .creation_functions import CreationFunctions
from .data_type_functions import DataTypeFunctions
from .elementwise_functions import ElementwiseFunctions
from .fft import FourierExtension
from .indexing import IndexingFunctions
from .linalg import LinearAlgebraFunctions
from .manipulation_functions import ManipulationFunctions
from .random import RandomExtension
from .searching_functions import SearchingFunctions
from .set_functions import SetFunctions
from .special import JaxSpecialFunctions
from .statistical_functions import StatisticalFunctions
from .transforms import register
from .utility_functions import UtilityFunctions

_HOST = (1, 0)
_OLDEST = (0, 5)
"""The oldest version of DLPack that JAX exports."""
_MEMORY = {"cpu": 1, "cuda": 2, "rocm": 10}
"""The DLPack device types of JAX's platforms."""


class LoadedJaxAdapter(
    CreationFunctions,
    DataTypeFunctions,
    ElementwiseFunctions,
    IndexingFunctions,
    ManipulationFunctions,
    SearchingFunctions,
    SetFunctions,
    StatisticalFunctions,
    UtilityFunctions,
    LinearAlgebraFunctions,
    FourierExtension,
    RandomExtension,
    JaxSpecialFunctions,
    JaxDevice,
):
    """One device of JAX, with JAX imported."""

    library = jnp
    array_type = type(jnp.zeros(()))
    foreign_types = (jax.core.Tracer,)

    def load(self) -> None:
        """Switch 64-bit dtypes on, and find JAX's own object for the device."""
        settings: Any = jax.config
        settings.update("jax_enable_x64", bool(self.float_dtype == np.float64))
        device = next((one for one in jax.devices(self._platform()) if _suffix(one) == self.suffix), None)
        if device is None:
            raise self.absent(self.suffix)
        self.native_device = device
        kind = _MEMORY.get(
            device.client.platform_version.split()[0].lower() if self.suffix != "cpu" else "cpu"
        )
        self.dlpack_device = None if kind is None else (kind, 0 if kind == 1 else device.local_hardware_id)
        register()

    def _platform(self) -> str:
        return self.suffix.partition(":")[0]

    def open(self) -> None:
        """Do nothing: JAX is imported."""

    # -- values -------------------------------------------------------------------------------

    def adopt(self, value: Any) -> Any:
        return value if isinstance(value, jax.Array) else jnp.asarray(value, device=self.native_device)

    def item(self, native: Any) -> Any:
        return native.item()

    def show(self, native: Any) -> str | None:
        """Return what is known of a value that JAX traces: its dtype and shape."""
        if not isinstance(native, jax.core.Tracer):
            return None
        shape = ", ".join(map(str, native.shape))
        return f"traced {native.dtype}[{shape}]"

    def compiler(self) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        return jax.jit

    def synchronize(self) -> None:
        """Wait for all work: a new array is there once everything queued before it is done."""
        jax.device_put(np.zeros(()), self.native_device).block_until_ready()

    # -- moves --------------------------------------------------------------------------------

    def to_host(self, native: Any) -> np.ndarray[Any, Any]:
        return np.asarray(native)

    def from_host(self, array: np.ndarray[Any, Any], copy: bool | None) -> Any:
        if copy is False:
            raise CopyRequiredError(
                f"arrays of {self} are immutable and cannot share memory that NumPy may write; leave copy=False away"
            )
        return jnp.array(array, copy=True, device=self.native_device)

    def from_dlpack(self, exporter: Any, copy: bool | None) -> Any:
        if isinstance(exporter, jax.Array):
            return self.adopt(exporter)
        if copy is False:
            return jnp.from_dlpack(exporter)
        return jnp.from_dlpack(exporter, device=self.native_device, copy=True)

    def dlpack(
        self,
        native: Any,
        stream: Any,
        max_version: tuple[int, int] | None,
        dl_device: tuple[int, int] | None,
        copy: bool | None,
    ) -> Any:
        wanted = self.dlpack_device if dl_device is None else tuple(map(int, dl_device))
        if wanted != self.dlpack_device and (copy is False or wanted != _HOST):
            raise BufferError(f"memory of {self} cannot be exported as the DLPack device {wanted}")
        if max_version is not None and max_version < _OLDEST:
            max_version = _OLDEST  # JAX refuses older ones; consumers take the same capsule for all below 1.0
        return super().dlpack(native, stream, max_version, dl_device, copy)

    def transfer(self, native: Any, source: Adapter, copy: bool | None) -> Any:
        if not isinstance(source, JaxDevice):
            return None
        if source.native_device is self.native_device:
            return jnp.array(native, copy=True) if copy else native
        if copy is False:
            raise CopyRequiredError(f"{source} and {self} share no memory, so copy=False cannot be met")
        return jax.device_put(native, self.native_device)
