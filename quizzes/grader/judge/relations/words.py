"""The sentences about relations: each says what is true of every case."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from quizzes.grader.judge.messages import plain_name

MOST_LISTED = 8

VARYING_FACTOR = "your result is the expected one times a number that changes with the input"
NEGATED = "your result is the expected one with the opposite sign"
ONLY_SIGNS = "your numbers are right except for their signs"
ELSEWHERE_PLACED = "your result has the expected numbers, but in other places"
ALL_ZERO = "your result is 0 everywhere"
ALL_EQUAL = "your result has the same number everywhere"
TRANSPOSED = "your result is the expected one transposed"
RECIPROCAL = "your result is 1 divided by the expected one"
LOGARITHM = "your result is the natural logarithm of the expected one"
EXPONENTIAL = "your result is e to the power of the expected one"
SQUARE = "your result is the square of the expected one"
ROOT = "your result is the square root of the expected one"
ROUNDED = "your result is the expected one rounded to whole numbers"
ROUNDED_DOWN = "your result is the expected one rounded down to whole numbers"
CUT_OFF = "your result is the expected one without the digits after the point"


def factor(number: float) -> str:
    """Say by which number the expected result is multiplied."""
    if number == 2:
        return "your result is twice the expected one"
    return f"your result is the expected one times {_plain(number)}"


def divisor(number: float) -> str:
    """Say by which number the expected result is divided."""
    if number == 2:
        return "your result is half of the expected one"
    return f"your result is the expected one divided by {_plain(number)}"


def constant(number: float) -> str:
    """Say which number is added to the expected result."""
    sign = "plus" if number > 0 else "minus"
    return f"your result is the expected one {sign} {_plain(abs(number))}"


def equals_argument(name: str) -> str:
    """Say that an argument is returned."""
    return f"your result is the argument {plain_name(name)}, unchanged"


def with_argument(sign: str, name: str) -> str:
    """Say that an argument is added once too often, or is missing."""
    word = "plus" if sign == "+" else "minus"
    return f"your result is the expected one {word} the argument {plain_name(name)}"


def reversed_along(axis: int, axes: int) -> str:
    """Say that everything stands in reverse order along an axis."""
    said = f"your result has the expected {_parts(axis, axes)} in reverse order"
    return _along(axis, axes) + said


def moved(axis: int, axes: int, steps: int) -> str:
    """Say that something of index i stands at i + steps along an axis."""
    what, there = _part(axis, axes), 2 + max(0, steps)
    said = f"your {what} {there} is the expected {what} {there - steps}, and so on"
    return _along(axis, axes) + said


def permuted(axis: int, axes: int, order: Sequence[int]) -> str:
    """Say that the parts along an axis stand in another order; an empty one is not named."""
    said = f"{_along(axis, axes)}your result has the expected {_parts(axis, axes)} in another order"
    listed = ", ".join(map(str, order))
    return f"{said}: {listed}" if order and len(order) <= MOST_LISTED else said


def other_axes(order: Sequence[int]) -> str:
    """Say in which order the axes stand."""
    swapped = [place for place, axis in enumerate(order) if place != axis]
    if len(order) == 2:
        return TRANSPOSED
    if len(swapped) == 2:
        return f"your result is the expected one with axes {swapped[0]} and {swapped[1]} swapped"
    return f"your result is the expected one with its axes in the order {tuple(order)}"


def factors(axis: int, axes: int, numbers: Sequence[float]) -> str:
    """Say that the parts along an axis are multiplied, each by a number of its own."""
    part = _part(axis, axes)
    said = f"each {part} of your result is the expected {part} times a factor of its own"
    said = _along(axis, axes) + said
    listed = ", ".join(map(_plain, numbers))
    return f"{said}: {listed}" if numbers and len(numbers) <= MOST_LISTED else said


def infinities(*, negative: bool, right_elsewhere: bool) -> str:
    """Say that infinite numbers are missing."""
    name = "minus infinity" if negative else "infinity"
    said = f"your numbers are finite where {name} is expected"
    return f"{said}; all others are right" if right_elsewhere else said


def in_other_places(said: str) -> str:
    """Say something of all places that an earlier sentence does not speak of."""
    return f"in all other places, {said}"


def only(which: str, axis: int, axes: int) -> str:
    """Say which parts along an axis differ; `which` is one of the patterns of `rules`."""
    parts, part = _parts(axis, axes), _part(axis, axes)
    said = {
        "odd": f"only the odd {parts} (1, 3, ...) differ",
        "even": f"only the even {parts} (0, 2, ...) differ",
        "first": f"only the first {part} differs",
        "last": f"only the last {part} differs",
        "all_but_first": f"the first {part} is right, and all others differ",
        "all_but_last": f"the last {part} is right, and all others differ",
    }
    along = _along(axis, axes).removesuffix(", ")
    return f"in the cases that you can see, {said[which]}{' ' + along if along else ''}"


def _along(axis: int, axes: int) -> str:
    """Name an axis that has no word of its own."""
    return f"along axis {axis}, " if axis < axes - 2 else ""


def _parts(axis: int, axes: int) -> str:
    if axes == 1:
        return "entries"
    return {axes - 1: "columns", axes - 2: "rows"}.get(axis, "blocks")


def _part(axis: int, axes: int) -> str:
    if axes == 1:
        return "entry"
    return {axes - 1: "column", axes - 2: "row"}.get(axis, "block")


def _plain(number: float) -> str:
    """Return all digits of a number, without an exponent."""
    return np.format_float_positional(number, trim="-")
