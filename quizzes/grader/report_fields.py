"""Reading a stored report back, field by field: what was stored may be anything by now.

Rows are old, written by other versions, and were once written with less care. Each value must have
the type that the dataclass names, or nothing is read at all: half a report would be shown as whole.
"""

from __future__ import annotations

import math
import types
from collections.abc import Callable, Hashable, Mapping
from dataclasses import fields
from enum import Enum
from functools import cache
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from quizzes.grader.storable import storable_text

MAX_TEXT = 200_000  # characters; the longest text of a report has 20 000
MAX_ITEMS = 2_000  # cases of one report
T = TypeVar("T")


class UnreadableReport(ValueError):  # noqa: N818
    """What is stored is no report of this version; the message says where it differs."""


def read_fields(kind: type[T], data: object) -> T:
    """An instance of a dataclass from plain values; fields that it does not know are left out.

    Raises UnreadableReport.
    """
    if not isinstance(data, Mapping):
        raise UnreadableReport(f"{kind.__name__}: expected fields, got {type(data).__name__}")
    known = _types(cast("Hashable", kind))
    values = {name: read_value(known[name], data[name], name) for name in known if name in data}
    try:
        return kind(**values)
    except TypeError as error:
        raise UnreadableReport(f"{kind.__name__}: a field is missing: {error}") from error


def read_value(expected: Any, value: object, name: str) -> Any:
    """A plain value as the type that a field names; raises UnreadableReport."""
    origin, inner = get_origin(expected), get_args(expected)
    if origin in (Union, types.UnionType):
        return None if value is None else read_value(inner[0], value, name)
    if origin is tuple:
        return _read_items(inner[0], value, name)
    if expected in _READERS:
        read, word = _READERS[expected]
        found = read(value)
        if found is None:
            raise UnreadableReport(f"{name}: expected {word}, got {type(value).__name__}")
        return found
    if isinstance(expected, type) and issubclass(expected, Enum):
        return _read_word(expected, value, name)
    return read_fields(expected, value)


@cache
def _types(kind: Any) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in fields(kind)}


def _read_items(expected: Any, value: object, name: str) -> tuple[Any, ...]:
    if not isinstance(value, (list, tuple)) or len(value) > MAX_ITEMS:
        raise UnreadableReport(f"{name}: expected a list of at most {MAX_ITEMS} items")
    return tuple(read_value(expected, item, name) for item in value)


def _read_word(expected: type[Enum], value: object, name: str) -> Enum:
    try:
        return expected(value)
    except ValueError as error:
        raise UnreadableReport(f"{name}: {str(value)[:80]!r} is no {expected.__name__}") from error


def _text(value: object) -> str | None:
    known = isinstance(value, str) and len(value) <= MAX_TEXT
    return storable_text(str(value)) if known else None


def _flag(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def _whole(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if abs(value) < 2**63 else None


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or abs(value) > 1e300:
        return None
    return float(value) if math.isfinite(value) else None


_READERS: dict[Any, tuple[Callable[[object], Any], str]] = {
    str: (_text, f"text of at most {MAX_TEXT} characters"),
    bool: (_flag, "true or false"),
    int: (_whole, "a whole number"),
    float: (_number, "a finite number"),
}
