"""Operations of one's own: implementations, fallback, placement, derivatives, errors; placement by ``custom_vjp``."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest
import torch

import burn_array as xp
from burn_array import Device
from burn_array.autodiff import check_grads, custom_vjp, grad, hessian
from burn_array.errors import (
    ArgumentTypeError,
    DeviceMismatchError,
    DeviceNotFoundError,
    GradientError,
    NotSupportedError,
)
from burn_array.operations import Operation, operation, placed


def values(x: Any) -> Any:
    return x.detach().to_numpy()


class Recorder:
    """The operation ``x * y + 1`` with an implementation for one library, which counts its calls."""

    def __init__(self, library: str) -> None:
        self.calls: list[type] = []

        @operation
        def multiply_add(x: Any, y: Any, constant: float = 1.0) -> Any:
            """Return ``x * y + constant``."""
            return x * y + constant

        @multiply_add.implementation(library)
        def native(x: Any, y: Any, constant: float) -> Any:
            self.calls.append(type(x))
            return x * y + constant

        @multiply_add.derivative
        def derivative(g: Any, _result: Any, x: Any, y: Any, _constant: Any) -> Any:
            return g * y, g * x, None

        self.operation = multiply_add


@pytest.fixture
def recorder(device: Device) -> Recorder:
    return Recorder(device.library)


@pytest.fixture
def x(device: Device) -> Any:
    return xp.asarray([1.0, 2.0, 3.0], device=device)


# -- which function runs --------------------------------------------------------------------------


def test_the_implementation_of_the_library_gets_native_arrays(
    device: Device, recorder: Recorder, x: Any
) -> None:
    out = recorder.operation(x, x)
    assert recorder.calls == [type(x._native)]
    assert type(out) is xp.Array
    assert out.device is device
    assert out.dtype == x.dtype
    assert values(out).tolist() == [2.0, 5.0, 10.0]
    assert values(recorder.operation(x, y=x, constant=0.0)).tolist() == [1.0, 4.0, 9.0]


def test_other_libraries_use_the_fallback(device: Device, x: Any) -> None:
    recorder = Recorder("torch" if device.library != "torch" else "numpy")
    assert values(recorder.operation(x, x)).tolist() == [2.0, 5.0, 10.0]
    assert recorder.calls == []


def test_the_longest_device_string_decides() -> None:
    called = []

    @operation
    def f(x: Any) -> Any:
        called.append("fallback")
        return x + 0.0

    def noting(name: str) -> Any:
        def implementation(x: Any) -> Any:
            called.append(name)
            return x + 0.0

        return implementation

    for name in ("torch", "torch:cuda", "torch:cpu"):
        f.implementation(name)(noting(name))
    f(xp.ones(2, device="torch:cpu"))
    f(xp.ones(2, device="numpy"))
    assert called == ["torch:cpu", "fallback"]
    assert repr(f) == "<operation f with implementations for torch, torch:cuda, torch:cpu, all other devices>"


def test_an_operation_keeps_name_and_documentation(recorder: Recorder) -> None:
    assert isinstance(recorder.operation, Operation)
    assert recorder.operation.__name__ == "multiply_add"  # type: ignore[attr-defined]
    assert recorder.operation.__doc__ == "Return ``x * y + constant``."


def test_results_may_be_trees(device: Device, x: Any) -> None:
    class Pair(NamedTuple):
        a: Any
        b: Any

    f = operation(lambda x: {"both": (x, 2.0 * x), "pair": Pair(x, [3])})
    f.implementation(device.library)(lambda x: {"both": (x + 0, 2.0 * x), "pair": Pair(x + 0, [3])})
    out = f(x)
    assert values(out["both"][1]).tolist() == [2.0, 4.0, 6.0]
    assert type(out["pair"]) is Pair
    assert out["pair"].b == [3]


# -- placement ------------------------------------------------------------------------------------


def test_an_uncommitted_operand_follows(device: Device, recorder: Recorder, x: Any) -> None:
    with xp.default_device("torch:cpu" if device.library != "torch" else "numpy"):
        free = xp.asarray([1.0, 1.0, 1.0])
    out = recorder.operation(free, x)
    assert recorder.calls == [type(x._native)]
    assert out.device is device
    assert (out + x).device is device


def test_an_uncommitted_result_follows_in_turn(device: Device, recorder: Recorder) -> None:
    with xp.default_device(device):
        out = recorder.operation(xp.ones(2), xp.ones(2))
    assert out._device is device.uncommitted


def test_ndarrays_are_lifted(device: Device, recorder: Recorder, x: Any) -> None:
    out = recorder.operation(np.ones(3, dtype=x.dtype), x)
    assert out.device is device
    assert recorder.calls == [type(x._native)]


def elsewhere(device: Device) -> Device:
    return xp.device("torch:cpu" if device.library != "torch" else "numpy")


def functions(device: Device) -> list[Any]:
    """Return the product and sum as an operation, and as a function with ``custom_vjp``."""
    by_hand = custom_vjp(lambda x, y: x * y + 1.0, lambda g, _out, x, y: (g * y, g * x))
    return [Recorder(device.library).operation, by_hand]


@pytest.mark.parametrize("number", [0, 1])
def test_operands_committed_to_two_devices_are_a_mismatch(device: Device, x: Any, number: int) -> None:
    f = functions(device)[number]
    y = xp.ones(3, device=elsewhere(device), dtype=x.dtype)
    with pytest.raises(DeviceMismatchError, match="committed to"):
        f(x, y)
    w = x.to_device(device.autodiff()).require_grad()
    for operands in ((w, y), (y, w)):
        with pytest.raises(DeviceMismatchError, match="committed to"):
            f(*operands)


@pytest.mark.parametrize("number", [0, 1])
def test_mixed_strategies_are_a_mismatch(device: Device, x: Any, number: int) -> None:
    w = x.to_device(device.autodiff()).require_grad()
    v = x.to_device(device.autodiff().gradient_checkpointing()).require_grad()
    with pytest.raises(DeviceMismatchError, match="differ in how they differentiate"):
        functions(device)[number](w, v)


@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize("wrapper", ["autodiff", "autodiff[balanced]"])
def test_autodiff_contexts_merge(device: Device, x: Any, wrapper: str, number: int) -> None:
    at = xp.device(f"{device}+{wrapper}")
    w = x.to_device(at).require_grad()
    f = functions(device)[number]
    for operands in ((w, x), (x, w)):
        out = f(*operands)
        assert str(out.device) == str(at)
        assert out.is_tracked
        assert values(xp.sum(out).backward()[w]).tolist() == [1.0, 2.0, 3.0]
    constant = x.to_device(at)
    out = f(constant, x)
    assert str(out.device) == str(at)
    assert not out.is_tracked


@pytest.mark.parametrize("number", [0, 1])
def test_an_uncommitted_parameter_follows_and_gets_its_gradient(device: Device, x: Any, number: int) -> None:
    with xp.default_device(elsewhere(device).autodiff()):
        w = xp.asarray([1.0, 2.0, 3.0], dtype=x.dtype).require_grad()
    out = functions(device)[number](w, x)
    assert out.device == device
    gradient = xp.sum(out).backward()[w]
    assert gradient.device == elsewhere(device)
    assert values(gradient).tolist() == [1.0, 2.0, 3.0]


def test_placed_leaves_what_is_in_place(device: Device, x: Any) -> None:
    first, number, nothing, second = placed("f", x, 1.0, None, x)
    assert first is second is x
    assert (number, nothing) == (1.0, None)
    assert placed("f", 1, "a") == (1, "a")


# -- derivatives ----------------------------------------------------------------------------------


@pytest.mark.needs("64 bits")
def test_the_derivative_is_right(device: Device, recorder: Recorder, x: Any) -> None:
    f = lambda x, y: xp.sum(recorder.operation(x, y) ** 2)  # noqa: E731
    check_grads(f, (x, x + 0.5))
    assert set(recorder.calls) == {type(x._native)}


def test_second_derivatives(device: Device, recorder: Recorder, x: Any) -> None:
    found = hessian(lambda x: xp.sum(recorder.operation(x, x)))(x)
    np.testing.assert_allclose(values(found), 2.0 * np.eye(3))


def test_without_a_derivative_the_fallback_is_recorded(device: Device, x: Any) -> None:
    called = []
    f = operation(lambda x: x * x)

    @f.implementation(device.library)
    def native(x: Any) -> Any:
        called.append(1)
        return x * x

    assert values(grad(lambda x: xp.sum(f(x)))(x)).tolist() == [2.0, 4.0, 6.0]
    assert called == []
    f(x.to_device(device.autodiff()))  # a constant
    assert called == [1]


# -- errors ---------------------------------------------------------------------------------------


def test_no_implementation_for_the_library(device: Device, x: Any) -> None:
    @operation(fallback=False)
    def f(x: Any) -> Any:
        raise AssertionError("it is never called")

    other = elsewhere(device).library
    f.implementation(other)(lambda x: x)
    told = rf"^f: there is no implementation for {device}, only for {other}; .*@f\.implementation\('{device.library}'\)"
    for at in (device, device.autodiff()):
        with pytest.raises(NotSupportedError, match=told):
            f(x.to_device(at))


def test_neither_derivative_nor_fallback(device: Device, x: Any) -> None:
    f = operation(fallback=False)(lambda x: None)
    f.implementation(device.library)(lambda x: x * 1.0)
    f(x.to_device(device.autodiff()))
    with pytest.raises(GradientError, match=r"neither a derivative nor a fallback.*x\.detach\(\)"):
        f(x.to_device(device.autodiff()).require_grad())


def test_an_unknown_library() -> None:
    with pytest.raises(DeviceNotFoundError, match="did you mean 'torch'"):
        operation(lambda x: x).implementation("toch")


def test_no_array_among_the_arguments(recorder: Recorder) -> None:
    with pytest.raises(ArgumentTypeError, match="multiply_add: expected an Array"):
        recorder.operation(1.0, 2.0)
    with pytest.raises(TypeError, match="missing a required argument"):
        recorder.operation()


def test_an_implementation_that_returns_something_else(device: Device, x: Any) -> None:
    wrong = torch.ones(2) if device.library != "torch" else np.ones(2)
    f = operation(lambda x: x)
    f.implementation(device.library)(lambda x: wrong)
    with pytest.raises(
        ArgumentTypeError, match=rf"the implementation for {device} returned \w+\.\w+; return a native"
    ):
        f(x)


def test_parameters_must_be_positional() -> None:
    def f(x: Any, *, scale: float) -> Any:
        return x * scale

    with pytest.raises(ArgumentTypeError, match="'scale' of f must be positional"):
        operation(f)


def test_errors_of_an_implementation_pass(device: Device, x: Any) -> None:
    def broken(x: Any) -> Any:
        raise KeyError("of the user")

    f = operation(lambda x: x)
    f.implementation(device.library)(broken)
    with pytest.raises(KeyError, match="of the user"):
        f(x)
