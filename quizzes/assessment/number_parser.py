"""Reading a number as people type it: 0.001, .001, 1e-3, 1/1000, 2*pi/3, 2π, 10^-3, 45 000, 0,5.

A parser of its own for a grammar of one line; nothing is ever evaluated as code.

    sum     = product (("+" | "-") product)*
    product = power (("*" | "/") power | power)*        2pi and 2(1+1) multiply
    power   = atom ["^" signed power]
    atom    = number | "pi" | "sqrt" atom | "(" sum ")"

A comma is a decimal comma where it can be nothing else: alone in its number, and before any count
of digits but three, or after a zero. 1,500 is one and a half to half of the world and fifteen
hundred to the other half: it is refused with both ways to write it. Pages repeat what was read.

What a browser, a phone or a keyboard of another script makes of plain signs is read as these
(`fold_number`), and so is the unit that the page writes behind the field. Percent signs, raised
digits, fractions of one character and digits of other scripts are refused with the way to write
them: each of them can be read in two ways, or stands for an answer that was meant to be another.
"""

import math
import re
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import NamedTuple

from quizzes.content_files.typed_text import fold_for_comparison, fold_number

MAX_LENGTH = 100
MAX_DEPTH = 20
EXAMPLES = "0.25, 2.5e-3, 1/400 or 2*pi/3"

# Signs of multiplication and division that people paste. One character each: a place in the plain
# text is the same place in the typed one, so that errors quote what was typed.
_SAME = str.maketrans("×·⋅÷∙", "**" + "*/*")
_GROUPS = re.compile(r"(?<![0-9.,])[0-9]{1,3}(?:[ \u00a0\u2009\u202f][0-9]{3})+(?![0-9 ])")
_DIGITS = re.compile(r"[0-9.,]*,[0-9.,]*")  # a number, as far as it is digits, that holds a comma
_DECIMAL = re.compile(r"0*,[0-9]+|[0-9]+,(?:[0-9]{1,2}|[0-9]{4,})")
_EITHER = re.compile(r"[0-9]+,[0-9]{3}")
_THOUSANDS = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]*)?")
_THOUSANDS_BY_DOTS = re.compile(r"[0-9]{1,3}(?:\.[0-9]{3})+,[0-9]+")
_TWO_WAYS = "its comma may separate thousands or start the decimals"
_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)"
    r"|(?P<word>[A-Za-zπ√]+)|(?P<sign>\*\*|[-+*/^()]))"
)
_WORDS = {"pi": math.pi, "π": math.pi}
_ROOTS = {"sqrt", "√"}
_PERCENT = re.compile(r"([^%٪‰]+?)\s*([%٪‰]|per ?cent)", re.IGNORECASE)
_RAISED = re.compile("[⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_FRACTION = re.compile(r"(?P<sign>[-+]?)\s*(?P<whole>[0-9]*)\s*(?P<fraction>[¼½¾⅐-⅞↉])")
_SLASHED = re.compile("[-+]?[0-9]+⁄[0-9]+")  # the slash of fractions
DIGITS = frozenset("0123456789.,")
WORD_LENGTH = 4  # letters from which capitals of a unit do not matter: MW is not mW


class NotANumberError(ValueError):
    """The text is no number; `str()` says so to the person who typed it."""


def read_number(text: str, unit: str = "") -> float:
    """Return the finite number that a text states. Raises NotANumberError.

    `unit` may stand behind it: that of its question.
    """
    return _read(bare_number(text, unit))


def bare_number(text: str, unit: str = "") -> str:
    """Return a typed number in plain signs, without the unit where it is no number with it."""
    typed = fold_number(text.strip()).strip()
    behind = fold_for_comparison(unit)
    if not behind or len(typed) > MAX_LENGTH or _is_number(typed):
        return typed
    for place in range(1, len(typed)):
        number, rest = typed[:place], typed[place:]
        if _is_unit(rest, behind) and not _is_within_word(number[-1], rest[0]):
            return number.strip()
    return typed


def _is_unit(text: str, unit: str) -> bool:
    folded = fold_for_comparison(text)
    return folded == unit or (
        len(unit) >= WORD_LENGTH and unit.isalpha() and folded.lower() == unit.lower()
    )


def _is_within_word(last: str, first: str) -> bool:
    """Say whether two characters belong together: 5 ms is not 5 m of “s”, 51/s not 5 of “1/s”."""
    return (last.isalpha() and first.isalpha()) or (last in DIGITS and first in DIGITS)


def _is_number(typed: str) -> bool:
    try:
        _read(typed)
    except NotANumberError:
        return False
    return True


def _read(typed: str) -> float:
    """Return the number of a text in plain signs."""
    if not typed:
        raise NotANumberError(f"Type a number first, such as {EXAMPLES}.")
    if len(typed) > MAX_LENGTH:
        raise NotANumberError(f"“{typed[:20]}…” is longer than {MAX_LENGTH} characters.")
    for piece in typed:
        if piece.isnumeric() and not piece.isascii():  # no sentence about commas is true of these
            raise _unknown(typed, piece)
    typed = _GROUPS.sub(lambda match: re.sub("[^0-9]", "", match[0]), typed)
    for found in _DIGITS.finditer(typed):
        if not _DECIMAL.fullmatch(found[0]):
            raise _comma_refusal(typed, found)
    return _evaluate(typed)


def _evaluate(typed: str) -> float:
    """Return the number that a text states if every comma is a decimal comma."""
    try:
        value = _Reader(typed).whole()
    except ZeroDivisionError:
        raise NotANumberError(f"“{typed}” divides by zero.") from None
    except OverflowError:
        value = math.inf
    if not math.isfinite(value):
        raise NotANumberError(f"“{typed}” is too large: the largest number allowed is 1.79e308.")
    return value


def _comma_refusal(typed: str, match: re.Match[str]) -> NotANumberError:
    """Return why the digits matched are not one number, and what else to write for the whole."""
    digits = match[0]
    if digits == "," != typed:
        return _unknown(typed, digits)  # between words: it ends and parts no number
    quoted = f"“{digits}”" if digits == typed else f"“{digits}” in “{typed}”"
    without = digits.replace(",", "")
    if _EITHER.fullmatch(digits):
        ways = _readable(typed, match, without, digits.replace(",", "."))
        return NotANumberError(f"{quoted} can mean two numbers: {_TWO_WAYS}.{ways}")
    if _THOUSANDS.fullmatch(digits):
        ways = _readable(typed, match, without)
        return NotANumberError(f"{quoted} cannot be read with commas between thousands.{ways}")
    if _THOUSANDS_BY_DOTS.fullmatch(digits):
        ways = _readable(typed, match, digits.replace(".", "").replace(",", "."))
        return NotANumberError(f"{quoted} has a dot and a comma: use only one of them.{ways}")
    wrong = "is not a single number" if digits.strip(",") != digits[:-1] else "ends with a comma"
    return NotANumberError(f"{quoted} {wrong}. Type a single number, such as {EXAMPLES}.")


def _readable(typed: str, match: re.Match[str], *instead: str) -> str:
    """Return the sentence that offers to write one of these for the digits found.

    What is offered is the whole text, and only if it would be read: nobody types 1.234.5 twice.
    """
    ways = [typed[: match.start()] + text + typed[match.end() :] for text in instead]
    if all(_is_read(way) for way in ways):
        return f" Write {' or '.join(ways)}."
    return f" Type a single number, such as {EXAMPLES}."


def _is_read(text: str) -> bool:
    if any(not _DECIMAL.fullmatch(digits) for digits in _DIGITS.findall(text)):
        return False
    try:
        _evaluate(text)
    except NotANumberError:
        return False
    return True


class _Token(NamedTuple):
    """A piece of the plain text, the same piece `as_typed`, and what it is."""

    kind: str
    text: str
    as_typed: str


_END = _Token("", "", "")


class _Reader:
    """Walks over the text once. `_depth` bounds what nested brackets may ask of the stack."""

    def __init__(self, typed: str) -> None:
        self._typed = typed
        self._tokens = list(self._split(typed.translate(_SAME).replace(",", ".")))
        self._place = 0
        self._depth = 0

    def whole(self) -> float:
        value = self._sum()
        if self._next():
            raise self._refusal()
        return value

    def _split(self, plain: str) -> Iterator[_Token]:
        place = 0
        while place < len(plain):
            found = _TOKEN.match(plain, place)
            if found is None:
                raise _unknown(self._typed, self._typed[place:].strip()[:1])
            kind = found.lastgroup or ""
            yield _Token(kind, found[kind], self._typed[slice(*found.span(kind))])
            place = found.end()

    def _token(self) -> _Token:
        return self._tokens[self._place] if self._place < len(self._tokens) else _END

    def _next(self) -> str:
        return self._token().text

    def _take(self, *symbols: str) -> str:
        symbol = self._next()
        if symbol in symbols and symbol:
            self._place += 1
            return symbol
        return ""

    def _sum(self) -> float:
        value = self._product()
        while sign := self._take("+", "-"):
            right = self._product()
            value = value + right if sign == "+" else value - right
        return value

    def _product(self) -> float:
        value = self._signed()
        while True:
            if self._take("*"):
                value *= self._signed()
            elif self._take("/"):
                value /= self._signed()
            elif self._next() == "(" or self._next().lower() in {*_WORDS, *_ROOTS}:
                value *= self._power()  # 2pi, 3(1 + 1)
            else:
                return value

    def _signed(self) -> float:
        sign = 1.0
        while found := self._take("+", "-"):
            sign = -sign if found == "-" else sign
        return sign * self._power()

    def _power(self) -> float:
        value = self._atom()
        if self._take("^", "**"):
            return self._nested(lambda: self._raised(value, self._signed()))
        return value

    def _atom(self) -> float:
        kind, sign, _ = self._token()
        if kind == "number":
            self._place += 1
            return float(sign)
        if sign.lower() in _WORDS:
            self._place += 1
            return _WORDS[sign.lower()]
        if self._take("("):
            return self._nested(self._bracket)
        if sign.lower() in _ROOTS:
            self._place += 1
            return self._nested(self._root)
        raise self._refusal()

    def _bracket(self) -> float:
        value = self._sum()
        if not self._take(")"):
            raise NotANumberError(f"“{self._typed}” has a bracket that is never closed.")
        return value

    def _root(self) -> float:
        inside = self._atom()
        if inside < 0:
            raise NotANumberError(f"“{self._typed}” takes the root of a negative number.")
        return math.sqrt(inside)

    def _raised(self, base: float, exponent: float) -> float:
        value = base**exponent
        if isinstance(value, complex):
            words = f"“{self._typed}” raises a negative number to a power"
            raise NotANumberError(f"{words}, but the result is not a real number.")
        return float(value)

    def _nested(self, read: Callable[[], float]) -> float:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise NotANumberError(f"“{self._typed}” is nested too deeply.")
        value = read()
        self._depth -= 1
        return value

    def _refusal(self) -> NotANumberError:
        """Return why the token that comes next cannot stand where it does."""
        token = self._token()
        before = self._tokens[self._place - 1].as_typed if self._place else ""
        if token is _END:
            return NotANumberError(
                f"“{self._typed}” is incomplete: something must follow “{before}”."
            )
        if token.kind == "word" and token.text.lower() not in {*_WORDS, *_ROOTS}:
            return _unknown(self._typed, token.as_typed)
        where = f"after “{before}”" if before else "at the start"
        words = f"“{self._typed}” cannot be read as a number"
        return NotANumberError(f"{words}: “{token.as_typed}” does not belong {where}.")


def _unknown(typed: str, piece: str) -> NotANumberError:
    because = "" if piece == typed else f", because of “{piece}”"
    words = f"“{typed}” cannot be read as a number{because}."
    instead = _plain_way(typed)
    return NotANumberError(f"{words} {instead or f'Type a number, such as {EXAMPLES}.'}")


def _plain_way(typed: str) -> str:
    """Return the sentence that says how to write what was meant, "" where that is not clear."""
    if found := _PERCENT.fullmatch(typed):
        with suppress(NotANumberError):
            share = _read(found[1]) / (1000 if found[2] == "‰" else 100)
            return f"Write {share:.15g}."
        return ""
    ways = [_RAISED.sub(_power_of, typed), "".join(map(_digit, typed))]
    if _SLASHED.fullmatch(typed):
        ways.append(typed.replace("⁄", "/"))
    if found := _FRACTION.fullmatch(typed):
        ways.append(_written_out(found))
    for way in ways:
        if way != typed and _is_number(way):
            return f"Write {way}."
    return ""


def _power_of(match: re.Match[str]) -> str:
    return "^" + unicodedata.normalize("NFKC", match[0]).replace("\N{MINUS SIGN}", "-")


def _digit(char: str) -> str:
    """Return the plain digit for one of another script, and its decimal point."""
    return "." if char == "٫" else str(unicodedata.decimal(char, char))


def _written_out(match: re.Match[str]) -> str:
    fraction = unicodedata.normalize("NFKC", match["fraction"]).replace("⁄", "/")
    if not match["whole"]:
        return match["sign"] + fraction
    whole = f"{match['whole']}+{fraction}"
    return f"{match['sign']}({whole})" if match["sign"] else whole
