"""The likeness of a user name: the same text for names that people mix up.

Two names are alike when they look alike: letters of other scripts that look Latin, capitals, `0`
for `o`, `1` for `l`, dots and dashes more or fewer.
"""

import unicodedata

from confusable_homoglyphs import confusables

ALIKE = str.maketrans("01|!5$", "olllss")
SEPARATORS = str.maketrans("", "", " ._-+@'’")
LONGEST = 150


def likeness_of(name: str) -> str:
    """Return the same text for names that look alike."""
    text = unicodedata.normalize("NFKC", name)
    text = "".join(map(_latin, text)).casefold()
    text = unicodedata.normalize("NFKD", text)
    text = "".join(char for char in text if not unicodedata.combining(char))
    text = text.translate(ALIKE).translate(SEPARATORS).replace("i", "l")
    return text.replace("rn", "m").replace("vv", "w")[:LONGEST]


def _latin(char: str) -> str:
    """Return the ASCII letter that a letter of another script looks like, or the letter itself."""
    if char.isascii():
        return char
    for found in confusables.is_confusable(char, greedy=True) or []:
        for twin in found["homoglyphs"]:
            if len(twin["c"]) == 1 and twin["c"].isascii() and twin["c"].isalnum():
                return str(twin["c"])
    return char
