"""What a listing prints, compared with its page: texts equal, numbers to their printed digits.

Another machine, or another NumPy, may print the last digits of a float differently. So a number of
the page that has digits after its point holds where the printed one, rounded to as many, is it.
NumPy's `1.` is a whole number: it has as many digits as the finest other number of its line, and
alone all of them. Everything else is equal letter by letter.
"""

import re
from decimal import Decimal, InvalidOperation
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import NamedTuple

# A number with a point or a power of ten; not a part of a word, an address or a version.
_NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][-+]?\d+)?(?![\w.]*\w)")
_WHOLE = re.compile(r"\.(?:[eE]|$)")
MOST_LINES = 200  # that are compared one by one
MOST_ALIKE = 20
_LONGEST = 40  # characters of a number that is compared as one


class Difference(NamedTuple):
    """The first line that differs, counted from 0; None: there is no such line."""

    line: int
    said: str | None
    printed: str | None


def first_difference(said: str, printed: str) -> Difference | None:
    """Return the first difference of a program's output from its page, None without one."""
    lines = zip_longest(_lines(said), _lines(printed))
    for number, (one, other) in enumerate(lines):
        if one is None or other is None or not _agree(one, other):
            return Difference(number, one, other)
    return None


class OutputLine(NamedTuple):
    """A line of a program's output next to its page's: `same`, `more` (printed), `less` (not)."""

    kind: str
    text: str


def compared_lines(said: str, printed: str) -> list[OutputLine]:
    """Return the printed lines in order, and where they differ those of the page, struck out.

    At most the first `MOST_LINES` of each. A line that agrees stands for the page's own.
    """
    page, output = _lines(said)[:MOST_LINES], _lines(printed)[:MOST_LINES]
    by_words: dict[str, list[str]] = {}
    for line in page:
        by_words.setdefault(_words(line), []).append(line)
    alike = (by_words.get(_words(line), []) for line in output)
    names = [
        next((same for same in lines[:MOST_ALIKE] if _agree(same, line)), line)
        for line, lines in zip(output, alike, strict=True)
    ]
    shown: list[OutputLine] = []
    matcher = SequenceMatcher(None, page, names, autojunk=False)
    for what, first, last, begin, end in matcher.get_opcodes():
        if what == "equal":
            shown += [OutputLine("same", line) for line in output[begin:end]]
            continue
        shown += [OutputLine("less", line) for line in page[first:last]]
        shown += [OutputLine("more", line) for line in output[begin:end]]
    return shown


def _words(line: str) -> str:
    return "".join(_NUMBER.sub("#", line).split())


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip("\n").split("\n")] if text.strip() else []


def _agree(said: str, printed: str) -> bool:
    if said == printed:
        return True
    numbers, others = _NUMBER.findall(said), _NUMBER.findall(printed)
    if len(numbers) != len(others):
        return False
    finest = min((_exponent(one) for one in numbers if not _WHOLE.search(one)), default=None)
    for one, other in zip(numbers, others, strict=True):
        if not _is_rounded(one, other, finest if _WHOLE.search(one) else _exponent(one)):
            return False
    words, other_words = (_NUMBER.sub("#", line) for line in (said, printed))
    if all(len(one) == len(other) for one, other in zip(numbers, others, strict=True)):
        return words == other_words
    return _without_columns(words) == _without_columns(other_words)


def _without_columns(words: str) -> str:
    """Return a line without the spaces that numbers of other lengths are set with."""
    return " ".join(words.split()).replace("[ ", "[").replace(" ]", "]")


def _exponent(number: str) -> int:
    """Return the power of ten of a number's last digit."""
    return int(Decimal(number).as_tuple().exponent)


def _is_rounded(said: str, printed: str, exponent: int | None) -> bool:
    """Say whether the number of the page is the printed one, rounded to this power of ten.

    None: the two are equal.
    """
    if said == printed:
        return True
    if max(len(said), len(printed)) > _LONGEST:
        return False
    try:
        number, other = Decimal(said), Decimal(printed)
    except InvalidOperation:  # an exponent of twenty digits, as a reader's own program may print
        return False
    if abs(number.adjusted()) > 400 or abs(other.adjusted()) > 400:
        return False
    return abs(number - other) <= (0 if exponent is None else Decimal(1).scaleb(exponent) / 2)
