"""Numbers in a text that the engine computes: `{{ value wavelength(d_model=50, pair=3) :.2f }}`.

The applications above register functions by name when they start (`AppConfig.ready`). An
expression is the name of one of them with keyword arguments that are plain numbers, words or true
and false, and after a colon how the result is written:

    (nothing)  a whole number, or a word        :.2f  two digits after the point
    :.3g       three significant digits          :.1e  a power of ten        :.0%  per cent
"""

import ast
import inspect
import math
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Literal, get_args, get_origin

VALUE = re.compile(r"\{\{\s*value\s(?P<expression>[^{}\n]*)\}\}")
MAX_EXPRESSION = 300  # characters
_FORMAT = re.compile(r"\.\d{1,2}[feg%]")
_WORDS = {"true": True, "false": False}
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_NARROW_SPACE = "\u202f"

Result = float | int | str
_FUNCTIONS: dict[str, Callable[..., Result]] = {}


class ValueTextError(ValueError):
    """An expression that has no value; the message says why and what was expected."""


def register_value(function: Callable[..., Result]) -> None:
    """Register a function by its own name. It takes keyword arguments only and is pure."""
    if _FUNCTIONS.setdefault(function.__name__, function) is not function:
        raise ValueError(f"value function {function.__name__!r} is registered already")


def value_functions() -> Mapping[str, Callable[..., Result]]:
    """Return the registered functions by name."""
    return _FUNCTIONS


@lru_cache(maxsize=4096)
def evaluate(call: str) -> Result:
    """Return the value of `wavelength(d_model=50, pair=3)`. Raises ValueTextError."""
    name, arguments = _parsed(call)
    function = _FUNCTIONS.get(name)
    if function is None:
        raise ValueTextError(f"{name}: must be one of {', '.join(sorted(_FUNCTIONS))}")
    _check_arguments(name, function, arguments)
    try:
        return function(**arguments)
    except (ValueError, LookupError) as error:
        raise ValueTextError(f"{name}: {error}") from error


def split(expression: str) -> tuple[str, str]:
    """Return the call and the format of an expression, "" when it names none.

    Raises ValueTextError.
    """
    if len(expression) > MAX_EXPRESSION:
        length = len(expression)
        raise ValueTextError(f"{length} characters, at most {MAX_EXPRESSION} are allowed")
    bracket, colon = expression.rfind(")"), expression.rfind(":")
    if colon < bracket:
        return expression.strip(), ""
    return expression[:colon].strip(), expression[colon + 1 :].strip()


def value_text(expression: str, *, tex: bool = False) -> str:
    """Return an expression's value for prose; with `tex`, for a formula.

    Raises ValueTextError.
    """
    call, how = split(expression.strip())
    return written(evaluate(call), how, tex=tex)


def written(value: Result, how: str = "", *, tex: bool = False) -> str:
    """Return a value in a format such as ".2f": a true minus, thousands in groups, powers of ten.

    Raises ValueTextError.
    """
    if isinstance(value, str):
        if how:
            raise ValueTextError(f":{how}: {value!r} is a word and takes no format")
        return value
    if not how:
        if isinstance(value, float) and not value.is_integer():
            raise ValueTextError(f"{value:.6g}: a format such as :.2f must say how to round it")
        how = ".0f"
    elif not _FORMAT.fullmatch(how):
        raise ValueTextError(f":{how}: must be one of :.2f :.3g :.1e :.0% (with any digits)")
    text = f"{value:{how}}"
    if not math.isfinite(value):
        raise ValueTextError(f"{value}: is not a number to write down")
    digits, _, power = text.removesuffix("%").partition("e")
    number = _grouped(digits, tex=tex)
    if text.endswith("%"):
        return number + (r"\,\%" if tex else f"{_NARROW_SPACE}%")
    if not power:
        return number
    if tex:
        return rf"{number}\times 10^{{{int(power)}}}"
    return f"{number}\u00a0×\u00a010{str(int(power)).translate(_SUPERSCRIPTS)}"


def _parsed(call: str) -> tuple[str, dict[str, Any]]:
    example = "must be a call such as wavelength(d_model=50, pair=3)"
    try:
        tree = ast.parse(call, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ValueTextError(f"{call!r}: {example}") from error
    if not (isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name)):
        raise ValueTextError(f"{call!r}: {example}")
    if tree.args or any(keyword.arg is None for keyword in tree.keywords):
        raise ValueTextError(f"{call!r}: every argument needs its name, as in d_model=50")
    return tree.func.id, {str(word.arg): _literal(word) for word in tree.keywords}


def _literal(keyword: ast.keyword) -> Any:
    node, sign = keyword.value, 1
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        node, sign = node.operand, -1
    if isinstance(node, ast.Name) and node.id in _WORDS:
        return _WORDS[node.id]
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float, str)):
        return node.value if sign == 1 or isinstance(node.value, str) else -node.value
    raise ValueTextError(f"{keyword.arg}: must be a number, a word in quotes, true or false")


def _check_arguments(name: str, function: Callable[..., Result], given: dict[str, Any]) -> None:
    """Raise ValueTextError for an argument that is unknown, missing or of another kind."""
    known = inspect.signature(function, eval_str=True).parameters
    open_ended = any(one.kind is one.VAR_KEYWORD for one in known.values())
    for argument, value in given.items():
        if argument in known:
            _check_kind(name, argument, value, known[argument].annotation)
        elif not open_ended:
            raise ValueTextError(f"{name}: {argument}: must be one of {', '.join(known)}")
    for argument, one in known.items():
        if one.kind is one.KEYWORD_ONLY and one.default is one.empty and argument not in given:
            raise ValueTextError(f"{name}: {argument}: missing")


def _check_kind(name: str, argument: str, value: object, kind: Any) -> None:
    if get_origin(kind) is Literal:
        if value not in get_args(kind):
            words = ", ".join(map(repr, get_args(kind)))
            raise ValueTextError(f"{name}: {argument}={value!r}: must be one of {words}")
        return
    fits = {
        int: isinstance(value, int) and not isinstance(value, bool),
        float: isinstance(value, (int, float)) and not isinstance(value, bool),
        bool: isinstance(value, bool),
        str: isinstance(value, str),
    }
    kinds = {int: "a whole number", float: "a number", bool: "true or false", str: "a word"}
    if not fits.get(kind, True):
        raise ValueTextError(f"{name}: {argument}={value!r}: must be {kinds[kind]}")


def _grouped(digits: str, *, tex: bool) -> str:
    """Return 62 832 for "62832": groups from five digits on, and a true minus sign."""
    negative = digits.startswith("-") and any(digit in "123456789" for digit in digits)
    whole, point, rest = digits.removeprefix("-").partition(".")
    if len(whole) >= 5:
        whole = f"{int(whole):,}".replace(",", r"\," if tex else _NARROW_SPACE)
    minus = "-" if tex else "−"
    return f"{minus * negative}{whole}{point}{rest}"
