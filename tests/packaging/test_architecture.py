"""Modules import what the law of imports allows, functions are short, and ``import burn_array`` loads little else."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest

import burn_array

ROOT = Path(__file__).parents[2]
NAMES = list(json.loads((ROOT / "tests" / "array_api_2025_12.json").read_text())["functions"])
LIBRARIES = {
    "torch",
    "cupy",
    "dpnp",
    "dpctl",
    "dask",
    "jax",
    "array_api_compat",
    "array_api_strict",
    "scipy",
    "ml_dtypes",
}
FOLDERS = ("adapters", "autodiff")


def module_of(path: Path) -> str:
    """Return the dotted name of a module within burn_array, as in ``_core.array``; ``""`` for burn_array itself."""
    parts = path.relative_to(
        ROOT if path.relative_to(ROOT).parts[0] in FOLDERS else ROOT / "burn_array"
    ).parts
    return ".".join(parts).removesuffix(".py").removesuffix("__init__").rstrip(".")


CORE = sorted(
    p for p in (ROOT / "burn_array").rglob("*.py") if not (ROOT / "burn_array" / p.parts[-1]).is_symlink()
)
CORE = [p for p in CORE if p.relative_to(ROOT / "burn_array").parts[0] not in FOLDERS]
ADAPTERS = sorted((ROOT / "adapters").rglob("*.py"))
AUTODIFF = sorted((ROOT / "autodiff").rglob("*.py"))
SOURCES = [*CORE, *ADAPTERS, *AUTODIFF]
MODULES = {module_of(path) for path in SOURCES}
every_source = pytest.mark.parametrize("path", SOURCES, ids=lambda path: module_of(path) or "__init__")


class Row(NamedTuple):
    """A row of the law: the names of its modules, and the modules and rows that each of them may import."""

    modules: list[str]
    may: list[str]
    rows: list[str]


def law() -> dict[str, Row]:
    """Return the rows of the table in CONTRIBUTING.md, by name."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = text.split("## The law of imports")[1].split("\n## ")[0]
    table = re.findall(r"^\| \*(.*?)\* \| (.*?) \| (.*?) \|$", section, flags=re.MULTILINE)
    names = re.compile(r"`([^`]+)`")
    return {
        name: Row(names.findall(modules), names.findall(may.split(":")[0]), re.findall(r"\*([^*]+)\*", may))
        for name, modules, may in table
    }


def matches(module: str, pattern: str) -> bool:
    """Return whether a name of the table stands for a module; ``name.*`` stands for a folder and all in it."""
    if pattern == "burn_array":
        return module == ""
    folder = pattern.removesuffix(".*")
    return module == folder or (pattern.endswith(".*") and module.startswith(f"{folder}."))


def allowed(module: str) -> list[str]:
    """Return the names of the table that a module may import."""
    table = law()
    for name, row in table.items():
        for number, pattern in enumerate(row.modules):
            if matches(module, pattern):
                before = row.modules[:number] if name == "base" else []
                own = [pattern] if pattern.endswith(".*") else []
                return [*row.may, *before, *own, *(m for other in row.rows for m in table[other].modules)]
    raise AssertionError(f"{module} is in no row of the law of imports")


def imports(path: Path) -> list[tuple[str, bool]]:
    """Return the absolute name of each module that a file imports, and whether importing the file imports it.

    Imports for type checkers alone are left out.
    """
    tree = ast.parse(path.read_text())
    top = {id(node) for node in _at_import(tree)}
    unread = {id(node) for branch in ast.walk(tree) if _for_checkers(branch) for node in ast.walk(branch)}
    found: list[tuple[str, bool]] = []
    for node in ast.walk(tree):
        if id(node) in unread:
            continue
        if isinstance(node, ast.Import):
            found += [(alias.name, id(node) in top) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                package = ["burn_array", *filter(None, module_of(path).split("."))]
                package = package if path.name == "__init__.py" else package[:-1]
                base = ".".join([*package[: len(package) + 1 - node.level], *filter(None, [node.module])])
            found += [(_module_named(base, alias.name), id(node) in top) for alias in node.names]
    return found


def _module_named(base: str, name: str) -> str:
    """Return the module that ``from base import name`` imports: ``base.name`` if it is a module, otherwise ``base``."""
    inside = f"{base}.{name}".removeprefix("burn_array.")
    return f"burn_array.{inside}" if base.startswith("burn_array") and inside in MODULES else base


def _at_import(tree: ast.AST) -> list[ast.AST]:
    """Return the nodes that run when the file is imported."""
    nodes = [tree]
    for node in nodes:
        if not _for_checkers(node) and not isinstance(node, ast.FunctionDef | ast.Lambda):
            nodes += ast.iter_child_nodes(node)
    return nodes


def _for_checkers(node: ast.AST) -> bool:
    """Return whether a node is a branch that type checkers read and Python never runs."""
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def of_burn_array(path: Path, *, anywhere: bool) -> set[str]:
    """Return the modules of burn_array that a file imports, ``anywhere`` in it or only when it is imported."""
    return {
        module.removeprefix("burn_array").removeprefix(".")
        for module, at_import in imports(path)
        if (anywhere or at_import) and module.partition(".")[0] == "burn_array"
    }


@every_source
def test_a_module_imports_what_the_law_allows(path: Path) -> None:
    may = allowed(module_of(path))
    wrong = {
        m for m in of_burn_array(path, anywhere=False) if not any(matches(m, pattern) for pattern in may)
    }
    assert not wrong, f"{path.name} may not import {sorted(wrong)}"


def test_every_name_of_the_law_is_a_module() -> None:
    for row in law().values():
        for pattern in (*row.modules, *row.may):
            assert any(matches(module, pattern) for module in MODULES), pattern


def test_one_module_below_the_namespace_imports_it() -> None:
    below = [
        p for p in CORE if not module_of(p).startswith("_command") and "" in of_burn_array(p, anywhere=True)
    ]
    assert [module_of(path) for path in below] == ["_core.namespace"]
    assert [p.name for p in SOURCES if 'sys.modules["burn_array"]' in p.read_text()] == []


@pytest.mark.parametrize("path", [*CORE, *AUTODIFF], ids=lambda path: module_of(path) or "__init__")
def test_core_and_autodiff_name_no_library_but_numpy(path: Path) -> None:
    assert not {module.partition(".")[0] for module, at_import in imports(path) if at_import} & LIBRARIES


@every_source
def test_folders_are_never_imported_by_their_bare_names(path: Path) -> None:
    assert not {module.partition(".")[0] for module, _ in imports(path)} & {"adapters", "autodiff"}


def test_core_does_not_import_adapters_or_autodiff() -> None:
    for path in CORE:
        found = of_burn_array(path, anywhere=True)
        assert not [m for m in found if m.partition(".")[0] in FOLDERS], path.name


@every_source
def test_nothing_is_generated_at_run_time(path: Path) -> None:
    tree = ast.parse(path.read_text())
    branches = [n for n in tree.body if isinstance(n, ast.If)]
    top = [*tree.body, *(n for branch in branches for n in (*branch.body, *branch.orelse))]
    names = {n.name for n in top if isinstance(n, ast.FunctionDef)}
    assert path == ROOT / "burn_array" / "__init__.py" or not names & {"__getattr__", "__dir__"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Call):
            assert getattr(node.value.func, "id", "") not in ("vars", "globals", "locals"), (
                f"line {node.lineno}"
            )
        if isinstance(node, ast.Call):
            assert getattr(node.func, "id", "") not in ("exec", "eval"), f"line {node.lineno}"


@every_source
def test_functions_are_small(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef):
            of_docstring = (ast.get_docstring(node, clean=False) or "").count("\n")
            assert (node.end_lineno or 0) - node.lineno - of_docstring < 60, f"{path.name}: {node.name}"


def test_only_extension_modules_are_loaded_on_demand() -> None:
    for name in burn_array._ON_DEMAND:
        assert isinstance(getattr(burn_array, name), ModuleType)
        assert name in dir(burn_array)
    for name in ("no_such_function", "__wrapped__"):
        with pytest.raises(AttributeError, match=name):
            getattr(burn_array, name)


def test_import_loads_no_array_library_but_numpy(run_python: Callable[..., str]) -> None:
    code = "import sys, burn_array; print(*{m.partition('.')[0] for m in sys.modules})"
    loaded = set(run_python(code).split())
    assert "numpy" in loaded
    assert not loaded & (LIBRARIES | {"adapters", "autodiff"})


def test_import_loads_no_adapter(run_python: Callable[..., str]) -> None:
    code = "import sys, burn_array; print(*[m for m in sys.modules if m.startswith('burn_array.a')])"
    assert run_python(code).split() == ["burn_array.adapter"]


def test_numpy_arrays_load_no_other_adapter(run_python: Callable[..., str]) -> None:
    code = (
        "import sys, numpy as np, burn_array as xp; x = xp.asarray([1.0]) + np.ones(1); x[xp.asarray([0])]; "
        "print(x.device, *[m for m in ('torch', 'dpnp', 'cupy', 'dpctl') if m in sys.modules])"
    )
    assert run_python(code) == "numpy"


def test_import_gives_no_warning(run_python: Callable[..., str]) -> None:
    code = "import burn_array; print(burn_array.__version__)"
    assert run_python(code, flags=("-W", "error")) == burn_array.__version__


def test_submodules_are_the_same_however_they_are_imported(run_python: Callable[..., str]) -> None:
    code = (
        "import burn_array.adapters.numpy as a, burn_array; d = burn_array.device('numpy'); "
        "print(type(d.adapter) is a.NumpyAdapter, type(d.adapter).__module__)"
    )
    assert run_python(code) == "True burn_array.adapters.numpy.adapter"


SETTLED_BY_THE_CORE = {
    "__array_namespace_info__", "arange", "asarray", "astype", "broadcast_shapes", "can_cast", "empty_like", "finfo",
    "from_dlpack", "full_like", "iinfo", "isdtype", "ones_like", "result_type", "zeros_like",
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_every_function_is_found(device: burn_array.Device, name: str) -> None:
    page, _, last = name.rpartition(".")
    if page == "linalg" and getattr(burn_array, last, None) is getattr(burn_array.linalg, last):
        name = last  # adapters have a function with two names under the shorter one
    assert name in SETTLED_BY_THE_CORE or callable(device.function(name))


@pytest.mark.parametrize("name", ["getitem", "setitem", "scatter_add", "copy"])
def test_every_function_beyond_the_standard_is_found(device: burn_array.Device, name: str) -> None:
    assert callable(device.function(name))


def test_public_names_are_documented(xp: ModuleType) -> None:
    for name in ("Array", "Device", "default_device", "device", "devices", "errors", "fft", "linalg"):
        assert getattr(xp, name).__doc__, name
