"""A notebook shows small arrays as HTML tables and large ones as text."""

from __future__ import annotations

import re
from typing import Any

import pytest

import burn_array


def cells(text: str) -> list[list[str]]:
    """Return the cells of a table in HTML, row by row."""
    return [re.findall("<td>(.*?)</td>", row) for row in re.findall("<tr>(.*?)</tr>", text)]


def shown(values: Any, device: Any, **settings: Any) -> str:
    """Return the HTML of an array."""
    text = burn_array.asarray(values, device=device, **settings)._repr_html_()
    assert isinstance(text, str)
    return text


@pytest.mark.needs("64 bits")
def test_matrix(device: burn_array.Device) -> None:
    text = shown([[1.5, 2.0], [-1.0, 1e-3]], device)
    assert cells(text) == [["1.5e+00", "2.0e+00"], ["-1.0e+00", "1.0e-03"]]
    assert f"float64[2, 2] on {device}" in text


def test_vector_number_bools_and_complex_numbers(device: burn_array.Device) -> None:
    assert cells(shown([1, 20], device)) == [["1", "20"]]
    assert cells(shown(7, device)) == [["7"]]
    assert cells(shown([True, False], device)) == [["True", "False"]]
    assert cells(shown([1 + 2j], device)) == [["1.+2.j"]]


@pytest.mark.needs("64 bits")
def test_large_and_deep_arrays_are_shown_as_text(device: burn_array.Device) -> None:
    text = burn_array.zeros((100, 100), device=device)._repr_html_()
    assert "<table>" not in text
    assert "<pre>" in text
    assert len(text) < 2000
    assert "<pre>" in burn_array.zeros((2, 2, 2), device=device)._repr_html_()
    assert "float64[0]" in burn_array.zeros(0, device=device)._repr_html_()


def test_tracked_arrays_are_shown(device: burn_array.Device) -> None:
    x = burn_array.ones(2, device=device.autodiff()).require_grad()
    assert cells((x * 2)._repr_html_()) == [["2.", "2."]]
    assert "+autodiff" in x._repr_html_()
