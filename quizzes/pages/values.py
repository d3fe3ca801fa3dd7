"""Numbers in a text that are computed: `{{ value 100 * wavelength(d_model=50, pair=3) :.2f }}`.

An expression is arithmetic, and after a colon stands how the result is written:

    sum      = product (("+" | "-") product)*
    product  = signed (("*" | "/") signed)*
    signed   = ("-" | "+") signed | operand ["**" signed]
    operand  = number | "(" sum ")" | ("sqrt" | "log") "(" sum ")" | function "(" arguments ")"

    (nothing)  a whole number, or a word        :.2f  two digits after the point
    :.3g       three significant digits          :.1e  a power of ten        :.0%  per cent

The applications above register functions by name when they start (`AppConfig.ready`). Arguments
are given by name and are plain numbers, words, true or false. This is a part of Python's grammar:
`ast` reads it, and nothing is ever evaluated as code.
"""

import ast
import inspect
import math
import operator
import re
import sys
from collections.abc import Callable, Mapping
from functools import lru_cache
from numbers import Integral, Real
from typing import Any, Literal, get_args, get_origin

VALUE = re.compile(r"\{\{\s*value\s(?P<expression>[^{}\n]*)\}\}")
MAX_EXPRESSION = 300  # characters
MAX_OPERATIONS = 50  # signs and calls, so that nesting never exhausts the stack
EXACT = 2**53  # from here on a float has no digit after the point, and soon none before it
_FORMAT = re.compile(r"\.\d{1,2}[feg%]")
_WORDS = {"true": True, "false": False}
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_NARROW_SPACE = "\u202f"

Number = float | int
Result = Number | str
_FUNCTIONS: dict[str, Callable[..., Result]] = {}


class ValueTextError(ValueError):
    """An expression that has no value; the message says why and what was expected."""


def register_value(function: Callable[..., Result]) -> None:
    """Register a function by its own name. It takes keyword arguments only and is pure."""
    if function.__name__ in _OF_A_NUMBER:
        raise ValueError(f"value function {function.__name__!r}: is arithmetic")
    if _FUNCTIONS.setdefault(function.__name__, function) is not function:
        raise ValueError(f"value function {function.__name__!r} is already registered")


def value_functions() -> Mapping[str, Callable[..., Result]]:
    """Return the registered functions by name."""
    return _FUNCTIONS


@lru_cache(maxsize=4096)
def evaluate(expression: str) -> Result:
    """Return the value of `2 * wavelength(d_model=50, pair=3)`. Raises ValueTextError."""
    return _value(_parsed(expression), expression)


def split(expression: str) -> tuple[str, str]:
    """Return the computed expression and its format, "" when it names none.

    Raises ValueTextError.
    """
    if len(expression) > MAX_EXPRESSION:
        length = len(expression)
        raise ValueTextError(f"{length} characters, at most {MAX_EXPRESSION} are allowed")
    bracket, colon = expression.rfind(")"), expression.rfind(":")
    if colon <= bracket:  # equal if there is neither
        return expression.strip(), ""
    return expression[:colon].strip(), expression[colon + 1 :].strip()


def value_text(expression: str, *, tex: bool = False) -> str:
    """Return an expression's value for prose; with `tex`, for a formula.

    Raises ValueTextError.
    """
    computed, how = split(expression.strip())
    return format_value(evaluate(computed), how, tex=tex)


def format_value(value: Result, how: str = "", *, tex: bool = False) -> str:
    """Return a value in a format such as ".2f": a true minus, thousands in groups, powers of ten.

    Raises ValueTextError.
    """
    if isinstance(value, str):
        if how:
            raise ValueTextError(f":{how}: {value!r} is a word, which takes no format")
        return value
    if not how:
        if isinstance(value, float) and not (value.is_integer() and abs(value) <= EXACT):
            raise ValueTextError(f"{value:.6g}: a format such as :.2f must say how to round it")
        how = "d" if isinstance(value, int) else ".0f"
    elif not _FORMAT.fullmatch(how):
        raise ValueTextError(f":{how}: must be one of :.2f :.3g :.1e :.0% (with any digits)")
    text = f"{value:{how}}"
    if not math.isfinite(value):
        raise ValueTextError(f"{value}: is not a number that can be written")
    digits, _, power = text.removesuffix("%").partition("e")
    number = _grouped(digits, tex=tex)
    if text.endswith("%"):
        return number + (r"\,\%" if tex else f"{_NARROW_SPACE}%")
    if not power:
        return number
    if tex:
        return rf"{number}\times 10^{{{int(power)}}}"
    return f"{number}\u00a0×\u00a010{str(int(power)).translate(_SUPERSCRIPTS)}"


def _parsed(expression: str) -> ast.expr:
    try:
        tree = ast.parse(expression, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise _refusal(expression) from error
    operations = (ast.BinOp, ast.UnaryOp, ast.Call)
    count = sum(isinstance(node, operations) for node in ast.walk(tree))
    if count > MAX_OPERATIONS:
        raise ValueTextError(f"{count} operations, at most {MAX_OPERATIONS} are allowed")
    return tree


def _value(node: ast.expr, text: str) -> Result:
    """Return the value of a part of `text`. Raises ValueTextError."""
    piece = ast.get_source_segment(text, node) or ""
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return _computed(piece, operator.pos, number)
        case ast.BinOp(left=left, op=sign, right=right):
            operation = _OF_TWO.get(type(sign))
            if operation is None:
                raise ValueTextError(f"{piece!r}: the operators are + - * / and **")
            return _computed(piece, operation, _operand(left, text), _operand(right, text))
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() as sign, operand=operand):
            turn = operator.neg if isinstance(sign, ast.USub) else operator.pos
            return _computed(piece, turn, _operand(operand, text))
        case ast.Call(func=ast.Name(id=name), args=[operand], keywords=[]) if name in _OF_A_NUMBER:
            return _computed(piece, _OF_A_NUMBER[name], _operand(operand, text))
        case ast.Call(func=ast.Name(id=name)) if name in _OF_A_NUMBER:
            raise ValueTextError(f"{piece!r}: must be {name} of one number, as in {name}(64)")
        case ast.Call(func=ast.Name(id=name)):
            return _called(name, node, piece)
    raise _refusal(piece)


def _refusal(piece: str) -> ValueTextError:
    expected = "a call such as wavelength(d_model=50, pair=3), or arithmetic such as 3 * sqrt(64)"
    return ValueTextError(f"{piece!r}: must be {expected}")


def _operand(node: ast.expr, text: str) -> Number:
    """Return the number to compute with. Raises ValueTextError."""
    value = _value(node, text)
    piece = ast.get_source_segment(text, node)
    if isinstance(value, str):
        raise ValueTextError(f"{piece}: is the word {value!r}, not a number to compute with")
    if isinstance(value, bool) or not isinstance(value, Real):
        raise ValueTextError(f"{piece}: is not a number to compute with")
    # A function may return NumPy's integers, which overflow in silence.
    number = int(value) if isinstance(value, Integral) else float(value)
    return _computed(f"{piece}", operator.pos, number)


def _computed(piece: str, operation: Callable[..., Number], *operands: Number) -> Number:
    """Return the result of one operation, which is finite. Raises ValueTextError.

    Whole numbers stay exact, and because every result is bounded they stay short: 9**9**9 is
    refused before it is computed.
    """
    try:
        result = operation(*operands)
    except ZeroDivisionError:
        raise ValueTextError(f"{piece}: divides by zero") from None
    except OverflowError:
        result = math.inf
    except ValueError as error:
        raise ValueTextError(f"{piece}: {error}") from None
    if abs(result) > sys.float_info.max:
        raise ValueTextError(f"{piece}: is too large: numbers go up to 1.79e308")
    if math.isnan(result):
        raise ValueTextError(f"{piece}: is not a number (nan)")
    return result


def _power(base: Number, exponent: Number) -> Number:
    """Return base ** exponent; the float comes first, because it cannot take long."""
    if base == 0 and exponent < 0:
        raise ZeroDivisionError
    if base < 0 and exponent != math.floor(exponent):
        raise ValueError(f"{base:.6g} has no power of {exponent:.6g}, which is not whole")
    result = math.pow(base, exponent)
    if isinstance(base, int) and isinstance(exponent, int) and exponent >= 0:
        return int(base**exponent)
    return result


def _root(number: Number) -> float:
    if number < 0:
        raise ValueError(f"{number:.6g} is negative and has no square root")
    return math.sqrt(number)


def _logarithm(number: Number) -> float:
    if number <= 0:
        raise ValueError(f"{number:.6g} has no logarithm, which needs a number above 0")
    return math.log(number)


_OF_A_NUMBER: Mapping[str, Callable[[Number], Number]] = {"sqrt": _root, "log": _logarithm}
_OF_TWO: Mapping[type[ast.operator], Callable[[Number, Number], Number]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: _power,
}


def _called(name: str, call: ast.Call, piece: str) -> Result:
    """Return the result of a registered function. Raises ValueTextError."""
    function = _FUNCTIONS.get(name)
    if function is None:
        known = ", ".join(sorted(_FUNCTIONS))
        raise ValueTextError(f"{name}: must be one of {known}, {' or '.join(_OF_A_NUMBER)}")
    if call.args or any(keyword.arg is None for keyword in call.keywords):
        raise ValueTextError(f"{piece!r}: every argument needs its name, as in d_model=50")
    arguments = {str(word.arg): _literal(word) for word in call.keywords}
    _check_arguments(name, function, arguments)
    try:
        return function(**arguments)
    except (ValueError, LookupError, ArithmeticError) as error:
        raise ValueTextError(f"{name}: {error}") from error


def _literal(keyword: ast.keyword) -> Any:
    node, sign = keyword.value, 1
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        node, sign = node.operand, -1
    if isinstance(node, ast.Name) and node.id in _WORDS:
        return _WORDS[node.id]
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float, str)):
        return node.value if sign == 1 or isinstance(node.value, str) else -node.value
    raise ValueTextError(f"{keyword.arg}: must be a number, a word in quotes, true or false")


def _check_arguments(name: str, function: Callable[..., Result], values: dict[str, Any]) -> None:
    """Raise ValueTextError for an argument that is unknown, missing or of another kind."""
    known = inspect.signature(function, eval_str=True).parameters
    open_ended = any(parameter.kind is parameter.VAR_KEYWORD for parameter in known.values())
    for argument, value in values.items():
        if argument in known:
            _check_kind(name, argument, value, known[argument].annotation)
        elif not open_ended:
            raise ValueTextError(f"{name}: {argument}: must be one of {', '.join(known)}")
    for argument, parameter in known.items():
        if (
            parameter.kind is parameter.KEYWORD_ONLY
            and parameter.default is parameter.empty
            and argument not in values
        ):
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
