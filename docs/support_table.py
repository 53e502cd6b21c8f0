"""Write the tables of ``support.md`` from what the adapters declare and from an outcome of the public suite.

    python docs/support_table.py [--outcome conformance.json] [--check]

The parts between the markers ``<!-- begin NAME -->`` and ``<!-- end NAME -->`` are generated. A library that is
not installed keeps its column and its gaps; the others are read from their adapters. ``--outcome`` takes the file that
``burn-array conformance --json`` wrote; without it that part stays. ``--check`` writes nothing and fails if the
page is not what would be written.
"""

from __future__ import annotations

import argparse
import inspect
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, NamedTuple

import burn_array as xp
from burn_array.adapter import Adapter, Composed, NotSupported
from burn_array.adapters.common.special import FORMULAS_ONLY, SpecialFunctions
from burn_array.special._formulas import FORMULAS

PAGE = Path(__file__).parent / "support.md"
STANDARD = Path(__file__).parents[1] / "tests" / "array_api_2025_12.json"
LIBRARIES = {"numpy": "NumPy", "torch": "PyTorch", "dpnp": "dpnp", "cupy": "CuPy"}
CORE, LIBRARY, OVERRIDE, COMPOSED, SCIPY = "core", "library", "override", "composed", "SciPy"
FORMULA, GAP, NONE = "formula", "**gap**", "–"
SETTLED_BY_THE_CORE = frozenset(
    "__array_namespace_info__ asarray broadcast_shapes can_cast empty_like finfo from_dlpack full_like iinfo isdtype "
    "ones_like result_type zeros_like".split()
)
RANDOM = "uniform normal integers permutation".split()
"""Functions of ``random`` that an adapter gives; the others are made of them."""

Table = dict[str, dict[str, str]]
"""The cells of a table: by function, then by library."""


class Gap(NamedTuple):
    """A function that a library does not have."""

    function: str
    why: str
    link: str


# -- what the adapters declare ----------------------------------------------------------------


def adapter_classes() -> dict[str, type[Adapter]]:
    """Return the adapter of each library that can be imported here."""
    found = {}
    for entry in entry_points(group="burn_array.adapters"):
        if entry.name in LIBRARIES:
            try:
                found[entry.name] = entry.load()
            except ImportError:
                continue
    return found


def pages() -> dict[str, list[str]]:
    """Return the functions by the page of the standard that they are on, and then the extensions beyond it."""
    functions = json.loads(STANDARD.read_text(encoding="utf-8"))["functions"]
    found: dict[str, list[str]] = {}
    for name, about in functions.items():
        found.setdefault(about["category"].replace("_", " "), []).append(name)
    found["random (beyond the standard)"] = [f"random.{name}" for name in RANDOM]
    found["special (beyond the standard)"] = [f"special.{name}" for name in sorted(xp.special.__all__)]
    return found


def cell(adapter: type[Adapter], function: str) -> str:
    """Return where a function of an adapter comes from."""
    page, _, name = function.rpartition(".")
    declared = getattr(adapter, function.replace(".", "_"), None)
    if isinstance(declared, NotSupported):
        return GAP
    if page == "special":
        return LIBRARY if declared is not None else special_cell(adapter, name)
    if page == "random":
        return LIBRARY if declared is not None else NONE
    if function in SETTLED_BY_THE_CORE:
        return CORE
    if canonical(function) != function:
        return cell(adapter, name)
    if isinstance(declared, Composed):
        return COMPOSED
    if declared is not None:
        return OVERRIDE
    return LIBRARY if callable(lookup(adapter.library, function)) else NONE


def canonical(function: str) -> str:
    """Return the name that adapters are asked for, of two that mean one function."""
    page, _, name = function.rpartition(".")
    same = page == "linalg" and getattr(xp, name, None) is getattr(xp.linalg, name)
    return name if same else function


def lookup(library: Any, function: str) -> Any:
    """Return the namesake in the library, or ``None``."""
    for part in function.split("."):
        library = getattr(library, part, None)
    return library


def in_module(module: str, name: str) -> bool:
    """Return whether a module, which must be installed, has the name."""
    return hasattr(import_module(module), name)


def special_cell(adapter: type[Adapter], name: str) -> str:
    """Return where a special function comes from: on host devices, and after a slash on others if they differ."""
    formula = FORMULA if name in FORMULAS else NONE
    if not issubclass(adapter, SpecialFunctions) or name in FORMULAS_ONLY:
        return formula
    if name in adapter.special_own:
        return LIBRARY
    if adapter.special_library:
        word = SCIPY if adapter.special_library == "scipy.special" else LIBRARY
        return word if in_module(adapter.special_library, name) else formula
    host = SCIPY if in_module("scipy.special", name) else formula
    elsewhere = LIBRARY if name in adapter.special_rough else formula
    return host if host == elsewhere else f"{host} / {elsewhere}"


def declared_gaps(adapter: type[Adapter]) -> list[Gap]:
    """Return the gaps that an adapter declares."""
    return [
        Gap(name, value.why, value.link)
        for name, value in inspect.getmembers(adapter)
        if isinstance(value, NotSupported)
    ]


# -- tables -----------------------------------------------------------------------------------


def table(functions: Sequence[str], classes: Mapping[str, type[Adapter]], kept: Table) -> Table:
    """Return the cells, those of absent libraries as they stand on the page."""
    return {
        function: {
            library: cell(classes[library], function)
            if library in classes
            else kept.get(function, {}).get(library, "?")
            for library in LIBRARIES
        }
        for function in functions
    }


def written(cells: Table) -> str:
    """Return a table as Markdown."""
    lines = ["| function | " + " | ".join(LIBRARIES.values()) + " |", "|---" * (len(LIBRARIES) + 1) + "|"]
    lines += [f"| `{name}` | " + " | ".join(row.values()) + " |" for name, row in cells.items()]
    return "\n".join(lines)


def read(page: str) -> Table:
    """Return the cells that stand on the page."""
    rows = re.findall(r"^\| `([\w.]+)` \| (.*) \|$", page, flags=re.MULTILINE)
    return {name: dict(zip(LIBRARIES, cells.split(" | "), strict=False)) for name, cells in rows}


def functions_part(page: str, classes: Mapping[str, type[Adapter]]) -> str:
    """Return the tables of all functions, a summary before them."""
    kept = read(page)
    tables = {title: table(names, classes, kept) for title, names in pages().items()}
    parts = [f"### {title}\n\n{written(cells)}" for title, cells in tables.items()]
    return "\n\n".join([summary(tables), *parts])


def summary(tables: Mapping[str, Table]) -> str:
    """Return how many functions of the standard come from where, for each library."""
    rows = [row for title, cells in tables.items() if "beyond" not in title for row in cells.values()]
    words = (CORE, LIBRARY, COMPOSED, OVERRIDE, GAP, NONE)
    kinds = [word for word in words if any(word in row.values() for row in rows)]
    lines = [f"Of the {len(rows)} functions of the standard:", ""]
    lines += ["| | " + " | ".join(LIBRARIES.values()) + " |", "|---" * (len(LIBRARIES) + 1) + "|"]
    for kind in kinds:
        counts = (str(sum(row[library] == kind for row in rows)) for library in LIBRARIES)
        lines.append(f"| {kind} | " + " | ".join(counts) + " |")
    return "\n".join(lines)


def gaps_part(page: str, classes: Mapping[str, type[Adapter]]) -> str:
    """Return the list of declared gaps."""
    kept = [line for line in section(page, "gaps").split("\n") if line.startswith("* ")]
    lines = []
    for library, title in LIBRARIES.items():
        if library in classes:
            lines += [
                f"* {title}, `{g.function}`: [{g.why}]({g.link})" for g in declared_gaps(classes[library])
            ]
        else:
            lines += [line for line in kept if line.startswith(f"* {title}, ")]
    return "\n".join(lines) or "None of the adapters declares one."


def outcome_part(report: Mapping[str, Any]) -> str:
    """Return the table of an outcome of the public suite."""
    commit = str(report["commit"])[:12]
    about = (
        f"burn_array {report['burn_array']}, Python {report['python']} on {report['platform']}, suite at "
        f"`{commit}`. *Skipped* counts the tests that the suite itself skips as flaky, whatever the library."
    )
    lines = [
        about,
        "",
        "| device | versions | examples | passed | failed | excused | skipped |",
        "|---|---|---|---|---|---|---|",
    ]
    for device, one in report["devices"].items():
        versions = ", ".join(f"{name} {version}" for name, version in one["versions"].items())
        counts = " | ".join(
            str(one[key]) for key in ("max_examples", "passed", "failed", "xfailed", "skipped")
        )
        lines.append(f"| `{device}` | {versions} | {counts} |")
    return "\n".join(lines)


# -- the page ---------------------------------------------------------------------------------


def section(page: str, name: str) -> str:
    """Return what stands between the markers of a part, the markers included."""
    found = re.search(rf"<!-- begin {name} -->.*?<!-- end {name} -->", page, flags=re.DOTALL)
    if found is None:
        raise SystemExit(f"{PAGE.name} has no part {name}")
    return found[0]


def sections(page: str, report: Mapping[str, Any] | None) -> Iterator[tuple[str, str]]:
    """Give each generated part with its name."""
    classes = adapter_classes()
    yield "functions", functions_part(page, classes)
    yield "gaps", gaps_part(page, classes)
    if report is not None:
        yield "outcome", outcome_part(report)


def generate(page: str, report: Mapping[str, Any] | None = None) -> str:
    """Return the page with its parts made anew."""
    for name, text in sections(page, report):
        marked = f"<!-- begin {name} -->\n\n{text}\n\n<!-- end {name} -->"
        page = page.replace(section(page, name), marked)
    return page


def main(argv: Sequence[str] | None = None) -> int:
    """Write the page, or check it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument(
        "--outcome", type=Path, metavar="JSON", help="written by burn-array conformance --json"
    )
    parser.add_argument("--check", action="store_true", help="fail if the page is out of date")
    options = parser.parse_args(argv)
    page = PAGE.read_text(encoding="utf-8")
    report = json.loads(options.outcome.read_text(encoding="utf-8")) if options.outcome else None
    made = generate(page, report)
    if options.check:
        return int(made != page)
    PAGE.write_text(made, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
