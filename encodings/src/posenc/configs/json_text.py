"""The text of a config.json, read as JSON and nothing else, with a sentence for each fault.

JSON as Python reads it is more than JSON: NaN, a name that is there twice, an integer of any
length. Each of these would be another config in another program, so each is refused.
"""

import json
import math
from typing import Any, NoReturn

from posenc.errors import ParameterError
from posenc.number_format import grouped

DEEPEST = 16  # brackets within brackets; a config has four
LONGEST_NUMBER = 40  # digits


def read_json(text: str | bytes, *, most_bytes: int) -> dict[str, Any]:
    """Return the object that a text of at most `most_bytes` is.

    Raises ParameterError, whose argument is "config", for anything else.
    """
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    if len(data) > most_bytes:
        raise _refused(f"has {grouped(len(data))} bytes; at most {grouped(most_bytes)} are read")
    try:
        plain = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _refused(f"must be UTF-8: byte {error.start} is not") from error
    if not plain.strip():
        raise _refused("is empty; paste the text of a config.json")
    _require_shallow(plain)
    try:
        value = json.loads(
            plain,
            parse_constant=_no_constant,
            parse_int=_whole,
            parse_float=_real,
            object_pairs_hook=_no_twice,
        )
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise _refused(f"is not JSON: {error.msg}, at {where}") from error
    except ValueError as error:
        raise _refused(str(error)) from error
    if not isinstance(value, dict):
        noun = {list: "a list", str: "a text", bool: "true or false", type(None): "null"}
        got = noun.get(type(value), "a number")
        raise _refused(f"must be an object, {{...}}, not {got}")
    return value


def _refused(words: str) -> ParameterError:
    return ParameterError("config", "text", words)


def _require_shallow(text: str) -> None:
    """Raise ParameterError for brackets that are too deep; those in texts do not count."""
    depth, in_text, skip = 0, False, False
    for sign in text:
        if skip:
            skip = False
        elif in_text:
            skip, in_text = sign == "\\", sign != '"'
        elif sign == '"':
            in_text = True
        elif sign in "[{":
            depth += 1
            if depth > DEEPEST:
                raise _refused(f"has more than {DEEPEST} brackets within each other")
        elif sign in "]}":
            depth -= 1


def _no_constant(word: str) -> NoReturn:
    raise ValueError(f"has {word}, which is not a number of JSON")


def _whole(text: str) -> int:
    if len(text) > LONGEST_NUMBER:
        raise ValueError(f"has a number of {len(text)} digits; at most {LONGEST_NUMBER} are read")
    return int(text)


def _real(text: str) -> float:
    number = float(text)
    if len(text) > LONGEST_NUMBER or not math.isfinite(number):
        raise ValueError(f"has the number {text[:LONGEST_NUMBER]}, which is too large or too long")
    return number


def _no_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name, value in pairs:
        if name in fields:
            raise ValueError(f"has the field {name[:40]} twice in one object")
        fields[name] = value
    return fields
