"""The old place of ``device``, kept so that arrays pickled by version 0.1 can be loaded."""

from ._core.device import Device as Device
from ._core.device import device as device
