"""Text from a student made harmless: control characters, escape sequences, bidi marks, length.

Callers that show the text still escape it for their own medium; HTML is not dealt with here.

A report quotes what a student's code is called, printed and returned. Half of a surrogate pair in
it cannot be encoded, a NUL cannot be kept by PostgreSQL, and one such text made every page that
showed the row fail. So `storable` cleans text once more at the one place where a report becomes
plain data, whatever was done to it before. Text without any of it stays as it is, byte for byte.
"""

from __future__ import annotations

import math
import re
import unicodedata
from typing import Any

from quizzes.content_files.characters import REFUSED

MAX_LINE = 400
_ESCAPES = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # colours, cursor
    r"|\x1b[\]PX^_].*?(?:\x07|\x1b\\|\Z)"  # titles, links and other strings
    r"|\x1b[ -/]*[0-~]",
    re.DOTALL,
)
# Marks that reorder what follows, separators that are no line ends here, invisible fillers.
_REFUSED = {
    *"\u200e\u200f\u061c\u2028\u2029\ufeff",
    *map(chr, range(0x202A, 0x202F)),
    *map(chr, range(0x2066, 0x206A)),
}
_REFUSED_CATEGORIES = ("Cc", "Cs", "Co", "Cn")
_ASCII_CONTROLS = dict.fromkeys({*range(0x20), 0x7F} - {ord("\n"), ord("\t")})
_REPEATED_MARKS = re.compile(r"((?:\^|~){40})(?:\^|~)+")


def clean(text: str | bytes, most: int) -> str:
    """Return at most `most` characters, lines of at most MAX_LINE; line ends and tabs are kept."""
    if isinstance(text, bytes):
        text = text.decode("utf-8", errors="replace")
    text = text[: 2 * most].replace("\r\n", "\n").replace("\r", "\n")
    text = _ESCAPES.sub("", text)
    text = text.translate(_ASCII_CONTROLS)
    if not text.isascii():
        text = "".join(character for character in text if _is_harmless(character))
    text = _REPEATED_MARKS.sub(r"\1…", text)
    text = "\n".join(_shorten(line, MAX_LINE) for line in text.split("\n"))
    return _shorten(text, most)


def clean_line(text: str, most: int = 300) -> str:
    """Return the same on one line."""
    return " ".join(clean(text, most).split())


def storable(value: Any) -> Any:
    """Return the same plain value with every text cleaned, names of fields too; JSON has no NaN."""
    if isinstance(value, str):
        return storable_text(value)
    if isinstance(value, dict):
        return {storable_text(str(key)): storable(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [storable(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def storable_text(text: str) -> str:
    """Return the same text without what cannot be seen or stored."""
    text = str(text)  # of a subclass, which may say something else each time
    return clean(text, len(text)) if REFUSED.search(text) else text


def _is_harmless(character: str) -> bool:
    if character.isascii():
        return True
    return character not in _REFUSED and unicodedata.category(character) not in _REFUSED_CATEGORIES


def _shorten(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
