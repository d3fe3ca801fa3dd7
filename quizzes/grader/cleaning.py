"""Making text from a student harmless: control characters, escape sequences, bidi marks, length.

Whoever shows the text still escapes it for its own medium; HTML is not dealt with here.
"""

from __future__ import annotations

import re
import unicodedata

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
    """At most `most` characters, lines of at most MAX_LINE; line ends and tabs are kept."""
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
    """The same on one line."""
    return " ".join(clean(text, most).split())


def _is_harmless(character: str) -> bool:
    if character.isascii():
        return True
    return character not in _REFUSED and unicodedata.category(character) not in _REFUSED_CATEGORIES


def _shorten(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
