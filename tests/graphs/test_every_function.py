"""Every function, traced and replayed, gives what it gives when it is called: one call a line, on every device."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import burn_array
from burn_array.errors import BurnArrayError, CaptureError, NotSupportedError
from burn_array.graphs.shapes import rules
from burn_array.graphs.shapes.special import ELEMENTWISE


def _pages() -> ModuleType:
    path = Path(__file__).parents[1] / "core" / "test_pages.py"
    spec = importlib.util.spec_from_file_location("pages_of_the_standard", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PAGES = _pages()
NO_ARRAYS = (".shape", "result_type", "can_cast", "isdtype", "info", "broadcast_shapes", "empty")
REFUSED = (
    "nonzero(i", "unique_", "repeat(f, k", "f[b]", "random.choice(v, (2,), p=v)",
)  # fmt: skip
"""Calls whose shapes depend on values, and one that reads them."""
CALLS = [
    code for code in (*PAGES.CALLS, *PAGES.FURTHER) if not any(word in code for word in (*NO_ARRAYS, "__"))
]
CALLS = [code for code in CALLS if "count_nonzero" in code or not any(word in code for word in REFUSED)]


def program(xp: ModuleType, code: str) -> Callable[[dict[str, Any]], Any]:
    """Return a call as a function of its arrays."""
    return lambda arrays: eval(code, {"xp": xp}, dict(arrays))


@pytest.mark.parametrize("code", CALLS)
def test_a_replay_equals_the_call(xp: ModuleType, replays: Callable[..., Any], code: str) -> None:
    arrays = {name: xp.asarray(a.copy()) for name, a in PAGES.samples().items()}
    if "random." in code:
        xp.random.seed(3)
        state = xp.random.get_state()
        with np.errstate(all="ignore"):
            wanted = program(xp, code)(arrays)
            graph = xp.trace(program(xp, code), arrays)
            xp.random.set_state(state)
            assert graph(arrays).tolist() == wanted.tolist()
        return
    replays(program(xp, code), arrays)


@pytest.mark.parametrize(
    "code",
    ["xp.nonzero(i)", "xp.unique_all(i)", "xp.unique_counts(i)", "xp.unique_inverse(i)", "xp.unique_values(i)",
     "xp.repeat(f, k, axis=1)", "f[b]", "f[i > 2]"],
)  # fmt: skip
def test_shapes_that_depend_on_values_are_refused(xp: ModuleType, code: str) -> None:
    arrays = {name: xp.asarray(a.copy()) for name, a in PAGES.samples().items()}
    with pytest.raises(CaptureError, match=r"depends on values.*(where|outside)"):
        xp.trace(program(xp, code), arrays)


def test_every_function_has_a_rule(load_program: Callable[[str], ModuleType]) -> None:
    settled = load_program("tests/packaging/test_architecture.py").SETTLED_BY_THE_CORE
    for name in PAGES.FUNCTIONS:
        page, _, last = name.rpartition(".")
        if page == "linalg" and getattr(burn_array, last, None) is getattr(burn_array.linalg, last):
            name = last
        assert name in settled or name in rules(), name


# -- dtypes -------------------------------------------------------------------------------------

DTYPES = [
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64",
    "complex64", "complex128",
]  # fmt: skip
FEW = ["bool", "int8", "int64", "uint8", "float32", "float64", "complex128"]
"""A dtype of each kind and width, for libraries that compile a kernel for each pair of dtypes."""


def dtypes_on(device: burn_array.Device) -> list[str]:
    """Return the names of the dtypes to test on a device."""
    return DTYPES if device.library in ("numpy", "torch") else FEW


BINARY = (
    "add multiply divide pow maximum less equal remainder floor_divide bitwise_and logical_or atan2 hypot copysign "
    "bitwise_left_shift matmul"
).split()
UNARY = (
    "abs exp sqrt negative floor round sign isnan signbit conj bitwise_invert sum prod mean std max argmin any "
    "cumulative_sum sort square reciprocal count_nonzero logical_not"
).split()
SCALARS: list[Any] = [True, 2, -1, 300, 2**40, 2.5, 1e300, 1j]


def _outcome(call: Callable[[], Any]) -> Any:
    """Return the dtype of the result of a call, or the class of its error."""
    with np.errstate(all="ignore"):
        try:
            return call().dtype
        except BurnArrayError as error:
            return next(kind for kind in type(error).__mro__ if kind.__module__ == "builtins")


def agree(found: Any, wanted: Any, on_numpy: Callable[[], Any]) -> bool:
    """Return whether a graph ends as the call does, or with an error as on NumPy, whose rules a graph follows."""
    if found == wanted:
        return True
    return isinstance(found, type) and (isinstance(wanted, type) or found == _outcome(on_numpy))


def at_home(*args: Any) -> list[Any]:
    """Return arrays on NumPy."""
    return [x.to_device("numpy") if type(x) is burn_array.Array else x for x in args]


def traced(f: Callable[..., Any], *args: Any) -> Any:
    """Return what a graph of a function gives."""
    return burn_array.trace(f, *args)(*args)


def beside(function: Callable[..., Any], number: Any) -> Callable[[Any], Any]:
    """Return a function with a number as its second operand."""
    return lambda x: function(x, number)


@pytest.mark.parametrize("name", BINARY)
def test_dtypes_of_two_operands(xp: ModuleType, name: str) -> None:
    made = {dtype: xp.ones((2, 2), dtype=dtype) for dtype in dtypes_on(xp.default_device())}
    function = getattr(xp, name)
    for a in made.values():
        for b in made.values():
            wanted = _outcome(partial(function, a, b))
            found = _outcome(partial(traced, function, a, b))
            assert agree(found, wanted, partial(function, *at_home(a, b))), (a.dtype, b.dtype, found, wanted)


@pytest.mark.parametrize("name", UNARY)
def test_dtypes_of_one_operand(xp: ModuleType, name: str) -> None:
    for dtype in dtypes_on(xp.default_device()):
        x = xp.ones((3,), dtype=dtype)
        wanted = _outcome(partial(getattr(xp, name), x))
        found = _outcome(partial(traced, getattr(xp, name), x))
        assert agree(found, wanted, partial(getattr(xp, name), *at_home(x))), (dtype, found, wanted)


@pytest.mark.parametrize("name", ["add", "pow", "less", "bitwise_or", "divide", "remainder", "maximum"])
def test_dtypes_beside_a_number(xp: ModuleType, name: str) -> None:
    function = getattr(xp, name)
    for dtype in dtypes_on(xp.default_device()):
        x = xp.ones((3,), dtype=dtype)
        for number in SCALARS:
            wanted = _outcome(partial(function, x, number))
            found = _outcome(partial(traced, beside(function, number), x))
            assert agree(found, wanted, partial(function, *at_home(x, number))), (
                dtype,
                number,
                found,
                wanted,
            )


@pytest.mark.library("torch")
def test_brain_floats(replays: Callable[..., Any]) -> None:
    pytest.importorskip("torch")
    ml_dtypes = pytest.importorskip("ml_dtypes")
    xp = burn_array
    x = xp.astype(xp.asarray([[1.0, 2.0], [3.0, 4.5]], device="torch:cpu"), ml_dtypes.bfloat16)
    y = xp.ones((2,), dtype="float32", device="torch:cpu")
    z = xp.ones((2,), dtype="int8", device="torch:cpu")
    h = xp.ones((2,), dtype="float16", device="torch:cpu")
    for f in (lambda x, y, z, h: xp.sin(x) * 2 + 1.5, lambda x, y, z, h: x + y, lambda x, y, z, h: x @ x + z,
              lambda x, y, z, h: xp.sum(x, axis=0) + h, lambda x, y, z, h: xp.exp(h) - 1):  # fmt: skip
        replays(f, x, y, z, h)


# -- special functions --------------------------------------------------------------------------

ARGUMENTS = {
    "betaln": 2, "binom": 2, "boxcox": 2, "boxcox1p": 2, "chdtr": 2, "chdtrc": 2, "chdtri": 2, "expn": 2, "gammainc": 2,
    "gammaincc": 2, "gammainccinv": 2, "gammaincinv": 2, "huber": 2, "inv_boxcox": 2, "inv_boxcox1p": 2, "kl_div": 2,
    "pdtr": 2, "pdtrc": 2, "pdtri": 2, "poch": 2, "polygamma": 2, "pseudo_huber": 2, "rel_entr": 2, "stdtr": 2,
    "stdtrit": 2, "xlog1py": 2, "xlogy": 2, "yn": 2, "zeta": 2,
    "bdtr": 3, "bdtrc": 3, "bdtri": 3, "betainc": 3, "betaincc": 3, "betaincinv": 3, "fdtr": 3, "fdtrc": 3, "fdtri": 3,
    "gdtr": 3, "gdtrc": 3, "hyp1f1": 3, "lpmv": 3, "nbdtr": 3, "nbdtrc": 3, "nbdtri": 3, "radian": 3,
}  # fmt: skip
"""How many operands a special function has, if more than one."""


@pytest.mark.parametrize("name", [name for name in ELEMENTWISE.split() if name != "multigammaln"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_special_functions(xp: ModuleType, replays: Callable[..., Any], name: str, dtype: str) -> None:
    function = getattr(xp.special, name, None) or getattr(xp.special.distributions, name)
    x = xp.asarray([0.25, 0.5, 0.75], dtype=dtype)
    first = xp.asarray([1, 2, 3], dtype="int64" if name.startswith("bdtr") else dtype)
    operands = [first, first, x][-ARGUMENTS.get(name, 1) :] if ARGUMENTS.get(name, 1) > 1 else [x]
    try:
        function(*operands)
    except NotSupportedError:
        with pytest.raises(NotSupportedError):
            xp.trace(function, *operands)(*operands)
        return
    replays(function, *operands)
    if len(operands) > 1:
        replays(lambda *rest: function(2, *rest), *operands[1:])


@pytest.mark.parametrize("code", ["logsumexp(x, axis=0)", "softmax(x, axis=1)", "log_softmax(x)",
                                  "logsumexp(x, keepdims=True)", "multigammaln(x + 3, 2)"])  # fmt: skip
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_special_functions_along_an_axis(
    xp: ModuleType, replays: Callable[..., Any], code: str, dtype: str
) -> None:
    x = xp.asarray([[0.5, 1.0, 2.0], [3.0, -1.0, 0.25]], dtype=dtype)
    replays(lambda x: eval(f"xp.special.{code}", {"xp": xp}, {"x": x}), x)
