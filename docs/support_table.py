"""Write the tables of ``support.md`` from what the adapters declare and from an outcome of the public suite.

    python docs/support_table.py [--outcome conformance.json] [--check]

The script replaces the text between the markers ``<!-- begin NAME -->`` and ``<!-- end NAME -->``. If a library is
not installed, its column and its gaps stay as they are. ``--outcome`` takes the file that
``burn-array conformance --json`` wrote; without it, that part of the page stays. ``--check`` writes nothing, and exits
with 1 if the page is out of date.
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
LIBRARIES = {"numpy": "NumPy", "torch": "PyTorch", "dpnp": "dpnp", "cupy": "CuPy", "jax": "JAX"}
LOADED = "burn_array.adapters.jax.functions"
"""The module with the class that JAX's adapter becomes at its first use."""
CORE, LIBRARY, OVERRIDE, COMPOSED, SCIPY = "core", "library", "override", "composed", "SciPy"
FORMULA, GAP, NONE = "formula", "**gap**", "–"
SETTLED_BY_THE_CORE = frozenset(
    "__array_namespace_info__ asarray broadcast_shapes can_cast empty_like finfo from_dlpack full_like iinfo isdtype "
    "ones_like result_type zeros_like".split()
)
RANDOM = "uniform normal integers permutation".split()
"""The functions of ``random`` that an adapter defines; all others call these."""

Table = dict[str, dict[str, str]]
"""The words of a table: function -> library -> word."""


class Gap(NamedTuple):
    """A function that is not available on a library."""

    function: str
    why: str
    link: str


# -- what the adapters declare ----------------------------------------------------------------


def adapter_classes() -> dict[str, type[Adapter]]:
    """Return the adapter class of each library that is installed."""
    found = {}
    for entry in entry_points(group="burn_array.adapters"):
        if entry.name in LIBRARIES:
            try:
                found[entry.name] = (
                    import_module(LOADED).LoadedJaxAdapter if entry.name == "jax" else entry.load()
                )
            except ImportError:
                continue
    return found


def pages() -> dict[str, list[str]]:
    """Return the names of all functions, grouped by page of the standard; the extensions beyond it come last."""
    functions = json.loads(STANDARD.read_text(encoding="utf-8"))["functions"]
    found: dict[str, list[str]] = {}
    for name, about in functions.items():
        found.setdefault(about["category"].replace("_", " "), []).append(name)
    found["random (beyond the standard)"] = [f"random.{name}" for name in RANDOM]
    found["special (beyond the standard)"] = [f"special.{name}" for name in sorted(xp.special.__all__)]
    return found


def cell(adapter: type[Adapter], function: str) -> str:
    """Return the word that says where an adapter takes a function from."""
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
    """Return the name that adapters know: ``matmul`` for ``linalg.matmul``, which is the same function."""
    page, _, name = function.rpartition(".")
    same = page == "linalg" and getattr(xp, name, None) is getattr(xp.linalg, name)
    return name if same else function


def lookup(library: Any, function: str) -> Any:
    """Return the function of this name in the library, or ``None``."""
    for part in function.split("."):
        library = getattr(library, part, None)
    return library


def in_module(module: str, name: str) -> bool:
    """Return whether a module has the name. The module must be installed."""
    return hasattr(import_module(module), name)


def special_cell(adapter: type[Adapter], name: str) -> str:
    """Return the word for a special function: for host devices and, after a slash, for others if they differ."""
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
    """Return the words of a table. The words for libraries that are not installed are taken from ``kept``."""
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
    """Return the table in Markdown."""
    lines = ["| function | " + " | ".join(LIBRARIES.values()) + " |", "|---" * (len(LIBRARIES) + 1) + "|"]
    lines += [f"| `{name}` | " + " | ".join(row.values()) + " |" for name, row in cells.items()]
    return "\n".join(lines)


def read(page: str) -> Table:
    """Return the tables that the page has now, as one."""
    rows = re.findall(r"^\| `([\w.]+)` \| (.*) \|$", section(page, "functions"), flags=re.MULTILINE)
    return {name: dict(zip(LIBRARIES, cells.split(" | "), strict=False)) for name, cells in rows}


def functions_part(page: str, classes: Mapping[str, type[Adapter]]) -> str:
    """Return the part with the summary and the tables of all functions."""
    kept = read(page)
    tables = {title: table(names, classes, kept) for title, names in pages().items()}
    parts = [f"### {title}\n\n{written(cells)}" for title, cells in tables.items()]
    return "\n\n".join([summary(tables), *parts])


def summary(tables: Mapping[str, Table]) -> str:
    """Return a table that counts, for each library, the functions of the standard by their word."""
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
    """Return the part that lists the declared gaps."""
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
    """Return the part with the outcome of the public suite."""
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
    """Return a part of the page, including its markers."""
    found = re.search(rf"<!-- begin {name} -->.*?<!-- end {name} -->", page, flags=re.DOTALL)
    if found is None:
        raise SystemExit(f"{PAGE.name} has no part {name}")
    return found[0]


def sections(page: str, report: Mapping[str, Any] | None) -> Iterator[tuple[str, str]]:
    """Yield the name and the new text of each part."""
    classes = adapter_classes()
    yield "functions", functions_part(page, classes)
    yield "gaps", gaps_part(page, classes)
    if report is not None:
        yield "outcome", outcome_part(report)


def generate(page: str, report: Mapping[str, Any] | None = None) -> str:
    """Return the page with its parts written again."""
    for name, text in sections(page, report):
        marked = f"<!-- begin {name} -->\n\n{text}\n\n<!-- end {name} -->"
        page = page.replace(section(page, name), marked)
    return page


def main(argv: Sequence[str] | None = None) -> int:
    """Write the page, or check it. Return the exit status."""
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
