"""Pickles made by version 0.1 name ``device`` here."""

from ._core.device import Device as Device
from ._core.device import device as device
