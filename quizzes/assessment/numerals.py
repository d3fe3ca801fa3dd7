"""Reading a number as people type it: 0.001, .001, 1e-3, 1/1000, 2*pi/3, 2π, 10^-3, 45 000.

A parser of its own for a grammar of one line; nothing is ever evaluated as code.

    sum     = product (("+" | "-") product)*
    product = power (("*" | "/") power | power)*        2pi and 2(1+1) multiply
    power   = atom ["^" signed power]
    atom    = number | "pi" | "sqrt" atom | "(" sum ")"
"""

import math
import re
from collections.abc import Callable

MAX_LENGTH = 100
MAX_DEPTH = 20
EXAMPLES = "0.25, 2.5e-3, 1/400 or 2*pi/3"

# What people paste, and what keyboards write instead of the plain signs.
_SAME = str.maketrans("−–×·⋅÷∙", "--**" + "*/*")
_GROUPS = re.compile(r"(?<![0-9.,])[0-9]{1,3}(?:[ \u00a0\u2009\u202f][0-9]{3})+(?![0-9 ])")
_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)"
    r"|(?P<word>[A-Za-zπ√]+)|(?P<sign>\*\*|[-+*/^()]))"
)
_WORDS = {"pi": math.pi, "π": math.pi}
_ROOTS = {"sqrt", "√"}


class NotANumberError(ValueError):
    """The text is no number; `str()` says so to whoever typed it."""


def read_number(text: str) -> float:
    """Return the finite number that a text states. Raises NotANumberError."""
    plain = text.strip()
    if not plain:
        raise NotANumberError("Type a number first.")
    if len(plain) > MAX_LENGTH:
        raise NotANumberError(f"That is longer than {MAX_LENGTH} characters: a number is shorter.")
    _refuse_commas(plain)
    plain = _GROUPS.sub(lambda found: re.sub("[^0-9]", "", found[0]), plain.translate(_SAME))
    try:
        value = _Reader(plain).whole()
    except ZeroDivisionError:
        raise NotANumberError(f"“{text.strip()}” divides by zero.") from None
    except OverflowError:
        raise NotANumberError(f"“{text.strip()}” is too large for a number.") from None
    if not math.isfinite(value):
        raise NotANumberError(f"“{text.strip()}” is too large for a number.")
    return value


def _refuse_commas(text: str) -> None:
    if "," not in text:
        return
    if re.fullmatch(r"[-+−]?[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?", text):
        without, point = text.replace(",", ""), text.replace(",", ".")
        either = f" or {point}" if text.count(",") == 1 and "." not in text else ""
        raise NotANumberError(f"A comma can mean two things here: write {without}{either}.")
    if re.search(",[0-9]", text) and text.count(",") == 1:
        raise NotANumberError(f"Write a decimal point, not a comma: {text.replace(',', '.')}.")
    raise NotANumberError(f"“{text}” holds a comma: type one number, such as {EXAMPLES}.")


class _Reader:
    """Walks over the text once. `_depth` bounds what nested brackets may ask of the stack."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = list(self._split())
        self._place = 0
        self._depth = 0

    def whole(self) -> float:
        value = self._sum()
        if self._next():
            raise self._refusal(self._next())
        return value

    def _split(self) -> list[tuple[str, str]]:
        tokens, place = [], 0
        while place < len(self._text):
            found = _TOKEN.match(self._text, place)
            if found is None:
                raise self._refusal(self._text[place:].strip()[:1])
            tokens.append((found.lastgroup or "", found[found.lastgroup or 0]))
            place = found.end()
        return tokens

    def _next(self) -> str:
        return self._tokens[self._place][1] if self._place < len(self._tokens) else ""

    def _take(self, *wanted: str) -> str:
        found = self._next()
        if found in wanted and found:
            self._place += 1
            return found
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
            return self._nested(lambda: _raised(value, self._signed()))
        return value

    def _atom(self) -> float:
        kind, sign = self._tokens[self._place] if self._next() else ("", "")
        self._place += 1
        if kind == "number":
            return float(sign)
        if sign.lower() in _WORDS:
            return _WORDS[sign.lower()]
        if sign.lower() in _ROOTS:
            return self._nested(self._root)
        if sign == "(":
            return self._nested(self._bracket)
        raise self._refusal(sign)

    def _bracket(self) -> float:
        value = self._sum()
        if not self._take(")"):
            raise NotANumberError(f"“{self._text}” opens a bracket and does not close it.")
        return value

    def _root(self) -> float:
        inside = self._atom()
        if inside < 0:
            raise NotANumberError(f"“{self._text}” takes the root of a negative number.")
        return math.sqrt(inside)

    def _nested(self, read: Callable[[], float]) -> float:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise NotANumberError(f"“{self._text}” is nested too deeply.")
        value = read()
        self._depth -= 1
        return value

    def _refusal(self, token: str) -> NotANumberError:
        if not token:
            return NotANumberError(f"“{self._text}” stops half-way.")
        what = f"“{token}”" if token != self._text else "That"
        return NotANumberError(f"{what} is not part of a number. Type one, such as {EXAMPLES}.")


def _raised(base: float, exponent: float) -> float:
    value = base**exponent
    if isinstance(value, complex):
        raise NotANumberError("A negative number has no such power among the real numbers.")
    return float(value)
