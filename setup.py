"""Build burn_array: the modules that every call passes through are compiled where a C compiler is at hand.

``BURN_ARRAY_COMPILE=0`` leaves every module interpreted, and so does a compiler that fails, with a notice: the wheel
is one for every platform then. ``BURN_ARRAY_COMPILE=1`` makes that failure an error. An editable installation is
interpreted unless the variable asks for more, since compiled modules would hide what is edited.
"""

from __future__ import annotations

import os
import shutil
import sys
from multiprocessing import get_start_method
from pathlib import Path
from typing import Any

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

FOLDERS = {"burn_array": "burn_array", "burn_array/adapters": "adapters", "burn_array/autodiff": "autodiff"}
COMPILED = """
_core.array _core.arguments _core.device _core.dispatch _core.gradients _core.interchange _core.methods
_core.indices _core.operands _core.placement _core.records
elementwise_functions manipulation_functions searching_functions statistical_functions
adapters.numpy.adapter adapters.numpy.creation_functions adapters.numpy.data_type_functions
adapters.numpy.elementwise_functions adapters.numpy.indexing adapters.numpy.manipulation_functions
adapters.numpy.searching_functions adapters.numpy.sorting_functions adapters.numpy.statistical_functions
adapters.torch.adapter adapters.torch.dtypes adapters.torch.elementwise_functions
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
"""What is compiled, by the profile of a call; the rest stays interpreted."""
DIRECTIVES = {
    "annotation_typing": False,
    "auto_pickle": False,
    "binding": True,
    "language_level": "3",
    "nonecheck": True,
}
FREELIST = 64
"""How many freed objects of each class are kept for the next."""


class BuildCompiled(build_ext):
    """Compile all modules of the list or none."""

    def run(self) -> None:
        """Compile, or say why not."""
        try:
            self.parallel = self.parallel or os.cpu_count() or 1
            generate(self.extensions, self.parallel)
            super().run()
        except Exception as error:
            if required():
                raise
            self.warn(f"burn_array is installed without compiled modules: {type(error).__name__}: {error}")
            self.remove()
            self.forget()

    def remove(self) -> None:
        """Remove what was compiled before one module failed."""
        for extension in self.extensions:
            Path(self.get_ext_fullpath(extension.name)).unlink(missing_ok=True)

    def forget(self) -> None:
        """Go on as a build that compiles nothing, whose wheel is one for every platform."""
        self.extensions = self.distribution.ext_modules = []
        wheel = self.distribution.get_command_obj("bdist_wheel", create=False)
        if wheel is not None:  # it has looked at the extensions before they were built
            wheel.root_is_pure = True


def required() -> bool:
    """Return whether a failing compiler is an error."""
    return os.environ.get("BURN_ARRAY_COMPILE") == "1"


def wanted() -> bool:
    """Return whether this build is to compile at all."""
    choice = os.environ.get("BURN_ARRAY_COMPILE", "")
    return choice == "1" or (choice != "0" and "editable_wheel" not in sys.argv)


def generate(extensions: list[Any], threads: int) -> None:
    """Make the C code of the extensions, from the Python files as the package lays them out."""
    from Cython.Build import cythonize
    from Cython.Compiler import Options

    # Only a copy of this process knows the directives that are set below.
    threads = threads if get_start_method() == "fork" else 0
    stage = Path("build", "compiled")
    for package, folder in FOLDERS.items():
        copy(Path(folder), stage / package)
    here = Path.cwd()
    os.chdir(stage)
    try:
        made: list[Any] = []
        for nests in (False, True):  # only a graph nests deeply enough to be freed in steps
            # Cython takes these for one class only, and loses them where the class is declared in a .pxd.
            Options.get_directive_defaults().update(freelist=FREELIST, trashcan=nests)
            files = [
                Extension(one.name, one.sources) for one in extensions if (".autodiff." in one.name) is nests
            ]
            made += cythonize(files, nthreads=threads, compiler_directives=DIRECTIVES, quiet=True)
    finally:
        os.chdir(here)
    sources = {one.name: one.sources for one in made}
    for extension in extensions:
        extension.sources = [str(stage / path) for path in sources[extension.name]]
        if os.name == "posix":
            extension.extra_compile_args = ["-O2", "-g0", "-w"]
        if (
            sys.platform == "linux"
        ):  # most lines call the interpreter, which is faster without the linker's stubs
            extension.extra_compile_args.append("-fno-plt")


def source(name: str) -> str:
    """Return the path of a module in the package."""
    return f"burn_array/{name.replace('.', '/')}.py"


def copy(folder: Path, to: Path) -> None:
    """Copy the Python files of one folder and their declarations, those that changed."""
    for path in folder.rglob("*.p*"):
        relative = path.relative_to(folder)
        if path.suffix not in (".py", ".pxd") or (folder / relative.parts[0]).is_symlink():
            continue
        target = to / relative
        if not target.exists() or target.read_bytes() != path.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)


# The list must not be empty, or a wheel would count as one for every platform.
EXTENSIONS = [Extension(f"burn_array.{name}", [source(name)]) for name in COMPILED] if wanted() else []

setup(ext_modules=EXTENSIONS, cmdclass={"build_ext": BuildCompiled})
