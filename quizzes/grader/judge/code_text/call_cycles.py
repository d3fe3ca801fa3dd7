"""Which function of a program calls itself, by its text: functions, and the names they call.

Only for a sentence beside a RecursionError. Nothing is run or compiled: lines are read alone, as
tokens, and a function reaches as far as the lines that are indented deeper.
"""

from __future__ import annotations

import io
import re
import tokenize
from dataclasses import dataclass
from functools import lru_cache

MAX_LINE = 1000  # of a longer line its beginning
_DEFINED = re.compile(r"([ \t]*)(?:(?:async[ \t]+)?def[ \t]+(\w+)|(\w+)[ \t]*=[ \t]*lambda\b)")


@dataclass(frozen=True)
class _Function:
    name: str
    first: int  # its lines, from 1
    last: int
    calls: frozenset[str]


def calls_again(code: str, line: int) -> tuple[str, str] | None:
    """Return the function around a line that calls it again, and by way of which other one.

    The other is "" where it calls itself; None where the line leads back to nothing.
    """
    functions, calls = _read(code)
    around = [item for item in functions if item.first <= line <= item.last]
    if not around:
        return None
    function = max(around, key=lambda item: item.first)
    called = calls.get(line, frozenset())
    if function.name in called or ("self" in called and function.name in ("forward", "__call__")):
        return function.name, ""
    by_name = {item.name: item for item in functions}
    for other in sorted(called & by_name.keys()):
        if function.name in _reached(by_name, other):
            return function.name, other
    return None


def _reached(functions: dict[str, _Function], name: str) -> set[str]:
    """Return the names that are called from a function, and from what it calls."""
    reached, left = set[str](), [name]
    while left:
        function = functions.get(left.pop())
        new = set(function.calls) - reached if function else set[str]()
        reached |= new
        left += new
    return reached


@lru_cache(maxsize=4)  # each failing case of a submission asks
def _read(code: str) -> tuple[list[_Function], dict[int, frozenset[str]]]:
    lines = re.split(r"\r\n?|\n", code)
    calls = {number: _calls_of(line) for number, line in enumerate(lines, start=1) if "(" in line}
    functions = []
    for number, line in enumerate(lines, start=1):
        defined = _DEFINED.match(line)
        if defined:
            last = _last_line(lines, number, len(defined[1]))
            body = (calls.get(each, frozenset()) for each in range(number, last + 1))
            functions.append(
                _Function(defined[2] or defined[3], number, last, frozenset().union(*body))
            )
    return functions, calls


def _last_line(lines: list[str], number: int, indentation: int) -> int:
    last = number
    for place in range(number, len(lines)):
        bare = lines[place].lstrip()
        if (
            bare
            and len(lines[place]) - len(bare) <= indentation
            and not bare.startswith((")", "#"))
        ):
            break
        last = place + 1
    return last


def _calls_of(line: str) -> frozenset[str]:
    """Return the names that a line calls; not those of a base class, and none that it defines."""
    tokens = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(line[:MAX_LINE].strip()).readline):
            if token.type in (tokenize.NAME, tokenize.OP):
                tokens.append(token.string)
    except (tokenize.TokenError, SyntaxError):
        pass  # a bracket that is closed below
    if "super" in tokens:
        return frozenset()
    before = ["", *tokens]
    threes = zip(before, tokens, tokens[1:], strict=False)
    return frozenset(
        name for last, name, bracket in threes if bracket == "(" and last not in ("def", "class")
    )
