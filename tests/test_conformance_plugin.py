"""The plugin that ``burn-array conformance`` hands to pytest."""

from __future__ import annotations

import burn_array
from burn_array._conformance_plugin import warm_up


def test_every_device_has_what_is_called_to_warm_it_up(device: burn_array.Device) -> None:
    warm_up(device)
    assert {"linalg.det", "linalg.svd", "fft.fft", "matmul", "sort"} <= set(device.functions)
