"""Texts of submitted code, made plain: exact `str`, printable, short enough for a frame's header.

Code may define its own `__name__`, `__str__` and subclasses of `str`. An honest result must never
make a frame that the reader refuses: its author would be told that the code meddled with frames.
"""

from __future__ import annotations

import json
from typing import Any

MAX_NAME = 60

_NAME_OF = type.__dict__["__name__"].__get__  # a metaclass may define another one


def type_name(value: Any) -> str:
    """The name of a value's class, whatever the class says of itself."""
    return printable(_NAME_OF(type(value)))


def printable(text: Any, most: int = MAX_NAME) -> str:
    """At most so many characters of `str(text)`, those that cannot be printed as `?`."""
    plain = cut(str(text), most)
    if plain.isprintable():
        return plain
    return "".join(character if character.isprintable() else "?" for character in plain)


def cut(text: str, most: int) -> str:
    """At most so many of the first characters, and at most two bytes of JSON for each.

    JSON writes some characters as `\\u0000` or two of these: six to twelve bytes.
    """
    plain = str.__getitem__(text, slice(0, most))
    while (size := len(json.dumps(plain))) > 2 * most + 2:
        plain = plain[: 2 * most * len(plain) // size]
    return plain
