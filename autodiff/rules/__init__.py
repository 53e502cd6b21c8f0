"""Derivative rules: one file for each page of the standard, and the ways to declare a rule.

A **pull** is an ordinary Array API program that takes its namespace as a parameter. It carries the cotangent
``g`` of a result back to one operand::

    elementwise("log", lambda xp, g, _out, x: g / xp.conj(x))

    def _sum(xp, g, _out, _x, *, axis, keepdims, **_): ...
    rule("sum", _sum)

Where it is ``g`` times the conjugate of the derivative of an element-wise function, declare that alone, as text if it
is one operand or the result, or, of one operand, one function of those::

    derivative("tanh", lambda xp, out, _x: 1 - out * out)
    derivative("sin", "cos(x)")
    derivative("multiply", "y", "x")

The lambda takes what a pull takes but for ``g``. Either costs less than the pull, which looks up its functions at
every call, and the text least.

**What a pull gets**: ``pull(xp, g, out, *operands, **settings)``. The operands and the settings are those of
the call, in the form in which the core calls adapters: every positional argument by position (shapes, axes
and Python scalars too), every keyword-only one by keyword, all of them but for ``axis=0`` of ``concat`` and ``stack``
and ``copy=None`` of ``reshape``, which it leaves out. Declare the settings that you use and take the rest as ``**_``.
Do not use a ``dtype`` setting: take ``_out.dtype`` or ``_x.dtype``.

**What is saved**: exactly the parameters (``out`` included) whose names do not begin with an underscore, and
only for the operands that are tracked. A parameter that begins with an underscore receives an
``Outline`` (``shape``, ``dtype``, ``ndim``) in its place, in ``elementwise`` rules of one or two
operands ``None``. Save the result rather than an operand where either would do, and a mask or indices rather
than a floating array. Non-array operands are always there, whatever their name.

**What a pull returns**: the cotangent of its operand, or ``None`` for zero. Un-broadcasting (both ways: a
result that is smaller than the operand is broadcast to it), casting and taking the real part for a real
operand are done by the engine, never here. It must not change ``g`` or anything saved; it may return ``g``
itself.

**Complex numbers**: ``g = dL/d(Re) + i dL/d(Im)``; a pull is the adjoint under ``Re <a, b>``. Write
``xp.conj``: for real values and Python scalars it returns its argument.

**The namespace** ``xp`` has all functions of the standard with their usual signatures and defaults
(``xp.linalg`` and ``xp.fft`` too), and creation functions create on the right device. Beyond the standard:

=================================  ============================================================================
``xp.scatter_add(x, key, v)``      a new array: ``x`` with ``v`` added at ``x[key]``, repeats accumulating
``xp.getitem(x, key)``             ``x[key]``; use it instead of brackets where a step is negative
``xp.put(x, key, v)``              a new array: ``x`` with ``x[key] = v``
``xp.stop_gradient(x)``            ``x`` as a constant
``xp.is_complex(x)``               whether the dtype of an array or outline is complex
``xp.is_bool(x)``                  whether it is bool
``xp.real_part(x)``                ``real(x)``; a real array as it is
=================================  ============================================================================

The same text runs in two ways: plain ``backward`` hands it values of the library beneath and a namespace of
the adapter's own functions; ``create_graph`` hands it tracked :class:`burn_array.Array` objects. So use only
what both have: ``shape``, ``dtype``, ``ndim``, the operators between floating (or complex) arrays and Python
scalars, comparison operators, brackets with integers, slices and ``None``, and ``xp``. No ``x.size``,
``x.T``, methods, ``&``.

**Several operands**: give one pull for each operand in order, ``None`` for one without derivative. Where the
cotangents share work, ``joint(name, pull)`` declares one pull that returns a tuple, one cotangent for each
positional operand. **Lists** (``concat``, ``stack``): the pull of a list operand returns a list of
cotangents. **Variadic** functions (``meshgrid``): a joint pull with ``*arrays`` (or ``*_arrays`` for
outlines).

**Several results** (``eigh``, ``svd``, ``slogdet``, ``unstack``): ``g`` and ``out`` are tuples, and an
element of ``g`` is ``None`` where the loss does not see that result.

**Compositions**: ``composition(name, body)`` declares a function that is differentiated by computing it from
other functions: ``body(xp, *operands, **settings)`` runs forward on tracked arrays whenever an operand is
tracked, otherwise the function of the library is called. Array operands may also be keywords here (``diff``'s
``prepend``).

**Constants**: ``constant(*names)`` declares functions whose results do not depend on their operands smoothly,
or not at all (``floor``, ``equal``, ``argmax``, ``zeros``): they take tracked arrays and return untracked
ones.

A function with neither raises when it gets a tracked array; a gradient is never dropped silently.

**Structural zeros**: ``masks=True`` says that zeros in the cotangents come from elements that were not chosen
(``where``, ``clip``, ``max``); such cotangents are marked. Wherever a marked cotangent of an ``elementwise``
rule is zero the engine makes the result zero, whatever the pull gave there (NaN, infinity), and passes the
mark on; ``moves=True`` says that the rule only moves elements (``reshape``, ``take``, ``sum``), so the mark
passes too. Any other rule ends it.

The formulas without a reference follow from the definition of the function; others name their source.
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
        """For each pull the derivative that it multiplies by, where it was declared by that."""
        self.from_saved = from_saved or (None,) * len(vjps)
        """For each pull the name of the function that makes its factor from the one value that it reads; ``""``: it is
        that value."""
        self.saves_out = tuple(vjp is not None and "out" in _parameters(vjp)[:1] for vjp in vjps)
        """For each pull, whether it reads the result."""
        self.saves = tuple(_saves(vjp) for vjp in vjps)
        """For each pull and each operand, whether it reads the values; the last one holds for the rest."""

    @property
    def arity(self) -> int:
        """The number of positional operands that the pulls take."""
        return max(map(len, self.saves))


class Composition:
    """A function differentiated by computing it from others."""

    __slots__ = ("body", "name")

    def __init__(self, name: str, body: Callable[..., Any]) -> None:
        self.name = name
        self.body = body


class Constant:
    """A function without derivative, or with derivative zero."""

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
    """Declare the pulls of a function that works element by element."""
    _declare(Rule(name, vjps, True, False, masks, False))


def identity_vjp(_xp: Any, g: Any, _out: Any, _x: Any, _y: Any) -> Any:
    """The pull of an operand that the result grows with, one for one."""
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
    if operand not in names or (function and arity > 1):  # of a Python number a function gives its own dtype
        raise ValueError(f"{text!r} is neither one of {names} nor, of one operand, a function of such a one")
    place = names.index(operand)

    def parsed(xp: Any, *values: Any) -> Any:
        return getattr(xp, function)(values[place]) if function else values[place]

    read = ["xp", *(name if name == operand else f"_{name}" for name in names)]
    parsed.__signature__ = inspect.Signature([inspect.Parameter(one, _POSITIONAL) for one in read])  # type: ignore[attr-defined]
    return parsed


def _vjp_from(derivative: Vjp) -> Vjp:
    """Return the pull that multiplies by a derivative."""

    def vjp(xp: Any, g: Any, *operands: Any) -> Any:
        return xp.multiply(g, xp.conj(derivative(xp, *operands)))

    first, *rest = inspect.signature(derivative).parameters.values()
    vjp.__signature__ = inspect.Signature([first, first.replace(name="g"), *rest])  # type: ignore[attr-defined]
    return vjp


def rule(name: str, *vjps: Vjp | None, masks: bool = False, moves: bool = False) -> None:
    """Declare the pulls of any other function, one for each operand that has a derivative."""
    _declare(Rule(name, vjps, False, False, masks, moves))


def joint(name: str, vjp: Vjp, *, masks: bool = False, moves: bool = False) -> None:
    """Declare one pull that returns the cotangents of all positional operands."""
    _declare(Rule(name, (vjp,), False, True, masks, moves))


def composition(name: str, body: Callable[..., Any]) -> None:
    """Declare a function that is differentiated by computing it from others."""
    _declare(Composition(name, body))


def constant(*names: str) -> None:
    """Declare functions whose results are constants."""
    for name in names:
        _declare(Constant(name))


@cache
def load() -> dict[str, Rule | Composition | Constant]:
    """Return all rules, after importing every file of this package."""
    for module in pkgutil.iter_modules(__path__):
        import_module(f"{__name__}.{module.name}")
    return RULES
