"""Text as people type and paste it: names as stored, texts as compared, numbers as read.

A phone writes a curly apostrophe, a word processor a long dash for a minus, a web page puts
characters between the letters that nobody sees. Three rules, for three questions:

- A name is stored as its owner writes it. ZWJ and ZWNJ stay: Persian and Indic names need them.
- Two texts are the same when a person reads the same.
- A number is read only where nobody could read another one. So it is not folded as a text is:
  NFKC makes 103 of 10³. Raised and lowered digits and fractions stay, and are refused.
"""

from __future__ import annotations

import unicodedata

from quizzes.content_files.characters import REFUSED

MAX_KEY = 2**63 - 1  # of a row, in either database
MOST_DIGITS = 19
_CONTROLS = {"Cc", "Cs"}  # and halves of surrogate pairs, which no database stores
# Characters without a picture that are no format characters: joiners, fillers, selectors.
_IGNORED = (
    *((0x034F, 0x034F), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x3164, 0x3164)),
    *((0xFE00, 0xFE0F), (0xFFA0, 0xFFA0), (0xE0000, 0xE0FFF)),
)
# Fillers that fonts draw as wide as a letter, and Braille without a dot.
_BLANKS = frozenset("\u3164\uffa0\u2800")
_MINUSES = frozenset("−⁃˗➖")
# Between two numbers these mean "to", or look like "equals" or a bar: a minus only where a sign can
# stand.
_WAVES = frozenset("〜〰⹀゠᐀⸗︱︲")
# Apostrophes and quotes of all scripts, and single primes: NFKC makes two of a double prime.
# Unicode's other opening and closing quotes (Pi and Pf) are double.
_SINGLE = frozenset("‘’‚‛‹›❛❜❟❮❯『』﹃﹄＇`´｀ʹʻʼʽˈ՚׳′‵ꞌ")
_DOUBLE = frozenset("„〝〞〟「」｢｣﹁﹂＂⹂❝❞❠ʺˮ״🙶🙷🙸")


def isolate(name: str) -> str:
    """Return a name for a sentence whose own words it must not turn: isolated if right-to-left."""
    turns = any(unicodedata.bidirectional(char) in {"R", "AL"} for char in name)
    return f"\u2068{name}\u2069" if turns else name


def is_invisible(char: str) -> bool:
    """Say whether nothing is seen of a character, not even a space."""
    number = ord(char)
    if any(first <= number <= last for first, last in _IGNORED):
        return True
    return unicodedata.category(char) == "Cf"


def clean_name(text: str) -> str:
    """Return a name, or a cell of a roster, as it is stored: composed, with single spaces.

    It has no controls, no marks of direction and no byte order mark; all else is as it was typed.
    """
    plain = REFUSED.sub(lambda match: match[0] if match[0].isspace() else "", text)
    return unicodedata.normalize("NFC", " ".join(plain.split()))


def fold_for_comparison(text: str) -> str:
    """Return one text for all texts that look the same to a person; capitals count."""
    plain = "".join(map(_plain_char, without_invisible(text)))
    plain = "".join(map(_plain_char, unicodedata.normalize("NFKC", plain)))
    return " ".join(plain.split())


def read_whole_number(text: str, *, most: int = MAX_KEY) -> int | None:
    """Return the number of 0 to `most` that plain digits say, None for any other text.

    Forms and addresses name rows, places and counts so. Python reads no number of 5 000 digits.
    """
    if not (text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS):
        return None
    return number if (number := int(text)) <= most else None


def fold_number(text: str) -> str:
    """Return a typed number with plain signs, digits and points, without invisible characters."""
    plain = ""
    for char in without_invisible(text):
        plain += _sign_of_number(char, plain)
    return plain


def without_invisible(text: str) -> str:
    """Return a text without invisible characters; each space stays, and a blank filler is one."""
    spaced = (" " if char in _BLANKS else char for char in text)
    return "".join(char for char in spaced if char.isspace() or not _is_unseen(char))


def _is_unseen(char: str) -> bool:
    return is_invisible(char) or unicodedata.category(char) in _CONTROLS


def _plain_char(char: str) -> str:
    kind = unicodedata.category(char)
    if kind == "Pd" or char in _MINUSES:
        return "-"
    if char in _SINGLE:
        return "'"
    if kind in {"Pi", "Pf"} or char in _DOUBLE:
        return '"'
    return char


def _sign_of_number(char: str, before: str) -> str:
    """Return what a character of a number is, after the text before it."""
    if char in _WAVES:
        return "-" if before.rstrip()[-1:] in {"", *"+-*/^(eE"} else char
    if unicodedata.category(char) == "Pd" or char == "\N{MINUS SIGN}":
        return "-"
    is_wide = "\uff01" <= char <= "\uff5e"
    return chr(ord(char) - 0xFEE0) if is_wide else char
