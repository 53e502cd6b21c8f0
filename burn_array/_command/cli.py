"""The commands ``burn-array info`` and ``burn-array conformance``."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from .._core import device as _device
from .._core import placement as _placement
from .._core import records as _records
from .._version import __version__
from ..errors import BurnArrayError
from . import conformance as _conformance
from .progress import OutputError, output

_DESCRIPTION = "Show what burn_array finds on this machine, or test it against the Python Array API standard."


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    own, pytest_args = _split(sys.argv[1:] if argv is None else list(argv))
    options = _parser().parse_args(own)
    if pytest_args and options.command != "conformance":
        _parser().error(f"'{options.command}' takes no arguments after --")
    try:
        return _info(options.json) if options.command == "info" else _conformance.main(options, pytest_args)
    except (BurnArrayError, _conformance.UsageError) as error:
        print(f"burn-array: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("burn-array: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader of the output, such as `head`, has ended
        _drop_output()
        return int(options.command != "info")  # whether a test of the suite failed is not known here
    except OutputError as error:
        _drop_output()
        print(f"burn-array: {error}", file=sys.stderr)
        return 1


def _drop_output() -> None:
    """Discard the output that is still buffered, which the interpreter would otherwise write at its exit."""
    if sys.stdout is None:
        return
    # A replaced sys.stdout may have no file descriptor.
    with suppress(OSError, ValueError), open(os.devnull, "w", encoding="utf-8") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


def _split(argv: list[str]) -> tuple[list[str], list[str]]:
    """Return the arguments before ``--`` and those after it."""
    if "--" not in argv:
        return argv, []
    cut = argv.index("--")
    return argv[:cut], argv[cut + 1 :]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="burn-array", description=_DESCRIPTION)
    parser.add_argument("--version", action="version", version=f"burn_array {__version__}")
    commands = parser.add_subparsers(dest="command", required=True)
    info = commands.add_parser("info", help="show versions, devices, and the dtypes of each device")
    info.add_argument("--json", action="store_true", help="print as JSON")
    _conformance.add_arguments(
        commands.add_parser(
            "conformance",
            help="run the public test suite of the standard (array-api-tests) on each device",
            usage="burn-array conformance --suite PATH [options] [-- PYTEST_ARGUMENT ...]",
        )
    )
    return parser


# -- info -------------------------------------------------------------------------------------


def facts() -> dict[str, Any]:
    """Return what ``burn-array info`` prints: versions, devices with their dtypes, and what is not available."""
    versions = {"burn_array": __version__, "python": platform.python_version()}
    missing: dict[str, str] = {}
    for name, adapter in _device.adapters().items():
        if isinstance(adapter, BurnArrayError):
            missing[name] = str(adapter)
            continue
        versions.update(adapter.versions())
        if not adapter.present():
            missing[name] = "the library is installed, but no device of it is present"
    return {
        "versions": versions,
        "platform": f"{platform.system()} {platform.machine()}",
        "package": str(Path(__file__).parent),
        "core": "interpreted" if str(_records.__file__).endswith(".py") else "compiled",
        "default_device": str(_placement.current_device()),
        "devices": {str(d): [str(t) for t in d.adapter.dtypes] for d in _device.devices()},
        "not_available": missing,
    }


def _info(as_json: bool) -> int:
    found = facts()
    with output():
        _print_info(found, as_json)
    return 0


def _print_info(found: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print(json.dumps(found, indent=2))
        return
    rows = list(found["versions"].items())
    rows += [(key.replace("_", " "), found[key]) for key in ("platform", "package", "core", "default_device")]
    _print_rows("", rows)
    _print_rows("devices and their dtypes", [(d, " ".join(t)) for d, t in found["devices"].items()])
    _print_rows("not available", list(found["not_available"].items()))


def _print_rows(title: str, rows: list[tuple[str, str]]) -> None:
    if not rows:
        return
    if title:
        print(f"\n{title}")
    width = max(len(key) for key, _ in rows)
    for key, value in rows:
        print(f"{'  ' if title else ''}{key:<{width}}  {value}")
