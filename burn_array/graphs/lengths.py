"""Named lengths: trace a function at several lengths, and find how each number of the graph depends on them.

The lengths that are tried decide what is found. The small ones differ in their remainders by all small numbers, so that
``n // 2`` is no polynomial through them; a large one shows limits and branches; 0 to 3 tell where the graph begins to
hold.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, count
from typing import TYPE_CHECKING, Any

from ..errors import ArgumentError, CaptureError
from .graph import Graph, Input
from .passes import frozen
from .printing import source_text
from .record import same_content
from .size import Monomial, Scaled, Size, at_lengths
from .values import Ref, Spec, Step, mapped

if TYPE_CHECKING:
    from .tracing import Traceable

_SMALL = (5, 8, 12, 37, 14, 23, 9, 30, 19, 6, 25, 11, 44, 17, 33, 28, 47, 10, 21, 39)
_LARGE = 10_000
_LEAST = (3, 2, 1, 0)
Lengths = Mapping[str, int]


def monomials(names: Sequence[str]) -> list[Monomial]:
    """Return the products of at most two names; the empty product is 1."""
    return [(), *((name,) for name in names), *combinations_with_replacement(names, 2)]


def probes(names: Sequence[str]) -> list[dict[str, int]]:
    """Return small lengths that tell all polynomials of the second degree apart, and one more."""
    basis = monomials(names)
    found: list[dict[str, int]] = []
    rows: list[list[Fraction]] = []
    for lengths in _candidates(names):
        found.append(lengths)
        rows.append(_row(basis, lengths))
        if len(found) > len(basis) and len(_independent(rows)) == len(basis):
            return found
    raise AssertionError("unreachable")


def _candidates(names: Sequence[str]) -> Iterator[dict[str, int]]:
    """Yield lengths without end, those of one choice all different."""
    for run in count():
        values = [
            _SMALL[(run * (place + 1) + 7 * place) % len(_SMALL)] + run // 20 for place in range(len(names))
        ]
        if len(set(values)) == len(values):
            yield dict(zip(names, values, strict=True))


def _row(basis: Sequence[Monomial], lengths: Lengths) -> list[Fraction]:
    return [Fraction(math.prod(lengths[name] for name in product)) for product in basis]


def _independent(rows: Sequence[Sequence[Fraction]]) -> list[int]:
    """Return the places of the first rows that are linearly independent."""
    reduced: list[list[Fraction]] = []
    places = []
    for place, row in enumerate(rows):
        rest = list(row)
        for one in reduced:
            lead = next(i for i, value in enumerate(one) if value)
            factor = rest[lead] / one[lead]
            rest = [a - factor * b for a, b in zip(rest, one, strict=True)]
        if any(rest):
            reduced.append(rest)
            places.append(place)
    return places


def _solved(matrix: list[list[Fraction]], right: list[Fraction]) -> list[Fraction]:
    """Return the solution of a regular system, by elimination."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    size = len(rows)
    for i in range(size):
        pivot = next(j for j in range(i, size) if rows[j][i])
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [value / rows[i][i] for value in rows[i]]
        for j in range(size):
            if j != i and rows[j][i]:
                factor = rows[j][i]
                rows[j] = [a - factor * b for a, b in zip(rows[j], rows[i], strict=True)]
    return [row[-1] for row in rows]


class Law:
    """Finds how numbers depend on named lengths, from their values at several lengths."""

    def __init__(self, names: Sequence[str], runs: Sequence[Lengths]) -> None:
        self.runs = runs
        self.basis = monomials(names)
        self.rows = [_row(self.basis, lengths) for lengths in runs]
        self.chosen = _independent(self.rows)

    def of_ints(self, values: Sequence[int]) -> int | Size | None:
        """Return the polynomial with whole coefficients that has these values, ``None`` if there is none."""
        if all(value == values[0] for value in values):
            return values[0]
        matrix = [list(self.rows[i]) for i in self.chosen]
        coefficients = _solved(matrix, [Fraction(values[i]) for i in self.chosen])
        if any(one.denominator != 1 for one in coefficients):
            return None
        size = Size({product: int(n) for product, n in zip(self.basis, coefficients, strict=True)})
        return size if all(size.at(run) == v for run, v in zip(self.runs, values, strict=True)) else None

    def of_floats(self, values: Sequence[float]) -> Scaled | None:
        """Return the number that is proportional to a product of lengths or to its inverse, or is a length itself."""
        for size in [*(Size({product: 1}) for product in self.basis[1:]), *self._whole(values)]:
            for divides in (False, True):
                first = size.at(self.runs[0])
                if not first:
                    continue
                factor = values[0] * first if divides else values[0] / first
                found = Scaled(factor, size, divides)
                if all(self._is_near(found, run, v) for run, v in zip(self.runs, values, strict=True)):
                    return found
        return None

    def _whole(self, values: Sequence[float]) -> list[Size]:
        """Return the lengths that whole numbers, or the inverses of whole numbers, are."""
        found = []
        for numbers in (values, [1.0 / v if v else math.inf for v in values]):
            if all(math.isfinite(v) and math.isclose(v, round(v), rel_tol=4e-16) for v in numbers):
                size = self.of_ints([round(v) for v in numbers])
                found += [size] if type(size) is Size else []
        return found

    @staticmethod
    def _is_near(found: Scaled, run: Lengths, value: float) -> bool:
        if found.divides and not found.size.at(run):
            return False
        return math.isclose(found.at(run), value, rel_tol=4e-16, abs_tol=0.0)


class Merge:
    """Makes one graph of those that a program has at several lengths."""

    def __init__(
        self, name: str, graphs: Sequence[Graph], runs: Sequence[Lengths], names: Sequence[str]
    ) -> None:
        self.name = name
        self.graphs = graphs
        self.runs = runs
        self.law = Law(names, runs)

    def made(self, least: Lengths) -> Graph:
        """Return the graph, in which what depends on lengths is a ``Size`` or ``Scaled``."""
        first = self.graphs[0]
        self._check_alike()
        specs = [
            Spec(tuple(self._merged([g.specs[i].shape for g in self.graphs], f"%{i}")), first.specs[i].dtype)
            for i in range(len(first.specs))
        ]
        steps = [self._step(i) for i in range(len(first.steps))]
        inputs = [Input(one.name, specs[one.number].shape, one.dtype, one.number) for one in first.inputs]
        return Graph(
            self.name,
            specs,
            inputs,
            first.constant_values,
            steps,
            first.outputs,
            first.tree,
            first.arguments,
            least,
        )

    def _check_alike(self) -> None:
        first = self.graphs[0]
        for graph, lengths in zip(self.graphs[1:], self.runs[1:], strict=True):
            for i, (a, b) in enumerate(zip(first.steps, graph.steps, strict=False)):
                if (a.name, a.outs) != (b.name, b.outs):
                    raise self._refused(
                        f"step {i} is {_at(a)} for {_text(self.runs[0])}, but {_at(b)} for {_text(lengths)}"
                    )
            if len(first.steps) != len(graph.steps):
                raise self._refused(
                    f"there are {len(first.steps)} steps for {_text(self.runs[0])}, but {len(graph.steps)} for "
                    f"{_text(lengths)}, as after a loop over a length"
                )
            same = (first.tree, first.outputs) == (graph.tree, graph.outputs)
            if not same or [s.dtype for s in first.specs] != [s.dtype for s in graph.specs]:
                raise self._refused(f"the results differ between {_text(self.runs[0])} and {_text(lengths)}")
            if not _same_constants(first, graph):
                raise self._refused(
                    f"a constant of the program differs between {_text(self.runs[0])} and {_text(lengths)}; make it "
                    f"by functions of the namespace, such as arange(n), or give it as an argument"
                )

    def _refused(self, why: str) -> CaptureError:
        return CaptureError(
            f"{self.name}: the program depends on a named length in a way that a graph cannot follow: {why}; give the "
            f"length as an int, or write it without"
        )

    def _step(self, place: int) -> Step:
        steps = [graph.steps[place] for graph in self.graphs]
        where = _at(steps[0])
        args = self._merged([one.args for one in steps], where)
        settings = self._merged([one.settings for one in steps], where)
        return steps[0]._replace(args=args, settings=settings)

    def _merged(self, values: list[Any], where: str) -> Any:
        """Return what stands for a value at all lengths."""
        first = values[0]
        kind = type(first)
        if any(type(one) is not kind for one in values):
            raise self._refused(f"{where} has {first!r:.40} here and {_other(values)!r:.40} there")
        if kind in (tuple, list):
            if any(len(one) != len(first) for one in values):
                raise self._refused(f"{where} has {first!r:.40} here and {_other(values)!r:.40} there")
            return kind([self._merged(list(each), where) for each in zip(*values, strict=True)])
        if kind is dict:
            return {key: self._merged([one[key] for one in values], where) for key in first}
        if kind is slice:
            parts = [(one.start, one.stop, one.step) for one in values]
            return slice(*self._merged(parts, where))
        return self._number(values, where)

    def _number(self, values: list[Any], where: str) -> Any:
        first = values[0]
        if all(frozen(one) == frozen(first) for one in values):
            return first
        found: Any = None
        if type(first) is int:
            found = self.law.of_ints(values)
        elif type(first) is float:
            found = self.law.of_floats(values)
        if found is None:
            shown = ", ".join(
                f"{v!r:.30} for {_text(run)}" for v, run in zip(values[:4], self.runs, strict=False)
            )
            raise self._refused(f"{where} has {shown}, which is no sum of products of lengths")
        return found


def _other(values: list[Any]) -> Any:
    return next(one for one in values if type(one) is not type(values[0]) or one != values[0])


def _at(step: Step) -> str:
    where = source_text(step)
    return f"{step.name} ({where})" if where else step.name


def _text(lengths: Lengths) -> str:
    return ", ".join(f"{name}={n}" for name, n in lengths.items())


def _same_constants(a: Graph, b: Graph) -> bool:
    if a.constant_values.keys() != b.constant_values.keys():
        return False
    return all(same_content(one, b.constant_values[n]) for n, one in a.constant_values.items())


def key_at(graph: Graph, lengths: Lengths) -> Any:
    """Return a key that is equal for graphs that do the same at these lengths."""

    def change(value: Any) -> Any:
        return at_lengths(value, lengths)

    def close(value: Any) -> Any:  # a number that depends on lengths may differ in its last digit
        return float(f"{value:.14g}") if type(value) is float and math.isfinite(value) else value

    steps = [
        (one.name, one.outs, frozen(mapped(mapped((one.args, one.settings), change), close)))
        for one in graph.steps
    ]
    specs = [(tuple(map(change, one.shape)), one.dtype) for one in graph.specs]
    return steps, specs, graph.outputs, graph.tree


def unified(program: Traceable, sizes: Iterable[Any]) -> Graph:
    """Return the graph of a function for all lengths that have names.

    Raises
    ------
    CaptureError
        If the program depends on a length in a way that a graph cannot follow.
    """
    names = program.lengths()
    runs = probes(names)
    more = [_asked(one, names) for one in sizes]
    graphs = [program.at(runs[0])]  # what the program itself does wrong is raised as it is
    graphs += [_at_run(program, lengths) for lengths in runs[1:]]
    found = Merge(program.name, graphs, runs, names).made({})
    wide = [{**runs[0], name: _LARGE} for name in names]
    for lengths in (*wide, *more):
        _check(program, found, lengths)
    least = _least(program, found, names, runs[0])
    return Merge(program.name, graphs, runs, names).made(least)


def _asked(one: Any, names: Sequence[str]) -> dict[str, int]:
    """Return lengths that the caller wants to be tried."""
    values = (one,) if isinstance(one, int) else tuple(one)
    if len(values) != len(names) or not all(isinstance(n, int) and n >= 0 for n in values):
        raise ArgumentError(f"trace: sizes are tuples of lengths of {', '.join(names)}, got {one!r:.60}")
    return dict(zip(names, values, strict=True))


def _at_run(program: Traceable, lengths: Lengths) -> Graph:
    try:
        return program.at(lengths)
    except Exception as error:
        raise CaptureError(
            f"{program.name}: the program fails for {_text(lengths)}: {type(error).__name__}: {error}; "
            f"give the length as an int"
        ) from error


def _check(program: Traceable, graph: Graph, lengths: Lengths) -> None:
    """Raise unless the program has this graph at the lengths."""
    one = _at_run(program, lengths)
    if key_at(one, lengths) != key_at(graph, lengths) or not _same_constants(one, graph):
        raise CaptureError(
            f"{program.name}: the program does something else for {_text(lengths)} than for small lengths, as by a "
            f"limit or a branch on a length, which a graph cannot follow; give the length as an int"
        )


def _least(program: Traceable, graph: Graph, names: Sequence[str], usual: Lengths) -> dict[str, int]:
    """Return the least of each length for which the graph holds, found by trying 3, 2, 1 and 0."""
    found = {}
    for name in names:
        found[name] = _least_that(lambda n, name=name: _holds(program, graph, {**usual, name: n}))  # type: ignore[misc]
    together = _least_that(lambda n: _holds(program, graph, dict.fromkeys(names, n)))
    return {name: max(n, together) if len(names) > 1 else n for name, n in found.items()}


def _least_that(holds: Callable[[int], bool]) -> int:
    least = _LEAST[0] + 1
    for n in _LEAST:
        if not holds(n):
            break
        least = n
    return least


def _holds(program: Traceable, graph: Graph, lengths: Lengths) -> bool:
    try:
        _check(program, graph, lengths)
    except CaptureError:
        return False
    return True


def with_refs_as(value: Any, specs: Sequence[Spec]) -> Any:
    """Return an argument with the specs of the operands in place of the operands."""
    return mapped(value, lambda one: specs[one.number] if type(one) is Ref else one)
