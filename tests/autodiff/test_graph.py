"""Graphs: how long they keep memory, how deep they can be, what they return, and changes in place."""

from __future__ import annotations

import gc
import threading
import tracemalloc
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import burn_array as xp
from burn_array import Array, Device
from burn_array.errors import GradientError

M = [[1.0, 2.0], [3.0, 4.0]]


@pytest.fixture
def make(device: Device) -> Callable[[Any], Array]:
    """A function that makes a parameter on the device under test."""
    return lambda values: xp.asarray(values, device=device.autodiff()).require_grad()


@pytest.fixture
def without_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def values(x: Array) -> Any:
    return np.asarray(x.detach().to_device("numpy")).tolist()


# -- lifetime -------------------------------------------------------------------------------------


def test_disjoint_graphs_do_not_disturb_each_other(make: Callable[[Any], Array]) -> None:
    a, b, c, d = (make(M) for _ in range(4))
    first, second = a * b, c * d
    assert values(first.backward()[a]) == M
    grads = second.backward()
    assert values(grads[c]) == values(grads[d]) == M


def test_a_shared_part_can_be_used_once(make: Callable[[Any], Array]) -> None:
    a, b, c, e, f = (make(M) for _ in range(5))
    shared, other = a * b, e * f
    first, second = shared * c, other * shared
    first.backward()
    assert values(other.backward(retain_graph=True)[e]) == M
    with pytest.raises(GradientError, match="retain_graph"):
        second.backward()


def test_backward_of_a_part_frees_what_is_behind_it(make: Callable[[Any], Array]) -> None:
    a, b = make(M), make(M)
    s = a * b
    result = xp.log(xp.exp(s))
    s.backward()
    with pytest.raises(GradientError, match="freed"):
        result.backward()


def test_graph_can_be_retained(make: Callable[[Any], Array]) -> None:
    a = make(M)
    y = a * a
    first, second = y.backward(retain_graph=True), y.backward()
    assert values(first[a]) == values(second[a]) == [[2.0, 4.0], [6.0, 8.0]]


def test_a_node_may_be_reached_twice(make: Callable[[Any], Array]) -> None:
    a, b, c = (make(M) for _ in range(3))
    s = a * b
    grads = (s * (c * s)).backward()
    np.testing.assert_allclose(values(grads[a]), 2 * np.array(M) ** 4)


def test_detached_operands_get_nothing(make: Callable[[Any], Array]) -> None:
    x, y, z = (make(M) for _ in range(3))
    grads = ((x * y).detach() * z).backward()
    assert z in grads
    assert x not in grads
    assert grads.get(y) is None


def test_unrelated_backward_in_between(make: Callable[[Any], Array]) -> None:
    x, other = make(M), make(M)
    y = x.detach() * 1.0
    product = (x * y) * y
    (other * other).backward()
    grads = product.backward()
    assert x in grads
    assert y not in grads


def test_deep_node_found_first_through_a_short_path(make: Callable[[Any], Array]) -> None:
    for _ in range(12):
        x = make(M)
        deep = x
        for _ in range(20):
            deep = deep * 1.0
        assert values((x + deep).backward()[x]) == [[2.0, 2.0], [2.0, 2.0]]


def test_graphs_are_freed_without_the_collector(
    make: Callable[[Any], Array], without_collector: None
) -> None:
    x = make(M)
    leaf = weakref.ref(x._native.node)
    y = xp.sum(xp.tanh(x @ x) * x) + xp.sum(xp.linalg.svd(x)[1])
    del x
    assert leaf() is not None
    del y
    assert leaf() is None


@pytest.mark.parametrize("create", [False, True])
def test_memory_stays_flat(without_collector: None, create: bool) -> None:
    def once() -> None:
        x = xp.ones((100, 100), device="numpy+autodiff").require_grad()
        _, s, _ = xp.linalg.svd(x * 2.0, full_matrices=False)
        y = xp.sum(xp.tanh(x @ x) * x) + xp.sum(s)
        y.backward(create_graph=create)

    once()
    tracemalloc.start()
    for _ in range(3):
        once()
    before = tracemalloc.get_traced_memory()[0]
    for _ in range(10):
        once()
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert after - before < 80_000  # one array of the program


def test_saved_values_go_during_the_pass() -> None:
    x = xp.ones(125_000, device="numpy+autodiff").require_grad()
    tracemalloc.start()
    y = x
    for _ in range(20):
        y = xp.sin(y)
    recorded = tracemalloc.get_traced_memory()[0]
    y.backward()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak - recorded < 5_000_000  # five arrays beside the twenty that were saved


def summed(x: Array, count: int) -> Array:
    y = x
    for _ in range(count):
        y = y + x
    return y


def test_a_freed_product_keeps_no_operand(without_collector: None) -> None:
    device = xp.device("numpy+autodiff")
    a, b = (xp.asarray(np.ones((3, 3)), device=device).require_grad() for _ in range(2))
    x, y = a * 2.0, b * 2.0
    kept = [weakref.ref(one._native.value) for one in (x, y)]
    z = x @ y
    del x, y
    xp.sum(z).backward()
    assert [one() for one in kept] == [None, None]
    assert z.shape == (3, 3)


def test_an_operation_takes_two_hundred_bytes() -> None:
    x = xp.asarray([1.0, 2.0], device="numpy+autodiff").require_grad()
    tracemalloc.start()
    y = summed(x, 20_000)
    size = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert size < 200 * 20_000
    assert values(y) == [20_001.0, 40_002.0]


def test_a_million_operations(without_collector: None) -> None:
    x = xp.asarray([1.0, 2.0], device="numpy+autodiff").require_grad()
    y = summed(x, 1_000_000)
    assert values(y.backward()[x]) == [1_000_001.0, 1_000_001.0]


def test_a_long_graph_is_dropped_without_a_pass(make: Callable[[Any], Array]) -> None:
    y = make([1.0])
    for _ in range(100_000):
        y = -y
    del y
    assert gc.collect() >= 0


@pytest.mark.needs("64 bits")
def test_threads_differentiate_at_the_same_time(device: Device) -> None:
    def gradient(number: int, results: dict[int, Any]) -> None:
        for _ in range(20):
            x = xp.asarray([float(number)], device=device.autodiff()).require_grad()
            results[number] = values((x * xp.sin(x)).backward()[x])[0]

    results: dict[int, Any] = {}
    threads = [threading.Thread(target=gradient, args=(number, results)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    numbers = np.arange(8.0)
    np.testing.assert_allclose([results[n] for n in range(8)], np.sin(numbers) + numbers * np.cos(numbers))


# -- gradients ------------------------------------------------------------------------------------


def test_gradients_are_a_container(make: Callable[[Any], Array]) -> None:
    x, y = make([1.0, 2.0]), make([3.0, 4.0])
    grads = (x * y).backward()
    assert len(grads) == 2
    assert [values(g) for g in grads] == [[3.0, 4.0], [1.0, 2.0]]
    assert values(grads.pop(x)) == [3.0, 4.0]
    assert grads.pop(x) is None
    assert x not in grads
    replacement = xp.zeros_like(grads[y])
    grads.replace(y, replacement)
    assert values(grads[y]) == [0.0, 0.0]
    with pytest.raises(GradientError, match="no gradient"):
        grads[x]


def test_gradients_do_not_share_memory(make: Callable[[Any], Array]) -> None:
    x, y, z = make(M), make(M), make(M)
    grads = (xp.sum(x + y) + xp.sum(z)).backward()
    grads[x][0, 0] = 7.0
    grads[z][0, 0] = 9.0
    assert values(grads[y]) == [[1.0, 1.0], [1.0, 1.0]]
    assert values(grads[z])[1] == [1.0, 1.0]


def test_gradients_are_plain_arrays(device: Device, make: Callable[[Any], Array]) -> None:
    x = make([2.0, 3.0])
    gradient = (x * x).backward()[x]
    assert not gradient.device.is_autodiff
    assert str(gradient.device) == str(device)
    assert values(gradient) == [4.0, 6.0]


def test_create_graph_gives_tracked_gradients(make: Callable[[Any], Array]) -> None:
    x = make([2.0, 3.0])
    gradient = xp.sum(x**3).backward(create_graph=True)[x]
    assert gradient.is_tracked
    assert values(gradient.backward()[x]) == [12.0, 18.0]


def test_tracked_gradients_are_arrays_of_their_own(make: Callable[[Any], Array]) -> None:
    x, y = make([1.0, 2.0]), make([3.0, 4.0])
    grads = xp.sum(x + y).backward(create_graph=True)
    first, second = grads[x], grads[y]
    first *= 2.0
    assert values(second) == [1.0, 1.0]
    second[0] = 5.0
    assert values(first) == [2.0, 2.0]


def test_weights_of_the_elements(make: Callable[[Any], Array]) -> None:
    x = make([2.0, 3.0])
    weights = xp.asarray([1.0, 10.0], device=x.device)
    assert values((x * x).backward(weights)[x]) == [4.0, 60.0]


# -- in place -------------------------------------------------------------------------------------


def test_what_was_saved_stays_valid(make: Callable[[Any], Array]) -> None:
    x = make([1.0, 2.0])
    y = x * 1.0
    z = y * y
    y *= 100.0
    y[0] = 5.0
    assert values(xp.sum(z + y).backward()[x]) == [2.0, 104.0]


def test_constants_may_be_changed_after_use(device: Device, make: Callable[[Any], Array]) -> None:
    x = make([1.0, 2.0])
    c = xp.asarray([3.0, 4.0], device=device.autodiff())
    y = x * c
    c *= 0.0
    c[1] = 9.0
    assert values(y.backward()[x]) == [3.0, 4.0]


@pytest.mark.needs("views")
def test_what_shares_memory_changes_too(make: Callable[[Any], Array]) -> None:
    x = make([1.0, 2.0, 3.0])
    y = x * 2.0
    alias, view, copy = xp.asarray(y), y[1:], xp.asarray(y, copy=True)
    y[1] = 0.0
    assert values(y) == values(alias) == [2.0, 0.0, 6.0]
    assert values(view) == [0.0, 6.0]
    assert values(copy) == [2.0, 4.0, 6.0]


def test_rows_change_each_other(make: Callable[[Any], Array]) -> None:
    x = make([[1.0, 2.0], [3.0, 4.0]])
    y = x * 1.0
    y[0, :] += y[1, :]
    y[1, :] *= y[0, :]
    a, b, c, d = 1.0, 2.0, 3.0, 4.0
    assert values(y) == [[a + c, b + d], [c * (a + c), d * (b + d)]]
    assert values(xp.sum(y).backward()[x]) == [[1 + c, 1 + d], [1 + a + 2 * c, 1 + b + 2 * d]]


def test_recurrence_in_a_fresh_array(device: Device, make: Callable[[Any], Array]) -> None:
    x = make(0.5)
    y = xp.zeros(6, device=device.autodiff())
    y[0] = x
    for i in range(1, 6):
        y[i] = y[i - 1] * x
    np.testing.assert_allclose(values(y.backward()[x]), sum(n * 0.5 ** (n - 1) for n in range(1, 7)))


@pytest.mark.needs("views")
def test_memory_is_reused_where_nobody_else_sees_it(device: Device) -> None:
    y = xp.zeros(4, device=device.autodiff())
    before = y._native.value
    del before
    first = id(y._native.value)
    y[0] = 1.0
    y[1] = 2.0
    assert id(y._native.value) == first
    kept = y._native.value
    y[2] = 3.0
    assert y._native.value is not kept


@pytest.mark.needs("64 bits")
def test_shared_host_memory_is_not_written(device: Device) -> None:
    data = np.asarray([1.0, 2.0])
    x = xp.asarray(data, device=device.autodiff())
    x += 1.0
    x[0] = 9.0
    assert data.tolist() == [1.0, 2.0]
    assert values(x) == [9.0, 3.0]


def test_a_tracked_value_makes_an_array_tracked(device: Device, make: Callable[[Any], Array]) -> None:
    x = make([1.0, 2.0])
    y = xp.zeros((2, 2), device=device)
    y[0, :] = x * x
    assert y.is_tracked
    assert values(y.backward()[x]) == [2.0, 4.0]


def test_a_parameter_is_not_changed_in_place(make: Callable[[Any], Array]) -> None:
    x = make([1.0, 2.0])
    with pytest.raises(GradientError, match="parameter"):
        x += 1.0
    with pytest.raises(GradientError, match="parameter"):
        x[0] = 1.0


def test_dtype_is_kept_in_place(make: Callable[[Any], Array]) -> None:
    x = make([1.0, 2.0])
    y = xp.astype(x, xp.float32)
    y += x
    assert y.dtype == xp.float32
    assert values(y.backward()[x]) == [2.0, 2.0]


def test_of_values_written_to_one_element_the_one_that_stays_counts(make: Callable[[Any], Array]) -> None:
    v = make([1.0, 2.0, 3.0])
    z = xp.zeros(3, device=v.device)
    z[xp.asarray([0, 0, 2])] = v * v
    grads = xp.sum(z * xp.asarray([1.0, 10.0, 100.0])).backward()
    stayed = values(z.detach())[0]  # the last one on the host; a GPU writes in any order
    assert stayed == 4.0 or not v.device.is_host
    assert values(grads[v]) == [2.0 if stayed == 1.0 else 0.0, 4.0 if stayed == 4.0 else 0.0, 600.0]


def test_rules_run_where_their_values_are(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    """With several GPUs of one library, operators run on the current one: each part of a graph on its own."""
    entered: list[str] = []

    class Guard:
        def __init__(self, name: str) -> None:
            self.name = name

        def __enter__(self) -> None:
            entered.append(self.name)

        def __exit__(self, *exc: object) -> None:
            entered.append(f"{self.name} left")

    here, host = device.autodiff(), xp.device("numpy+autodiff")
    for one in (here, host):
        monkeypatch.setattr(one.adapter.plain, "guard", Guard(str(one)))  # type: ignore[attr-defined]
    x = xp.asarray([1.0, 2.0], device=here).require_grad()
    y = xp.sum((x * x).to_device(host) * 3.0)
    grads = y.backward()
    assert grads[x].device == device
    assert np.asarray(grads[x].to_device("numpy")).tolist() == [6.0, 12.0]
    names = [str(host), f"{host} left"]
    assert entered[:2] == names
    assert entered[-2:] == [str(here), f"{here} left"]
