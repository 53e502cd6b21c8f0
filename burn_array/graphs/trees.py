"""The structure of arguments and results: tuples, lists and dicts of arrays."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from functools import cache
from typing import Any

from ..errors import ArgumentTypeError

LEAF, TUPLE, LIST, DICT, NAMED, NONE = range(6)


class Tree:
    """A leaf, ``None``, or a tuple, list, dict or named tuple of trees."""

    __slots__ = ("keys", "kind", "parts", "title")

    def __init__(
        self, kind: int, parts: tuple[Any, ...] = (), keys: tuple[Any, ...] = (), title: str = ""
    ) -> None:
        self.kind = kind
        self.parts = parts
        self.keys = keys
        """The keys of a dict, the fields of a named tuple."""
        self.title = title
        """The name of the class of a named tuple."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tree):
            return NotImplemented
        return (self.kind, self.parts, self.keys) == (other.kind, other.parts, other.keys)

    def __hash__(self) -> int:
        return hash((self.kind, self.parts, self.keys))


def tree_of(value: Any, is_leaf: Callable[[Any], bool], refused: Callable[[Any], Exception]) -> Tree:
    """Return the structure of a value; ``refused`` makes the error for what is neither a container nor a leaf."""
    if is_leaf(value):
        return Tree(LEAF)
    if value is None:
        return Tree(NONE)
    if isinstance(value, dict):
        for key in value:
            if type(key) not in (str, int):
                raise ArgumentTypeError(f"trace: the keys of a dict must be str or int, got {key!r:.40}")
        return Tree(DICT, tuple(tree_of(one, is_leaf, refused) for one in value.values()), tuple(value))
    if isinstance(value, tuple | list):
        parts = tuple(tree_of(one, is_leaf, refused) for one in value)
        fields = getattr(value, "_fields", None)
        if fields is not None:
            return Tree(NAMED, parts, tuple(fields), type(value).__name__)
        return Tree(TUPLE if isinstance(value, tuple) else LIST, parts)
    raise refused(value)


def leaves_of(tree: Tree, value: Any, found: list[Any]) -> None:
    """Append the leaves of a value to a list; raise ``ArgumentTypeError`` if its structure is not that of the tree."""
    kind = tree.kind
    if kind == LEAF:
        found.append(value)
        return
    parts = tree.parts
    if kind == DICT:
        if not isinstance(value, dict) or len(value) != len(parts):
            raise _wrong(tree, value)
        for key, part in zip(tree.keys, parts, strict=True):
            if key not in value:
                raise _wrong(tree, value)
            leaves_of(part, value[key], found)
    elif kind == NONE:
        if value is not None:
            raise _wrong(tree, value)
    else:
        if not isinstance(value, tuple | list) or len(value) != len(parts):
            raise _wrong(tree, value)
        for part, one in zip(parts, value, strict=True):
            leaves_of(part, one, found)


def _wrong(tree: Tree, value: Any) -> ArgumentTypeError:
    has = f" of {len(value)}" if isinstance(value, tuple | list) else f" {value!r:.60}"
    if isinstance(value, dict):
        has = f" with the keys {list(value)}"
    return ArgumentTypeError(f"expected {described(tree)}, got {type(value).__name__}{has}")


def described(tree: Tree) -> str:
    """Return words for a structure, as in ``dict with the keys ['w', 'b']``."""
    if tree.kind == LEAF:
        return "an array"
    if tree.kind == NONE:
        return "None"
    if tree.kind == DICT:
        return f"dict with the keys {list(tree.keys)}"
    return f"{'list' if tree.kind == LIST else 'tuple'} of {len(tree.parts)}"


def built(tree: Tree, leaves: list[Any]) -> Any:
    """Return the value with that structure and these leaves, which are taken from the end of the list."""
    kind = tree.kind
    if kind == LEAF:
        return leaves.pop()
    if kind == NONE:
        return None
    parts = [built(part, leaves) for part in tree.parts]
    if kind == DICT:
        return dict(zip(tree.keys, parts, strict=True))
    if kind == LIST:
        return parts
    if kind == TUPLE:
        return tuple(parts)
    return _named(tree.title, tree.keys)(*parts)


@cache
def _named(title: str, fields: tuple[str, ...]) -> Any:
    return namedtuple(title, fields)


def paths(tree: Tree, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return for each leaf the keys and places that lead to it."""
    if tree.kind == LEAF:
        return [path]
    places = tree.keys if tree.kind in (DICT, NAMED) else range(len(tree.parts))
    return [
        p
        for place, part in zip(places, tree.parts, strict=tree.kind != NONE)
        for p in paths(part, (*path, place))
    ]
