"""Entry point of the command ``burn-array`` and of ``python -m burn_array``."""

from __future__ import annotations

import sys

from ._command.cli import main

__all__ = ["main"]

if __name__ == "__main__":
    sys.exit(main())
