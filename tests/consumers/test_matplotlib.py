"""matplotlib plots arrays."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.axes import Axes

import burn_array


@pytest.fixture
def axes() -> Iterator[Axes]:
    """Axes of a figure that is drawn when the test ends."""
    plt.switch_backend("Agg")
    figure, axes = plt.subplots()
    yield axes
    figure.savefig(io.BytesIO())
    plt.close(figure)


@pytest.fixture
def x(device: burn_array.Device) -> Any:
    return burn_array.asarray([1.0, 2.0, 4.0], device=device)


@pytest.fixture
def square(device: burn_array.Device) -> Any:
    return burn_array.reshape(burn_array.arange(12.0, device=device), (3, 4))


def test_plot(axes: Axes, x: Any) -> None:
    (line,) = axes.plot(x, x**2, "o-")
    np.testing.assert_array_equal(line.get_xdata(), [1.0, 2.0, 4.0])
    np.testing.assert_array_equal(line.get_ydata(), [1.0, 4.0, 16.0])


def test_a_line_for_each_column(axes: Axes, square: Any) -> None:
    lines = axes.plot(square)
    np.testing.assert_array_equal(np.stack([line.get_ydata() for line in lines], axis=1), np.asarray(square))


def test_imshow(axes: Axes, square: Any) -> None:
    np.testing.assert_array_equal(np.asarray(axes.imshow(square).get_array()), np.asarray(square))


def test_scatter(axes: Axes, x: Any) -> None:
    points = axes.scatter(x, x, c=x, s=10 * x)
    np.testing.assert_array_equal(np.asarray(points.get_offsets()), [[1, 1], [2, 2], [4, 4]])
    np.testing.assert_array_equal(np.asarray(points.get_array()), [1.0, 2.0, 4.0])


def test_histogram_and_bars(axes: Axes, x: Any) -> None:
    counts, _, _ = axes.hist(x, bins=3)
    assert np.asarray(counts).tolist() == [1.0, 1.0, 1.0]
    assert [bar.get_height() for bar in axes.bar(x, 2 * x)] == [2.0, 4.0, 8.0]


def test_other_plots(axes: Axes, x: Any, square: Any) -> None:
    assert axes.fill_between(x, 0 * x, x) in axes.collections
    assert axes.errorbar(x, x, yerr=0.1 * x).has_yerr
    contours: Any = axes.contourf(square)
    assert (contours.zmin, contours.zmax) == (0.0, 11.0)
    np.testing.assert_array_equal(np.asarray(axes.pcolormesh(square).get_array()), np.asarray(square))
    assert np.asarray(axes.axhline(x[0]).get_ydata(), dtype=float).tolist() == [1.0, 1.0]
