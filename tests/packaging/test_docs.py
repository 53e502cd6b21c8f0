"""The pages are right: their examples run, their links have a target, and their tables match the code."""

from __future__ import annotations

import doctest
import importlib
import importlib.util
import json
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest

from burn_array import errors
from burn_array._core import device as _device

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
HISTORY = sorted((ROOT / "benchmarks" / "history").glob("*.md"))
LINKED = [*PAGES, *HISTORY, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
SOURCES = [
    path for name in ("burn_array", "adapters", "autodiff") for path in sorted((ROOT / name).rglob("*.py"))
]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE

GIVEN = {
    "autodiff.md": """
import burn_array as xp
t, x = xp.linspace(0, 1, 5), xp.asarray([1.0, 2.0])
a, k = xp.asarray(1.0), xp.asarray(2.0)
def elementwise(name, *vjps): assert all(map(callable, vjps))
def derivative(name, *slopes): assert all(callable(one) or isinstance(one, str) for one in slopes)
""",
}
"""Names that a page uses without defining them."""


class Block(NamedTuple):
    """A block of code in a page."""

    line: int
    language: str
    title: str
    code: str


def blocks(page: Path) -> list[Block]:
    """Return the blocks of code of a page."""
    text = page.read_text(encoding="utf-8")
    found = re.finditer(
        r"^```(\w+)(?: title=\"([^\"\n]*)\")?\n(.*?)^```$", text, flags=re.DOTALL | re.MULTILINE
    )
    return [Block(text.count("\n", 0, one.start()) + 1, one[1], one[2] or "", one[3]) for one in found]


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


# -- examples ---------------------------------------------------------------------------------


def run_statements(block: Block, page: Path, namespace: dict[str, Any]) -> None:
    """Run a block of plain code."""
    exec(compile("\n" * block.line + block.code, str(page), "exec"), namespace)


def run_prompts(block: Block, page: Path, namespace: dict[str, Any]) -> None:
    """Run a block with prompts, and compare its output."""
    test = doctest.DocTestParser().get_doctest(block.code, namespace, page.name, str(page), block.line)
    told: list[str] = []
    failed = doctest.DocTestRunner(optionflags=FLAGS).run(test, out=told.append, clear_globs=False).failed
    namespace.update(test.globs)
    assert not failed, "".join(told)


def install(page: Path, site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the files and entry points that a page shows, until the test ends."""
    for block in blocks(page):
        if block.title:
            (site / block.title).write_text(block.code, encoding="utf-8")
    (metadata,) = (block.code for block in blocks(page) if block.language == "toml")
    info = site / "example-0.1.dist-info"
    info.mkdir()
    lines = [f"{name} = {value}" for name, value in entry_points_of(metadata).items()]
    (info / "entry_points.txt").write_text("\n".join(["[burn_array.adapters]", *lines, ""]), encoding="utf-8")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: example\nVersion: 0.1\n", encoding="utf-8")
    monkeypatch.syspath_prepend(site)
    monkeypatch.setattr(_device, "_ENTRY_POINTS", {})
    for name in ("_ADAPTER_CLASSES", "_DEVICES", "_INTERNED"):
        monkeypatch.setattr(_device, name, dict(getattr(_device, name)))


def entry_points_of(metadata: str) -> dict[str, str]:
    """Return the adapters that a pyproject.toml declares."""
    found: dict[str, str] = tomllib.loads(metadata)["project"]["entry-points"]["burn_array.adapters"]
    return found


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_examples_of_a_page_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if any(block.title for block in blocks(page)):
        install(page, tmp_path, monkeypatch)
    namespace: dict[str, Any] = {"__name__": page.stem}
    exec(GIVEN.get(page.name, ""), namespace)
    for block in blocks(page):
        if block.language == "pycon":
            run_prompts(block, page, namespace)
        elif block.language == "python" and not block.title:
            run_statements(block, page, namespace)
    for name in [name for name in namespace if name.startswith("test_")]:
        namespace[name]()


@pytest.mark.parametrize("path", [one for one in SOURCES if ">>> " in one.read_text("utf-8")], ids=relative)
def test_examples_in_docstrings_run(path: Path) -> None:
    inside = path.relative_to(ROOT / "burn_array" if path.is_relative_to(ROOT / "burn_array") else ROOT)
    name = ".".join(["burn_array", *inside.with_suffix("").parts]).removesuffix(".__init__")
    done = doctest.testmod(importlib.import_module(name), optionflags=FLAGS)
    assert done.attempted
    assert not done.failed


# -- links ------------------------------------------------------------------------------------


def prose(page: Path) -> str:
    """Return the text of a page without its code."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"`[^`\n]*`", "", text)


def anchors(page: Path) -> set[str]:
    """Return the anchors that the generator makes of the headings of a page."""
    found = set()
    for heading in re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE):
        named = re.search(r"\{ *#([\w-]+) *\}", heading)
        plain = re.sub(r"[^\w\s-]", "", heading).strip().lower()
        found.add(named[1] if named else re.sub(r"[-\s]+", "-", plain))
    return found


@pytest.mark.parametrize("page", LINKED, ids=relative)
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\((?!https?:)([^)\s]+)\)", prose(page)):
        file, _, anchor = link.partition("#")
        target = page.parent / file if file else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def test_every_page_is_in_the_menu() -> None:
    menu = re.findall(
        r"^ +- .*: (\S+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), flags=re.MULTILINE
    )
    pages = [page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")]
    assert sorted(menu) == sorted(pages), "the menu is nav in mkdocs.yml"


def test_every_function_is_in_the_reference() -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in sorted((DOCS / "reference").glob("*.md")))
    told = set(re.findall(r"^::: burn_array\.([\w.]+)$", text, flags=re.MULTILINE))
    functions = json.loads((ROOT / "tests" / "array_api_2025_12.json").read_text(encoding="utf-8"))[
        "functions"
    ]
    wanted = {one["category"] for name, one in functions.items() if name != "__array_namespace_info__"}
    wanted |= {"Array", "Device", "adapter", "autodiff", "info.__array_namespace_info__", "interop"}
    wanted |= {"random", "special", *(f"errors.{name}" for name in errors.__all__ if name != "explain")}
    assert wanted - told == set()


# -- the support tables -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def support(load_program: Callable[[str], ModuleType]) -> ModuleType:
    return load_program("docs/support_table.py")


def test_the_support_tables_match_the_adapters(support: ModuleType) -> None:
    page = (DOCS / "support.md").read_text(encoding="utf-8")
    assert support.generate(page) == page, "out of date; run: python docs/support_table.py"


def test_the_support_tables_cover_every_function(support: ModuleType) -> None:
    assert set(support.adapter_classes()) >= {"numpy", "torch"}
    cells = support.read((DOCS / "support.md").read_text(encoding="utf-8"))
    assert {name for names in support.pages().values() for name in names} == set(cells)
    assert all(set(row) == set(support.LIBRARIES) and "?" not in row.values() for row in cells.values())


def test_the_column_of_cupy_names_its_overrides(support: ModuleType) -> None:
    text = "".join(
        path.read_text(encoding="utf-8") for path in sorted((ROOT / "adapters" / "cupy").glob("*.py"))
    )
    declared = set(re.findall(r"^    (\w+)(?:: Any)? = ", text, flags=re.MULTILINE))
    cells = support.read((DOCS / "support.md").read_text(encoding="utf-8"))
    ours = {support.OVERRIDE, support.COMPOSED, support.GAP}
    told = {name for name, row in cells.items() if row["cupy"] in ours}
    standard = [name for title, names in support.pages().items() if "beyond" not in title for name in names]
    assert told == {
        name
        for name in standard
        if name not in support.SETTLED_BY_THE_CORE and support.canonical(name).replace(".", "_") in declared
    }


def test_results_of_a_run_become_a_table(support: ModuleType) -> None:
    device = {
        "versions": {"numpy": "2.4"},
        "max_examples": 5,
        "passed": 3,
        "failed": 1,
        "xfailed": 0,
        "skipped": 2,
    }
    about = {"burn_array": "0.1", "python": "3.11", "platform": "Linux", "commit": "a" * 40}
    page = (DOCS / "support.md").read_text(encoding="utf-8")
    made = support.generate(page, {**about, "devices": {"numpy": device}})
    assert "| `numpy` | numpy 2.4 | 5 | 3 | 1 | 0 | 2 |" in made
    assert support.generate(made) == made


def test_gaps_are_listed_with_their_reason(support: ModuleType) -> None:
    from burn_array.adapter import Adapter, composed, not_supported

    class Small(Adapter):
        library = importlib.import_module("math")
        sort = not_supported("it has no order", "https://example.org")
        add = staticmethod(max)
        stack = composed(max)

    assert support.declared_gaps(Small) == [("sort", "it has no order", "https://example.org")]
    names = ("sort", "add", "stack", "sin", "unstack", "asarray")
    words = [support.cell(Small, name) for name in names]
    assert words == [
        support.GAP, support.OVERRIDE, support.COMPOSED, support.LIBRARY, support.NONE, support.CORE
    ]  # fmt: skip
