"""The numbers that follow from the parameters of an encoding: `posenc show` prints them."""

import inspect
from functools import cached_property
from typing import Any

import numpy as np

from posenc.encoding import Encoding
from posenc.parameters import Parameter

LENGTH = Parameter("length", int, None, ge=1, le=2**31, doc="tokens of the text they are for")


def numbers_of(encoding: Encoding, length: int | None = None) -> dict[str, tuple[Any, str]]:
    """Return the numbers that follow from the parameters, each with its meaning.

    They are the public properties of the class that hold a number or an array and, with a length,
    the results of its methods for a text of so many tokens. Raises ParameterError for a length that
    is not valid.
    """
    found = {}
    for name, attribute in inspect.getmembers_static(type(encoding)):
        if name.startswith("_") or not isinstance(attribute, property | cached_property):
            continue
        value = getattr(encoding, name)
        if isinstance(value, int | float | np.ndarray):
            found[name] = (value, _what(attribute))
    if length is not None:
        for name in of_a_length(type(encoding)):
            method = getattr(encoding, name)
            found[name] = (method(length), _what(method).replace("`length`", str(length)))
    return found


def of_a_length(encoding: type[Encoding]) -> tuple[str, ...]:
    """Return the names of the methods that take the length of a text alone."""
    return tuple(
        name
        for name, method in inspect.getmembers(encoding, inspect.isfunction)
        if not name.startswith("_") and list(inspect.signature(method).parameters)[1:] == ["length"]
    )


def _what(attribute: Any) -> str:
    first = (inspect.getdoc(attribute) or "").partition("\n")[0]
    return first.partition(" Raises ")[0].removeprefix("Return ")
