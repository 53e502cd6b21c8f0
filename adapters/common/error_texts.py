"""What the error texts of NumPy, and of libraries modelled on it, mean: for ``Adapter.errors``.

A text is listed only if its builtin class would give the wrong error; a ``ValueError`` without an entry becomes an
``ArgumentError``. The first pattern that matches decides.
"""

from __future__ import annotations

from burn_array.errors import (
    ArgumentError,
    ArgumentTypeError,
    ArrayIndexError,
    CopyRequiredError,
    OutOfMemoryError,
    ShapeError,
)

NUMPY_ERRORS: tuple[tuple[str, type[Exception]], ...] = (
    ("unable to avoid creating a copy|requires a copy", CopyRequiredError),
    ("array is too big|iterator is too large", OutOfMemoryError),
    ("boolean index did not match|indexing arrays", ArrayIndexError),
    ("should be an integer", ArgumentTypeError),
    ("`source` and `destination`", ArgumentError),
    ("shape|broadcast|mismatch|incompatible|inconsistent|must match|square|unknown dimension", ShapeError),
    (
        "at least (2|two|1|one)[- ]?d|more dimensions than|enough dimensions|same (size|ndim|number of dim)",
        ShapeError,
    ),
    ("zero-dimensional arrays|one-dimensional, but|dimensional vectors|ndim < 2|cannot assign", ShapeError),
)
