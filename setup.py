"""Build burn_array, and compile the modules of the list ``COMPILED`` with Cython and a C compiler.

The environment variable ``BURN_ARRAY_COMPILE`` decides:

* unset: compile. If that fails, print why and build a wheel without compiled modules, which serves every platform.
  An editable installation is not compiled, because compiled modules would hide later edits.
* ``0``: do not compile.
* ``1``: compile, an editable installation too. If that fails, the build fails.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from multiprocessing import get_start_method
from pathlib import Path
from typing import Any

from setuptools import Extension, setup
from setuptools.command.build import build
from setuptools.command.build_ext import build_ext

FOLDERS = {"burn_array": "burn_array", "burn_array/adapters": "adapters", "burn_array/autodiff": "autodiff"}
COMPILED = """
_core.array _core.arguments _core.device _core.dispatch _core.interchange _core.methods
_core.indices _core.large _core.operands _core.placement _core.records
elementwise_functions manipulation_functions searching_functions statistical_functions
adapters.numpy.adapter adapters.numpy.creation_functions adapters.numpy.data_type_functions
adapters.numpy.elementwise_functions adapters.numpy.indexing adapters.numpy.manipulation_functions
adapters.numpy.searching_functions adapters.numpy.sorting_functions adapters.numpy.statistical_functions
adapters.torch._memory adapters.torch.adapter adapters.torch.dtypes adapters.torch.elementwise_functions
adapters.torch.promoting adapters.torch.indexing adapters.torch.manipulation_functions
adapters.torch.searching_functions adapters.torch.set_functions adapters.torch.sorting_functions
adapters.torch.statistical_functions adapters.torch.utility_functions
autodiff.adapter autodiff.functional autodiff.gradients
autodiff.engine.backward_pass autodiff.engine.namespaces autodiff.engine.nodes autodiff.engine.numpy_warnings
autodiff.engine.record autodiff.engine.shape_dtype autodiff.engine.shared_memory autodiff.engine.tape
autodiff.engine.trees
autodiff.rules.elementwise_functions autodiff.rules.linear_algebra_functions autodiff.rules.manipulation_functions
autodiff.rules.statistical_functions
""".split()
"""The modules that are compiled: those in which a call spends time, by its profile. The rest stays interpreted."""
DIRECTIVES = {
    "annotation_typing": False,
    "auto_pickle": False,
    "binding": True,
    "emit_code_comments": False,
    "language_level": "3",
    "nonecheck": True,
}
SHARED = "burn_array._cyutility"
"""A module that holds, once for all compiled modules, the code of Cython that they have in common."""
FREELIST = 64
"""How many freed objects of each class are kept, so that new ones need no memory."""
HOT = """
_core.array _core.dispatch _core.indices _core.large _core.records elementwise_functions
adapters.numpy.adapter adapters.numpy.indexing
""".split()
"""The modules that the shortest calls pass through, which the C compiler optimizes in full."""
FIELDLESS = "_core.array _core.interchange _core.methods".split()
"""The modules of classes without fields. They inherit how the garbage collector visits the fields of their base; code
of their own for that would only make an array slower to free. None of these modules may hold a closure."""
COLD = """
adapters.torch.set_functions adapters.torch.sorting_functions adapters.torch.utility_functions
""".split()
"""The modules whose functions take so long in the library, or are called so seldom, that nothing is optimized."""
ENOUGH = """
-O1 -fcaller-saves -findirect-inlining -finline-small-functions -fipa-ra -foptimize-sibling-calls -fpartial-inlining
-fpeephole2 -freorder-blocks-and-partition -fstrict-aliasing -fthread-jumps
-fno-tree-dominator-opts -fno-tree-sra -fno-tree-pta -fno-tree-sink -fno-tree-loop-optimize -fno-ivopts
-fno-move-loop-invariants -fno-tree-dse -fno-dse -fno-cprop-registers -fno-ipa-modref -fno-ipa-pure-const
-fno-ipa-reference -fno-tree-slsr -fno-tree-bit-ccp -fno-split-wide-types
""".split()
"""Options of GCC for all others: the parts of ``-O2`` that matter here. They compile in half of the time."""
ONCE = '-DCYTHON_SMALL_CODE=__attribute__((cold,optimize("O0")))'
"""An option of GCC: do not optimize the functions that run once, when a module is imported."""


class Build(build):
    """Build the package, without what an earlier build left for it."""

    def run(self) -> None:
        """Empty the folder that the wheel is made of, which may hold modules of an older tree."""
        shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()


class BuildCompiled(build_ext):
    """Compile either all modules of the list or none."""

    def run(self) -> None:
        """Compile; if that fails and is not required, print why and build without compiled modules."""
        try:
            self.parallel = self.parallel or os.cpu_count() or 1
            generate(self.extensions, self.parallel)
            super().run()
        except Exception as error:
            if required():
                raise
            tell(error)
            self.remove()
            self.forget()

    def build_extensions(self) -> None:
        """Choose the options for the C compiler, which is known by now, and compile."""
        gcc = accepts(self.compiler, [*ENOUGH, ONCE])
        for extension in self.extensions:
            extension.extra_compile_args = options(extension.name.removeprefix("burn_array."), gcc)
            extension.include_dirs = [*extension.include_dirs, numpy_headers()]
        super().build_extensions()

    def remove(self) -> None:
        """Remove the modules that were compiled before one failed."""
        for extension in self.extensions:
            Path(self.get_ext_fullpath(extension.name)).unlink(missing_ok=True)

    def forget(self) -> None:
        """Continue as a build without extensions, whose wheel serves every platform."""
        self.extensions = self.distribution.ext_modules = []
        wheel = self.distribution.get_command_obj("bdist_wheel", create=False)
        if wheel is not None:  # the command was configured while there were extensions
            wheel.root_is_pure = True


def tell(error: Exception) -> None:
    """Print that nothing is compiled, and why. ``pip`` shows it with ``--verbose`` only."""
    lines = [
        f"burn_array is installed without compiled modules: {type(error).__name__}: {error}",
        "Every function works, but each call takes longer. To compile, install a C compiler and build again;",
        "BURN_ARRAY_COMPILE=1 makes this failure an error, BURN_ARRAY_COMPILE=0 does without compiling.",
    ]
    frame = "*" * max(map(len, lines))
    print("", frame, *lines, frame, "", sep="\n", file=sys.stderr, flush=True)


def options(name: str, gcc: bool) -> list[str]:
    """Return the options for the C compiler for a module."""
    if os.name != "posix":
        return []
    if name in COLD:
        optimize = ["-O0"]
    elif name in HOT or not gcc:
        optimize = ["-O2"]
    else:
        optimize = ENOUGH
    chosen = [*optimize, *([ONCE] if gcc else []), "-g0", "-w"]
    # Most lines call the interpreter, which is faster without the stubs of the linker.
    return [*chosen, "-fno-plt"] if sys.platform == "linux" else chosen


def numpy_headers() -> str:
    """Return the folder of the C headers of NumPy, from which the core reads the extent of an array."""
    import numpy as np

    return np.get_include()


def accepts(compiler: Any, chosen: list[str]) -> bool:
    """Return whether the compiler knows all these options."""
    command = [*compiler.compiler_so, *chosen, "-Werror", "-fsyntax-only", "-x", "c", os.devnull]
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def required() -> bool:
    """Return whether a failure to compile is an error."""
    return os.environ.get("BURN_ARRAY_COMPILE") == "1"


def wanted() -> bool:
    """Return whether this build compiles."""
    choice = os.environ.get("BURN_ARRAY_COMPILE", "")
    return choice == "1" or (choice != "0" and "editable_wheel" not in sys.argv)


def generate(extensions: list[Any], threads: int) -> None:
    """Translate the modules to C, in a copy of the sources that is laid out as the installed package."""
    from Cython.Build import cythonize
    from Cython.Compiler import Options

    # Processes that are not forked from this one would not know the directives that are set below.
    threads = threads if get_start_method() == "fork" else 0
    stage = Path("build", "compiled")
    shutil.rmtree(stage, ignore_errors=True)  # nothing of an older tree may be read
    for package, folder in FOLDERS.items():
        copy(Path(folder), stage / package)
    here = Path.cwd()
    os.chdir(stage)
    try:
        made: list[Any] = []
        groups: dict[tuple[bool, bool], list[Any]] = {}
        for extension in extensions:
            nests = ".autodiff." in extension.name
            bare = extension.name.removeprefix("burn_array.") in FIELDLESS
            groups.setdefault((nests, bare), []).append(Extension(extension.name, extension.sources))
        for (nests, bare), files in groups.items():
            # As defaults, because Cython ignores these on a class that a .pxd declares. Only an autodiff graph nests
            # so deeply that it must be freed in steps.
            Options.get_directive_defaults().update(freelist=FREELIST, trashcan=nests, no_gc=bare)
            made += cythonize(
                files,
                nthreads=threads,
                compiler_directives=DIRECTIVES,
                shared_utility_qualified_name=SHARED,
                quiet=True,
            )
    finally:
        os.chdir(here)
    sources = {extension.name: extension.sources for extension in made}
    for extension in extensions:
        extension.sources = [str(stage / path) for path in sources[extension.name]]


def source(name: str) -> str:
    """Return the path of a module in the installed package."""
    return f"burn_array/{name.replace('.', '/')}.py"


def copy(folder: Path, to: Path) -> None:
    """Copy the Python files of a folder and their declarations; leave out symlinked folders."""
    for path in folder.rglob("*.p*"):
        relative = path.relative_to(folder)
        if path.suffix not in (".py", ".pxd") or (folder / relative.parts[0]).is_symlink():
            continue
        target = to / relative
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)


# A list with extensions makes setuptools build a wheel for this platform, an empty one a wheel for every platform.
EXTENSIONS = [Extension(f"burn_array.{name}", [source(name)]) for name in COMPILED] if wanted() else []
if EXTENSIONS:
    EXTENSIONS.append(Extension(SHARED, [source("_cyutility").replace(".py", ".c")]))

setup(ext_modules=EXTENSIONS, cmdclass={"build": Build, "build_ext": BuildCompiled})
