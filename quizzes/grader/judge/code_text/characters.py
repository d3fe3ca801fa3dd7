"""Which characters stand for others in pasted code: the tables and nothing else.

Word, a PDF, a chat or a phone put them in: spaces that are none of Python's, quotes that lean, long
dashes for a minus. What a person reads as one of Python's signs becomes it. A superscript, a soft
hyphen or an arrow may mean several things, so it is only named.
"""

from __future__ import annotations

import unicodedata

from quizzes.content_files import typed_text

LINE_BREAKS = frozenset("\x0b\x85\u2028\u2029")  # of a slide, a word processor, a design program
SPACES_OF_PYTHON = frozenset(" \t\r\f")
SOFT_HYPHEN = "\u00ad"
DOUBLE_QUOTES = frozenset("“”„‟〝〞〟＂❝❞")
SINGLE_QUOTES = frozenset("‘’‚‛＇❛❜´")
# These are quotes only where a second one ends the string: primes of mathematics, signs of "far
# less", and letters that look like apostrophes, which begin names too.
DOUBTFUL_DOUBLE = frozenset("″‶«»ˮ")
DOUBTFUL_SINGLE = frozenset("′‵‹›ʼʻʽ")
GUILLEMETS = frozenset("«»‹›")
_SIGNS = {
    **dict.fromkeys("−⁃˗➖", "-"),
    **dict.fromkeys("×✕✖⨉⨯∗⁎⋅∙·", "*"),
    **dict.fromkeys("÷∕⁄", "/"),
    **dict.fromkeys("…⋯", "..."),
    **dict.fromkeys("〜～∼˜", "~"),
    **dict.fromkeys("、", ","),
    **dict.fromkeys("。", "."),
    **dict.fromkeys("【〔", "["),
    **dict.fromkeys("】〕", "]"),
    "∶": ":",
    "∣": "|",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "→": "->",
    "≔": ":=",
    "\u037e": ";",  # the Greek question mark
    "\u3000": "  ",  # as wide as two
}
_READ_AS = {"Cc": "", "Zs": " ", "Pd": "-"}  # by category: controls, spaces, dashes
_FORMS = ("<wide>", "<narrow>", "<small>", "<vertical>")


def is_invisible(character: str) -> bool:
    """Say whether nothing is seen of a character, not even a space, wherever it stands."""
    return character != SOFT_HYPHEN and typed_text.is_invisible(character)


def reading_of(character: str) -> str | None:
    """Return the character that a person would read instead, None where that is not certain."""
    if character in LINE_BREAKS:
        return "\n"
    if character in _SIGNS:
        return _SIGNS[character]
    kind = unicodedata.category(character)
    if is_invisible(character) or kind in _READ_AS:
        return _READ_AS.get(kind, "")
    if kind == "Nd":
        return str(unicodedata.decimal(character))
    form = unicodedata.decomposition(character).partition(" ")[0]
    plain = unicodedata.normalize("NFKC", character)
    return plain if form in _FORMS and plain.isascii() and plain.strip() else None


def name_of(character: str) -> str:
    """Name a character as Unicode does, with its number: `no-break space (U+00A0)`."""
    name = unicodedata.name(character, "").lower()
    if not name:
        kind = unicodedata.category(character)
        name = {"Cc": "control character", "Co": "private character"}.get(kind, "character")
    return f"{name} (U+{ord(character):04X})"
