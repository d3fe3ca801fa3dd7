"""Which characters a text of an author may hold, and how the others are shown.

A control character moves a terminal's cursor, a mark of direction makes code read otherwise than it
runs, and a NUL or half of a surrogate pair cannot be stored. All of them are invisible, so that a
person who reviews a file does not see them: no author needs one, and none is let in.
"""

from __future__ import annotations

import re

MAX_MESSAGE = 600  # characters of one line on a terminal
_CONTROLS = r"\x00-\x08\x0b-\x1f\x7f-\x9f"
_DIRECTIONS = r"\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_OTHERS = r"\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff"
REFUSED = re.compile(f"[{_CONTROLS}{_DIRECTIONS}{_OTHERS}]")
_BREAKS = re.compile(r"\s*[\n\t]\s*")


def describe_refused(text: str) -> str:
    """Return the fault of the first forbidden character, "" when there is none."""
    found = REFUSED.search(text)
    return _description(found[0]) if found else ""


def line_of_refused(text: str) -> tuple[int, str] | None:
    """Return the line of the first character that must not be there, and what is wrong with it."""
    found = REFUSED.search(text)
    if not found:
        return None
    return text.count("\n", 0, found.start()) + 1, _description(found[0])


def visible(text: str, most: int = MAX_MESSAGE) -> str:
    """Return a text as one line for a terminal, with numbers for invisible characters."""
    line = REFUSED.sub(_number, _BREAKS.sub(" ", text[: 2 * most]))
    return line if len(line) <= most else f"{line[: most - 1]}…"


def visible_lines(text: str) -> str:
    """Return a text with its lines for a terminal; JSON stays the JSON of the same value."""
    return REFUSED.sub(_number, text)


def _description(character: str) -> str:
    if character == "\0":
        return "contains a NUL character"
    return f"contains the character U+{ord(character):04X}, which is invisible and not allowed"


def _number(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"
