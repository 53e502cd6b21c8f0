"""Lengths with a name: polynomials with whole coefficients in the lengths of inputs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Monomial = tuple[str, ...]


class Size:
    """A length such as ``1 + 3*batch``: a sum of products of named lengths, each with a whole coefficient."""

    __slots__ = ("terms",)

    def __init__(self, terms: Mapping[Monomial, int]) -> None:
        self.terms: tuple[tuple[Monomial, int], ...] = tuple(
            sorted((key, n) for key, n in terms.items() if n)
        )

    @classmethod
    def named(cls, name: str) -> Size:
        """Return the length with that name."""
        return cls({(name,): 1})

    @property
    def name(self) -> str | None:
        """The name, for a length that is nothing but a name."""
        if len(self.terms) == 1 and self.terms[0][1] == 1 and len(self.terms[0][0]) == 1:
            return self.terms[0][0][0]
        return None

    def at(self, lengths: Mapping[str, int]) -> int:
        """Return the length, given those that have names."""
        total = 0
        for names, coefficient in self.terms:
            for name in names:
                coefficient *= lengths[name]
            total += coefficient
        return total

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Size) and self.terms == other.terms

    def __hash__(self) -> int:
        return hash(self.terms)

    def __str__(self) -> str:
        return " + ".join(_term(names, n) for names, n in self.terms).replace("+ -", "- ")

    __repr__ = __str__


class Scaled:
    """A float that depends on named lengths: ``factor * size``, or ``factor / size``."""

    __slots__ = ("divides", "factor", "size")

    def __init__(self, factor: float, size: Size, divides: bool) -> None:
        self.factor = factor
        self.size = size
        self.divides = divides

    def at(self, lengths: Mapping[str, int]) -> float:
        """Return the number, given the lengths that have names."""
        size = self.size.at(lengths)
        return self.factor / size if self.divides else self.factor * size

    def __eq__(self, other: object) -> bool:
        mine = (self.factor, self.size, self.divides)
        return isinstance(other, Scaled) and mine == (other.factor, other.size, other.divides)

    def __hash__(self) -> int:
        return hash((self.factor, self.size, self.divides))

    def __str__(self) -> str:
        text = f"({self.size})" if len(self.size.terms) > 1 else str(self.size)
        return f"{self.factor!r}{'/' if self.divides else '*'}{text}"

    __repr__ = __str__


def _term(names: Monomial, coefficient: int) -> str:
    product = "*".join(names)
    if not names:
        return str(coefficient)
    return product if coefficient == 1 else f"-{product}" if coefficient == -1 else f"{coefficient}*{product}"


def at_lengths(value: Any, lengths: Mapping[str, int]) -> Any:
    """Return a length or a number as it is for given lengths; anything else as it is."""
    return value.at(lengths) if type(value) in (Size, Scaled) else value
