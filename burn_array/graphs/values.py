"""What a graph is made of: specs, operands, steps and constants, and the values that stand for arrays in a capture."""

from __future__ import annotations

import operator
from collections.abc import Callable
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import ValueNeededError

if TYPE_CHECKING:
    from .._core.device import Device
    from .record import Recorder

NO_VALUE = (
    "an array that is being captured has no value; choose with where(condition, x, y), make it a result of the graph, "
    "or compute it outside of the capture"
)


class Spec:
    """The shape and dtype of an array; a length is an int, or a ``Size`` if it has a name."""

    __slots__ = ("dtype", "shape")

    def __init__(self, shape: tuple[Any, ...], dtype: Any) -> None:
        self.shape = shape
        self.dtype = dtype

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Spec) and self.shape == other.shape and self.dtype == other.dtype

    def __hash__(self) -> int:
        return hash((self.shape, self.dtype))

    def __repr__(self) -> str:
        return f"{self.dtype}[{', '.join(map(str, self.shape))}]"


class Ref:
    """An operand of a step: the number of a value of the graph."""

    __slots__ = ("number",)

    def __init__(self, number: int) -> None:
        self.number = number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ref) and self.number == other.number

    def __hash__(self) -> int:
        return hash(("Ref", self.number))

    def __repr__(self) -> str:
        return f"%{self.number}"


class Step(NamedTuple):
    """One call of a function of the standard.

    Attributes
    ----------
    name : str
        The name of the function, as in ``"linalg.svd"``; ``"getitem"`` and ``"setitem"`` for ``x[key]`` and assignment.
    args, settings : tuple, dict
        What the function gets; a ``Ref`` stands for an array.
    outs : tuple of int
        The numbers of its results.
    several : bool
        Whether the function returns a tuple.
    source : tuple of str and int, or None
        The file and the line of the program that made the call.
    """

    name: str
    args: tuple[Any, ...]
    settings: dict[str, Any]
    outs: tuple[int, ...]
    several: bool
    source: tuple[str, int] | None = None


class Memory:
    """The memory that views share; ``version`` counts the assignments."""

    __slots__ = ("version",)

    def __init__(self) -> None:
        self.version = 0


class Constant:
    """A copy of an array from outside of a capture, on its own device.

    ``original`` is the array that was copied, as long as the program is recorded.
    """

    __slots__ = ("device", "native", "original")

    def __init__(self, device: Device, native: Any, original: Any) -> None:
        self.device = device
        self.native = native
        self.original = original


class Traced:
    """A value of a capture: a number, a shape and a dtype in place of elements.

    A value without a recorder holds a ``constant``, and belongs to the capture that first uses it.
    """

    __slots__ = (
        "__weakref__",
        "constant",
        "dtype",
        "memory",
        "recorder",
        "ref",
        "shape",
        "taken",
        "version",
        "written",
    )

    def __init__(self, recorder: Recorder | None, ref: Ref, shape: tuple[int, ...], dtype: Any) -> None:
        self.recorder = recorder
        self.ref = ref
        self.shape = shape
        self.dtype = dtype
        self.memory = Memory()
        self.version = 0
        self.constant: Constant | None = None
        self.taken: tuple[Traced, Any] | None = None
        """For a basic ``x[key]``: the array it was taken from, and the key."""
        self.written: tuple[Traced, Any] | None = None
        """After an assignment to all of such a view: the same."""

    ndim = property(lambda self: len(self.shape))
    size = property(lambda self: prod(self.shape))

    __array_ufunc__ = None

    def _no_value(self, *_: Any, **__: Any) -> Any:
        raise ValueNeededError(NO_VALUE)

    __bool__ = __int__ = __float__ = __complex__ = __index__ = __array__ = _no_value

    def __repr__(self) -> str:
        return f"{self.ref if self.recorder is not None else 'constant'}: {self.dtype}{list(self.shape)}"

    # Derivative rules use operators on native values.

    def __add__(self, other: Any) -> Any:
        return CALL("add", self, other)

    def __radd__(self, other: Any) -> Any:
        return CALL("add", other, self)

    def __sub__(self, other: Any) -> Any:
        return CALL("subtract", self, other)

    def __rsub__(self, other: Any) -> Any:
        return CALL("subtract", other, self)

    def __mul__(self, other: Any) -> Any:
        return CALL("multiply", self, other)

    def __rmul__(self, other: Any) -> Any:
        return CALL("multiply", other, self)

    def __truediv__(self, other: Any) -> Any:
        return CALL("divide", self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return CALL("divide", other, self)

    def __floordiv__(self, other: Any) -> Any:
        return CALL("floor_divide", self, other)

    def __mod__(self, other: Any) -> Any:
        return CALL("remainder", self, other)

    def __pow__(self, other: Any) -> Any:
        return CALL("pow", self, other)

    def __rpow__(self, other: Any) -> Any:
        return CALL("pow", other, self)

    def __matmul__(self, other: Any) -> Any:
        return CALL("matmul", self, other)

    def __and__(self, other: Any) -> Any:
        return CALL("bitwise_and", self, other)

    def __or__(self, other: Any) -> Any:
        return CALL("bitwise_or", self, other)

    def __xor__(self, other: Any) -> Any:
        return CALL("bitwise_xor", self, other)

    def __invert__(self) -> Any:
        return CALL("bitwise_invert", self)

    def __neg__(self) -> Any:
        return CALL("negative", self)

    def __abs__(self) -> Any:
        return CALL("abs", self)

    def __lt__(self, other: Any) -> Any:
        return CALL("less", self, other)

    def __le__(self, other: Any) -> Any:
        return CALL("less_equal", self, other)

    def __gt__(self, other: Any) -> Any:
        return CALL("greater", self, other)

    def __ge__(self, other: Any) -> Any:
        return CALL("greater_equal", self, other)

    def __eq__(self, other: object) -> Any:
        return CALL("equal", self, other)

    def __ne__(self, other: object) -> Any:
        return CALL("not_equal", self, other)

    __hash__ = object.__hash__

    def __getitem__(self, key: Any) -> Any:
        return CALL("getitem", self, key)

    T = property(lambda self: CALL("matrix_transpose", self))
    mT = property(lambda self: CALL("matrix_transpose", self))
    real = property(lambda self: CALL("real", self))
    imag = property(lambda self: CALL("imag", self))


def _call(name: str, *args: Any) -> Any:
    from .record import recording

    return recording(name)(*args)


CALL: Callable[..., Any] = _call


def refs_in(value: Any) -> list[Ref]:
    """Return the operands in an argument of a step, at any level, in their order."""
    if type(value) is Ref:
        return [value]
    if type(value) in (tuple, list):
        return [ref for one in value for ref in refs_in(one)]
    if type(value) is dict:
        return [ref for one in value.values() for ref in refs_in(one)]
    return []


def mapped(value: Any, change: Callable[[Any], Any]) -> Any:
    """Return an argument of a step with ``change`` applied to all that is no tuple, list, dict or slice."""
    kind = type(value)
    if kind is tuple or kind is list:
        return kind([mapped(one, change) for one in value])
    if kind is dict:
        return {key: mapped(one, change) for key, one in value.items()}
    if kind is slice:
        return slice(*(mapped(one, change) for one in (value.start, value.stop, value.step)))
    return change(value)


SCALARS = (bool, int, float, complex)

shape_of = operator.attrgetter("shape")
dtype_of = operator.attrgetter("dtype")
