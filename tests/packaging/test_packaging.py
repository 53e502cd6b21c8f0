"""What is installed, what the documents say, and whether the two agree."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Sequence
from importlib.metadata import entry_points, version
from pathlib import Path
from typing import Any

import pytest

import burn_array as xp
from burn_array._command import conformance

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
WORKFLOW = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
FOLDERS = {"burn_array": "burn_array", "adapters": "burn_array/adapters", "autodiff": "burn_array/autodiff"}


def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE)


def python(folder: Path, code: str, *paths: Path) -> str:
    """Run ``code`` in ``folder``, with ``paths`` before everything else, and return what it prints."""
    start = f"import sys; sys.path[:0] = {[str(path) for path in paths]!r}\n"
    command = [sys.executable, "-c", start + code]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def sources() -> list[Path]:
    return [
        path
        for name in FOLDERS
        for path in sorted((ROOT / name).rglob("*.py"))
        if "__pycache__" not in path.parts
    ]


# -- what a wheel holds -----------------------------------------------------------------------


def copy_project(to: Path) -> None:
    """Copy what a build reads, without the symlinks and without what earlier builds left."""
    for name in FOLDERS:
        ignore = shutil.ignore_patterns("__pycache__", "adapters", "autodiff")
        shutil.copytree(ROOT / name, to / name, ignore=ignore)
    for name in ("pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, to / name)


def backend(folder: Path, command: str, out: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Call the build backend itself, in ``folder``."""
    return subprocess.run(
        [sys.executable, "-c", f"import setuptools.build_meta as b; print(b.{command}({str(out)!r}))"],
        cwd=folder,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )


def build(folder: Path, command: str, out: Path) -> Path:
    """Return what the build backend made, without compiled modules."""
    done = backend(folder, command, out, BURN_ARRAY_COMPILE="0")
    assert done.returncode == 0, done.stderr
    return out / done.stdout.strip().split("\n")[-1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from the sdist, as an installer makes it."""
    folder = tmp_path_factory.mktemp("build")
    copy_project(folder / "project")
    sdist = build(folder / "project", "build_sdist", folder)
    with tarfile.open(sdist) as archive:
        # Python 3.11.4 brought the filter.
        archive.extraction_filter = getattr(tarfile, "data_filter", lambda member, path: member)
        archive.extractall(folder / "unpacked")
    (unpacked,) = (folder / "unpacked").iterdir()
    return build(unpacked, "build_wheel", folder)


@pytest.mark.parametrize("compiled", ["0", "1"])
def test_a_source_distribution_holds_everything_once(compiled: str, tmp_path: Path) -> None:
    """The declarations for the compiler as well, and nothing a second time by way of the symlinks."""
    project = tmp_path / "project"
    copy_project(project)
    for name in ("adapters", "autodiff"):
        (project / "burn_array" / name).symlink_to(Path("..", name), target_is_directory=True)
    done = backend(project, "build_sdist", tmp_path, BURN_ARRAY_COMPILE=compiled)
    assert done.returncode == 0, done.stderr
    with tarfile.open(tmp_path / done.stdout.strip().split("\n")[-1]) as archive:
        held = [one.name.split("/", 1)[1] for one in archive.getmembers() if one.isfile()]
    wanted = [*sources(), *(path for name in FOLDERS for path in (ROOT / name).rglob("*.pxd"))]
    found = [name for name in held if name.endswith((".py", ".pxd")) and name != "setup.py"]
    assert sorted(found) == sorted(path.relative_to(ROOT).as_posix() for path in wanted)


def test_every_compiled_module_exists_and_every_declaration_is_compiled() -> None:
    script = (ROOT / "setup.py").read_text(encoding="utf-8")
    listed = {
        name: found.split() for name, found in re.findall(r'^(\w+) = """(.*?)"""', script, re.DOTALL | re.M)
    }
    assert set(listed["HOT"]) | set(listed["COLD"]) <= set(listed["COMPILED"])
    assert not set(listed["HOT"]) & set(listed["COLD"])
    compiled = [name.replace(".", "/") for name in listed["COMPILED"]]
    assert [name for name in compiled if not (ROOT / "burn_array" / f"{name}.py").is_file()] == []
    declared = {str(path.relative_to(ROOT / "burn_array").with_suffix("")) for path in declarations()}
    assert declared <= set(compiled)


def declarations() -> list[Path]:
    core = [*(ROOT / "burn_array").glob("*.pxd"), *(ROOT / "burn_array" / "_core").glob("*.pxd")]
    return core + [ROOT / "burn_array" / p.relative_to(ROOT) for p in (ROOT / "autodiff").rglob("*.pxd")]


def test_the_wheel_holds_every_source_and_nothing_beside(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    expected = {"burn_array/py.typed", "burn_array/_command/array-api-tests.toml"}
    for name, package in FOLDERS.items():
        for path in (ROOT / name).rglob("*.py"):
            relative = path.relative_to(ROOT / name)
            if "__pycache__" not in path.parts and not (
                name == "burn_array" and relative.parts[0] in FOLDERS
            ):
                expected.add(f"{package}/{relative.as_posix()}")
    assert held == expected


def assert_pure(wheel: Path) -> None:
    """Assert that a wheel says it is one for every platform, and is."""
    assert wheel.name.endswith("-py3-none-any.whl")
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/WHEEL"))
        assert {"Root-Is-Purelib: true", "Tag: py3-none-any"} <= set(archive.read(name).decode().split("\n"))
        assert [name for name in archive.namelist() if name.endswith((".so", ".pyd"))] == []


def test_a_wheel_without_compiled_modules_is_one_for_every_platform(wheel: Path) -> None:
    assert_pure(wheel)


TWO = "adapters.torch.searching_functions adapters.torch.statistical_functions"
COMPILERS = {
    "none works": "exit 1",
    "one module fails": 'case "$*" in *searching_functions*) exit 1;; *) exec cc "$@";; esac',
}


@pytest.fixture(params=COMPILERS)
def failing(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, str]:
    """A project that compiles two modules with a compiler that fails."""
    if os.name != "posix" or not shutil.which("cc"):
        pytest.skip("the failing compiler is a shell script around cc")
    copy_project(tmp_path / "project")
    script = tmp_path / "project" / "setup.py"
    text = re.sub(
        r'COMPILED = """.*?"""', f'COMPILED = """{TWO}"""', script.read_text("utf-8"), flags=re.DOTALL
    )
    script.write_text(text, encoding="utf-8")
    compiler = tmp_path / "compiler"
    compiler.write_text(f"#!/bin/sh\n{COMPILERS[request.param]}\n", encoding="utf-8")
    compiler.chmod(0o755)
    return tmp_path / "project", str(compiler)


def test_where_the_compiler_fails_the_wheel_is_one_for_every_platform(failing: tuple[Path, str]) -> None:
    project, compiler = failing
    done = backend(project, "build_wheel", project, BURN_ARRAY_COMPILE="", CC=compiler)
    assert done.returncode == 0, done.stderr
    assert re.search(
        r"^\*+\nburn_array is installed without compiled modules: CompileError", done.stderr, re.M
    )
    assert_pure(project / done.stdout.strip().split("\n")[-1])


def test_a_build_reads_nothing_that_an_earlier_build_left(tmp_path: Path) -> None:
    project = tmp_path / "project"
    copy_project(project)
    old = [Path("build", "lib", "burn_array", "old.py"), Path("build", "compiled", "burn_array", "old.pxd")]
    for name in old:
        (project / name).parent.mkdir(parents=True)
        (project / name).write_text("not a module", encoding="utf-8")
    with zipfile.ZipFile(build(project, "build_wheel", tmp_path)) as archive:
        assert [name for name in archive.namelist() if "old" in name] == []


def test_where_compiled_modules_are_required_a_failing_compiler_is_an_error(
    failing: tuple[Path, str],
) -> None:
    project, compiler = failing
    done = backend(project, "build_wheel", project, BURN_ARRAY_COMPILE="1", CC=compiler)
    assert done.returncode != 0
    assert re.search(r"error: Command .*torch.*_functions.* returned non-zero exit status 1", done.stderr)
    assert list(project.glob("*.whl")) == []


def test_the_wheel_imports_and_its_entry_points_work(wheel: Path, tmp_path: Path) -> None:
    code = """
import burn_array as xp, burn_array.adapters, burn_array.autodiff
print(xp.__file__.startswith(sys.path[0]), burn_array.adapters.__file__.startswith(sys.path[0]))
print(xp.asarray([1.0, 2.0], device="numpy").device)
"""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    assert python(tmp_path, code, tmp_path / "site") == "True True\nnumpy\n"


def test_an_old_numpy_is_refused_with_the_version_that_is_needed(tmp_path: Path) -> None:
    code = """
sys.modules["numpy"] = type(sys)("numpy")
sys.modules["numpy"].__version__ = "1.26.4"
try:
    import burn_array
except ImportError as error:
    print(error)
"""
    oldest = next(one for one in project()["project"]["dependencies"] if one.startswith("numpy"))
    printed = python(tmp_path, code)
    assert printed == (
        f"burn_array needs NumPy {oldest.partition('>=')[2]} or newer, but NumPy 1.26.4 is installed: "
        f"pip install --upgrade numpy\n"
    )


def test_the_advice_about_the_suite_names_what_the_extra_installs() -> None:
    extra = project()["project"]["optional-dependencies"]["conformance"]
    assert conformance.NEEDED.split() == [one.partition(">=")[0] for one in extra]


@pytest.mark.parametrize(("enabled", "printed"), [(True, "imported"), (False, "burn_array needs the global")])
def test_a_python_without_its_lock_is_refused(enabled: bool, printed: str, tmp_path: Path) -> None:
    code = f"""
sys._is_gil_enabled = lambda: {enabled}
try:
    import burn_array
    print("imported")
except ImportError as error:
    print(error)
"""
    assert python(tmp_path, code).startswith(printed)


def test_bare_adapters_and_autodiff_are_no_modules(tmp_path: Path) -> None:
    code = "from importlib.util import find_spec; print(find_spec('adapters'), find_spec('autodiff'))"
    assert python(tmp_path, code) == "None None\n"


def test_no_source_imports_the_bare_names() -> None:
    bare = re.compile(r"^\s*(from|import)\s+(adapters|autodiff)\b", flags=re.MULTILINE)
    files = [*sources(), *(ROOT / "tests").rglob("*.py"), *(ROOT / "benchmarks").rglob("*.py")]
    assert [path.name for path in files if bare.search(path.read_text(encoding="utf-8"))] == []


def test_the_symlinks_stand_for_the_top_level_folders() -> None:
    for name in ("adapters", "autodiff"):
        assert (ROOT / "burn_array" / name).resolve() == ROOT / name


# -- metadata ---------------------------------------------------------------------------------


def test_the_version_is_the_same_everywhere() -> None:
    assert version("burn_array") == xp.__version__
    assert project()["tool"]["setuptools"]["dynamic"]["version"] == {
        "attr": "burn_array._version.__version__"
    }


def test_entry_points_name_modules_that_exist() -> None:
    for group, declared in project()["project"]["entry-points"].items():
        installed = {entry.name: entry.value for entry in entry_points(group=group)}
        for name, value in declared.items():
            module = value.split(":")[0].removeprefix("burn_array.").replace(".", "/")
            assert (ROOT / f"{module}.py").is_file() or (ROOT / module / "__init__.py").is_file(), value
            assert installed[name] == value


def test_every_package_is_listed() -> None:
    listed = set(project()["tool"]["setuptools"]["packages"])
    found = set()
    for name, package in FOLDERS.items():
        for path in (ROOT / name).rglob("__init__.py"):
            parts = path.parent.relative_to(ROOT / name).parts
            if name != "burn_array" or parts[:1] not in (("adapters",), ("autodiff",)):
                found.add(".".join([package.replace("/", "."), *parts]))
    assert listed == found


def test_the_tested_torch_is_the_same_in_both_places() -> None:
    pinned = [
        line for line in project()["project"]["optional-dependencies"]["test"] if line.startswith("torch")
    ]
    assert re.findall(r"^TORCH := (.*)$", MAKEFILE, flags=re.MULTILINE) == pinned


# -- the suite's configuration ----------------------------------------------------------------


def test_no_failure_of_the_public_suite_is_excused() -> None:
    config = tomllib.loads(
        (ROOT / "burn_array" / "_command" / "array-api-tests.toml").read_text(encoding="utf-8")
    )
    tables = [config["defaults"], *config["devices"].values()]
    assert [table.get("xfails", {}) for table in tables] == [{}] * len(tables)
    assert config["defaults"]["revision"] == xp.__array_api_version__
    assert re.fullmatch("[0-9a-f]{40}", config["defaults"]["commit"])


# -- documents --------------------------------------------------------------------------------


def test_the_commands_of_the_readme_are_targets_of_the_makefile() -> None:
    commands = set(re.findall(r"`make ([a-z-]+)", README))
    targets = set(re.findall(r"^([a-z-]+):(?!=)", MAKEFILE, flags=re.MULTILINE))
    assert {"demo", "test"} <= commands <= targets


def test_ci_runs_the_test_command_of_the_readme() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    commands = [line for line in script.split("\n") if line and not line.startswith(("#", "set ", "cd "))]
    assert commands == ["make test"]
    assert "| `make test` |" in README


def test_the_workflow_and_the_metadata_name_the_same_pythons() -> None:
    classifiers = project()["project"]["classifiers"]
    named = re.findall(r"Python :: (\d\.\d+)$", "\n".join(classifiers), flags=re.MULTILINE)
    (matrix,) = re.findall(r"^ +python: \[(.*)\]$", WORKFLOW, flags=re.MULTILINE)
    assert re.findall(r'"(.*?)"', matrix) == named
    assert project()["tool"]["cibuildwheel"]["build"].split() == [
        f"cp{version.replace('.', '')}-*" for version in named
    ]


def test_the_checks_are_the_same_wherever_they_run() -> None:
    """``make lint``, the steps of the workflow on Windows, and the hooks of pre-commit, which also mend."""
    (lines,) = re.findall(r"^lint:.*\n((?:\t.*\n)+)", MAKEFILE, flags=re.MULTILINE)
    checks = re.findall(r"^\t\$\(BIN\)/(.*)$", lines, flags=re.MULTILINE)
    assert [check.split()[0] for check in checks] == ["ruff", "ruff", "mypy"]
    assert re.findall(r"Scripts/((?:ruff|mypy) .*)", WORKFLOW) == checks
    hooks = re.findall(r"entry: .venv/bin/(.*)", (ROOT / ".pre-commit-config.yaml").read_text("utf-8"))
    assert hooks == ["ruff check --fix --force-exclude", "ruff format --force-exclude", checks[2]]


def test_the_example_of_the_readme_runs(capsys: pytest.CaptureFixture[str]) -> None:
    example = blocks(README, "python")[0]
    exec(compile(example, "README.md", "exec"), {})
    lines = capsys.readouterr().out.strip().split("\n")
    assert [line.split()[0] for line in lines[:-1]] == [str(device) for device in xp.devices()]
    assert len({line.split(" ", 1)[1][:12] for line in lines[:-1]}) == 1
    assert lines[-1] == "7.0"


def install_example(site: Path) -> None:
    """Write the adapter of CONTRIBUTING and its one line of metadata, as an installer does."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (adapter,), (metadata,) = blocks(text, "python"), blocks(text, "toml")
    info = site / "strict_adapter-0.1.dist-info"
    info.mkdir(parents=True)
    (site / "strict_adapter.py").write_text(adapter, encoding="utf-8")
    entries = tomllib.loads(metadata)["project"]["entry-points"]["burn_array.adapters"]
    lines = [f"{name} = {value}" for name, value in entries.items()]
    (info / "entry_points.txt").write_text("\n".join(["[burn_array.adapters]", *lines, ""]), encoding="utf-8")
    (info / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: strict_adapter\nVersion: 0.1\n", encoding="utf-8"
    )


def test_the_adapter_of_contributing_works(tmp_path: Path) -> None:
    code = """
import json, burn_array as xp
x = xp.linspace(0, 1, 6, device="strict")
x[0] = 5
_, s, _ = xp.linalg.svd(xp.reshape(x, (2, 3)))
y = x.to_device("numpy")
print(json.dumps([str(x.device), (x[1:3] + 1.0).tolist(), float(xp.sum(x)), str(s.device), str(y.device), y.tolist()]))
"""
    install_example(tmp_path)
    device, shifted, total, of_svd, moved, values = json.loads(python(tmp_path, code, tmp_path))
    assert (device, of_svd, moved) == ("strict", "strict", "numpy")
    assert shifted == pytest.approx([1.2, 1.4])
    assert total == pytest.approx(8.0)
    assert values == pytest.approx([5.0, 0.2, 0.4, 0.6, 0.8, 1.0])


def test_documents_name_files_that_exist() -> None:
    for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md"):
        links = re.findall(r"\]\((?!https?:)([^)#]+)\)", (ROOT / name).read_text(encoding="utf-8"))
        assert [link for link in links if not (ROOT / link).exists()] == []


def tracked(pattern: Sequence[str]) -> list[Path]:
    done = subprocess.run(["git", "ls-files", *pattern], cwd=ROOT, capture_output=True, text=True, check=True)
    return [ROOT / line for line in done.stdout.split("\n") if line]


def test_what_is_generated_is_not_committed() -> None:
    assert tracked(["examples/out", "benchmarks/out", "*.egg-info", "build", ".venv"]) == []
