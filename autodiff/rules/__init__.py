"""Derivative rules: one file for each page of the standard, and the ways to declare a rule.

A **vjp** (vector-Jacobian product) is an ordinary Array API program that takes its namespace as a parameter. It
computes the cotangent of one operand from the cotangent ``g`` of the result::

    elementwise("log", lambda xp, g, _out, x: g / xp.conj(x))

    def _sum(xp, g, _out, _x, *, axis, keepdims, **_): ...
    rule("sum", _sum)

Many vjps of element-wise functions multiply ``g`` by the conjugate of the derivative. Declare only the derivative of
such a function. Declare it as text if it is an operand or the result, or, for a function of one operand, a function of
the standard applied to either::

    derivative("tanh", lambda xp, out, _x: 1 - out * out)
    derivative("sin", "cos(x)")
    derivative("multiply", "y", "x")

The lambda takes the parameters of a vjp without ``g``. Both forms run faster than a vjp, which looks up its functions
at every call, and text runs fastest.

**What a vjp gets**: ``vjp(xp, g, out, *operands, **settings)``. The operands and the settings are those of the call, in
the form in which the core calls adapters: every positional argument by position (shapes, axes and Python scalars too),
and every keyword-only argument by keyword. The core leaves out only ``axis=0`` of ``concat`` and ``stack``, and
``copy=None`` of ``reshape``. Declare the settings that you use and take the rest as ``**_``. Do not use a setting
``dtype``: take ``_out.dtype`` or ``_x.dtype``.

**What is saved**: exactly the parameters (``out`` included) whose names do not begin with an underscore, and only for
the operands that are tracked. A parameter whose name begins with an underscore receives a ``ShapeDtype`` (``shape``,
``dtype``, ``ndim``) in place of the array, or ``None`` in ``elementwise`` rules of one or two operands. Save the result
rather than an operand if either would do, and a mask or indices rather than a floating array. Operands that are not
arrays are always passed, whatever their names.

**What a vjp returns**: the cotangent of its operand, or ``None`` for zero. The engine sums over broadcast axes,
broadcasts a cotangent that is smaller than its operand, casts, and takes the real part for a real operand; a vjp does
none of these. It must not change ``g`` or a saved value. It may return ``g`` itself.

**Complex numbers**: ``g = dL/d(Re) + i dL/d(Im)``, and a vjp is the adjoint under ``Re <a, b>``. Write ``xp.conj``,
which returns real values and Python scalars unchanged.

**The namespace** ``xp`` has all functions of the standard with their usual signatures and defaults
(``xp.linalg`` and ``xp.fft`` too), and creation functions create on the right device. Beyond the standard:

=================================  ============================================================================
``xp.scatter_add(x, key, v)``      a new array: ``x`` with ``v`` added at ``x[key]``; repeated indices add up
``xp.getitem(x, key)``             ``x[key]``; use it instead of brackets where a step is negative
``xp.put(x, key, v)``              a new array: ``x`` with ``x[key] = v``
``xp.stop_gradient(x)``            ``x`` as a constant
``xp.is_complex(x)``               whether the dtype of an array or a ``ShapeDtype`` is complex
``xp.is_bool(x)``                  whether the dtype is bool
``xp.real_part(x)``                ``real(x)``; a real array is returned unchanged
=================================  ============================================================================

The same vjp runs in two ways. ``backward`` passes it native values and a namespace of the adapter's functions;
``create_graph`` passes it tracked :class:`burn_array.Array` objects. So use only what both support: ``shape``,
``dtype``, ``ndim``, the arithmetic operators between floating (or complex) arrays and Python scalars, comparison
operators, brackets with integers, slices and ``None``, and ``xp``. Do not use ``x.size``, ``x.T``, methods or ``&``.

**Several operands**: give one vjp for each operand, in order, and ``None`` for an operand without a derivative. If the
cotangents have intermediate results in common, ``joint(name, vjp)`` declares one vjp that returns a tuple with the
cotangent of each positional operand. **Lists** (``concat``, ``stack``): the vjp of a list returns a list of cotangents.
**Variadic** functions (``meshgrid``): declare a joint vjp with ``*arrays``, or ``*_arrays`` for ``ShapeDtype`` objects.

**Several results** (``eigh``, ``svd``, ``slogdet``, ``unstack``): ``g`` and ``out`` are tuples. An element of ``g`` is
``None`` if the loss does not depend on that result.

**Compositions**: ``composition(name, body)`` declares a function that is differentiated by computing it from other
functions. If an operand is tracked, ``body(xp, *operands, **settings)`` runs forward on tracked arrays; otherwise the
function of the library is called. Array operands may also be keywords here (``prepend`` of ``diff``).

**Constants**: ``constant(*names)`` declares functions whose results do not depend on their operands smoothly, or not at
all (``floor``, ``equal``, ``argmax``, ``zeros``). They take tracked arrays and return untracked arrays.

A function without any declaration raises an error when it gets a tracked array; no gradient is dropped silently.

**Structural zeros**: ``masks=True`` says that zeros in the cotangents come from elements that were not chosen
(``where``, ``clip``, ``max``); these cotangents are marked. Where a marked cotangent is zero, the engine sets the
result of an ``elementwise`` rule to zero, even if the vjp gave NaN or infinity there, and marks that result as well.
``moves=True`` says that the rule only moves elements (``reshape``, ``take``, ``sum``), so its result is marked too.
Results of all other rules are not marked.

A formula without a reference follows from the definition of the function; every other formula names its source.
"""

from __future__ import annotations

import inspect
import pkgutil
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

__all__ = [
    "PARTIAL", "RULES", "Composition", "Constant", "Rule",
    "composition", "constant", "derivative", "elementwise", "joint", "load", "rule", "same",
]  # fmt: skip

Vjp = Callable[..., Any]
_POSITIONAL = inspect.Parameter.POSITIONAL_OR_KEYWORD


PARTIAL: set[str] = set()
"""Functions whose rule has no derivative with respect to some operand."""


class Rule:
    """The derivative rules of one function, one for each operand, and the values that each of them reads."""

    __slots__ = (
        "derivatives",
        "elementwise",
        "from_saved",
        "is_joint",
        "masks",
        "moves",
        "name",
        "saves",
        "saves_out",
        "vjps",
    )

    def __init__(
        self,
        name: str,
        vjps: tuple[Vjp | None, ...],
        elementwise: bool,
        is_joint: bool,
        masks: bool,
        moves: bool,
        derivatives: tuple[Vjp | None, ...] = (),
        from_saved: tuple[str | None, ...] = (),
    ) -> None:
        self.name = name
        self.vjps = vjps
        self.elementwise = elementwise
        self.is_joint = is_joint
        self.masks = masks
        self.moves = moves
        self.derivatives = derivatives or (None,) * len(vjps)
        """For each vjp, the derivative by which it multiplies, if the derivative was declared; otherwise ``None``."""
        self.from_saved = from_saved or (None,) * len(vjps)
        """For each vjp, the name of the function that computes its factor from the one value that it reads; ``""`` if
        this value is the factor."""
        self.saves_out = tuple(vjp is not None and "out" in _parameters(vjp)[:1] for vjp in vjps)
        """For each vjp, whether it reads the result."""
        self.saves = tuple(_saves(vjp) for vjp in vjps)
        """For each vjp and each operand, whether its values are read; the last entry holds for further operands."""

    @property
    def arity(self) -> int:
        """The number of positional operands that the vjps take."""
        return max(map(len, self.saves))


class Composition:
    """A function that is differentiated by computing it from other functions."""

    __slots__ = ("body", "name")

    def __init__(self, name: str, body: Callable[..., Any]) -> None:
        self.name = name
        self.body = body


class Constant:
    """A function that has no derivative, or whose derivative is zero."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


RULES: dict[str, Rule | Composition | Constant] = {}


def _parameters(vjp: Vjp) -> list[str]:
    """Return the names of the positional parameters after ``xp`` and ``g``."""
    kinds = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.VAR_KEYWORD)
    return [p.name for p in inspect.signature(vjp).parameters.values() if p.kind not in kinds][2:]


def _saves(vjp: Vjp | None) -> tuple[bool, ...]:
    return () if vjp is None else tuple(not name.startswith("_") for name in _parameters(vjp)[1:])


def _declare(declared: Rule | Composition | Constant) -> None:
    if declared.name in RULES:
        raise ValueError(f"there are two rules for {declared.name}")
    RULES[declared.name] = declared


def elementwise(name: str, *vjps: Vjp | None, masks: bool = False) -> None:
    """Declare the vjps of a function that works element by element."""
    _declare(Rule(name, vjps, True, False, masks, False))


def identity_vjp(_xp: Any, g: Any, _out: Any, _x: Any, _y: Any) -> Any:
    """Return ``g``: the vjp of an operand with respect to which the derivative is 1."""
    return g


def derivative(name: str, *derivatives: Vjp | str | None) -> None:
    """Declare the derivatives of a function that works element by element."""
    functions = tuple(_parsed(d, len(derivatives)) if isinstance(d, str) else d for d in derivatives)
    from_saved = tuple(d.rpartition("(")[0] if isinstance(d, str) else None for d in derivatives)
    vjps = tuple(d and _vjp_from(d) for d in functions)
    _declare(Rule(name, vjps, True, False, False, False, functions, from_saved))


def _parsed(text: str, arity: int) -> Vjp:
    """Return the derivative that a text like ``cos(x)`` or ``y`` names."""
    function, _, operand = text.rstrip(")").rpartition("(")
    names = ("out", "x", "y")[: 1 + arity]
    if operand not in names or (
        function and arity > 1
    ):  # a function of a Python number has a dtype of its own
        raise ValueError(
            f"{text!r} is neither one of {names} nor, for one operand, a function of one of them"
        )
    place = names.index(operand)

    def parsed(xp: Any, *values: Any) -> Any:
        return getattr(xp, function)(values[place]) if function else values[place]

    read = ["xp", *(name if name == operand else f"_{name}" for name in names)]
    parsed.__signature__ = inspect.Signature([inspect.Parameter(one, _POSITIONAL) for one in read])  # type: ignore[attr-defined]
    return parsed


def _vjp_from(derivative: Vjp) -> Vjp:
    """Return the vjp that multiplies by the conjugate of a derivative."""

    def vjp(xp: Any, g: Any, *operands: Any) -> Any:
        return xp.multiply(g, xp.conj(derivative(xp, *operands)))

    first, *rest = inspect.signature(derivative).parameters.values()
    vjp.__signature__ = inspect.Signature([first, first.replace(name="g"), *rest])  # type: ignore[attr-defined]
    return vjp


def rule(name: str, *vjps: Vjp | None, masks: bool = False, moves: bool = False) -> None:
    """Declare the vjps of any other function: one for each operand, ``None`` for an operand without a derivative."""
    _declare(Rule(name, vjps, False, False, masks, moves))


def joint(name: str, vjp: Vjp, *, masks: bool = False, moves: bool = False) -> None:
    """Declare one vjp that returns the cotangents of all positional operands."""
    _declare(Rule(name, (vjp,), False, True, masks, moves))


def composition(name: str, body: Callable[..., Any]) -> None:
    """Declare a function that is differentiated by computing it from other functions."""
    _declare(Composition(name, body))


def constant(*names: str) -> None:
    """Declare functions whose results are constants."""
    for name in names:
        _declare(Constant(name))


@cache
def load() -> dict[str, Rule | Composition | Constant]:
    """Return all rules, after importing every module of this package."""
    for module in pkgutil.iter_modules(__path__):
        import_module(f"{__name__}.{module.name}")
    return RULES
