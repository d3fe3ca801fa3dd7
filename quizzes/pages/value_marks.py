"""Values in Markdown: the rules of the parser that put a number where `{{ value ... }}` stands.

In prose the number is written as people write it, inside a formula as LaTeX, in code not at all.
"""

import re

from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from quizzes.pages.values import VALUE, ValueTextError, value_text

_FAULT = "value_fault"
_STRAY = "{{ must begin a value, as in {{ value wavelength(d_model=50, pair=3) :.2f }}"
FORMULAS = {"math_inline", "math_inline_double", "math_block"}


def read_value(state: StateInline, silent: bool) -> bool:
    """Take `{{ value ... }}` as one token, so that no other rule reads its underscores."""
    found = VALUE.match(state.src, state.pos)
    if not found:
        return False
    if not silent:
        token = state.push("value", "", 0)
        token.content, token.markup = found["expression"], found[0]
    state.pos = found.end()
    return True


def put_values(state: StateCore) -> None:
    """Put the numbers in, after typography, which must not touch them."""
    for token in state.tokens:
        for part in [token, *(token.children or [])]:
            if part.type == "value":
                _put(part)
            elif part.type in FORMULAS and "{{" in part.content:
                _put_into_formula(part)
            elif part.type == "text" and "{{" in part.content:
                part.meta = {**part.meta, _FAULT: _STRAY}


def value_fault(token: Token) -> str:
    """Return what is wrong with a value of this token, "" when nothing is."""
    return str(token.meta.get(_FAULT, ""))


def _put(token: Token) -> None:
    token.type, expression = "text", token.content
    try:
        token.content = value_text(expression)
    except ValueTextError as error:
        _spoilt(token, error)
        token.type, token.tag, token.content = "code_inline", "code", token.markup


def _put_into_formula(token: Token) -> None:
    def number(found: re.Match[str]) -> str:
        return "{" + value_text(found["expression"], tex=True) + "}"

    try:
        token.content = VALUE.sub(number, token.content)
    except ValueTextError as error:
        _spoilt(token, error)


def _spoilt(token: Token, error: ValueTextError) -> None:
    token.meta = {**token.meta, _FAULT: f"value {error}"}
