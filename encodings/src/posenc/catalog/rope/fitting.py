"""Checks of RoPE's parameters together, beyond the limits of each."""

import numbers
from typing import Any

from posenc.arrays import require_array
from posenc.errors import ParameterError
from posenc.limits import between, within

DIVISORS = (1e-6, 1e6)  # of LongRoPE; searches find 1 to 100


def require_fitting(rope: Any) -> None:
    """Raise ParameterError for parameters that exclude each other; unused ones may be anything.

    The error names the parameter that was changed from its default, or was given.
    """
    if rope.turning % 2:
        expected = f"must leave an even number of the {rope.head_dim} dimensions"
        raise ParameterError("rotary_share", rope.rotary_share, f"{expected}, not {rope.turning}")
    if rope.scaling == "yarn":
        if rope.base == 1:
            raise ParameterError("base", rope.base, "must be above 1 for yarn")
        _require_over(rope, "yarn_many_turns", "yarn_few_turns")
    if rope.scaling == "llama3":
        _require_over(rope, "llama3_high_factor", "llama3_low_factor")


def _require_over(rope: Any, high: str, low: str) -> None:
    larger, smaller = getattr(rope, high), getattr(rope, low)
    if larger > smaller:
        return
    if larger == getattr(type(rope), high):  # the default
        raise ParameterError(low, smaller, f"must be below {high}={larger}")
    raise ParameterError(high, larger, f"must be above {low}={smaller}")


def require_divisors(divisors: dict[str, Any], pairs: int) -> dict[str, tuple[float, ...]]:
    """Return LongRoPE's divisors as floats by name; {} for empty tuples alone, which is plain RoPE.

    Raises ParameterError unless all are there, with a number for each pair.
    """
    there = [
        name for name, value in divisors.items() if not (isinstance(value, tuple) and not value)
    ]
    checked = {name: _require_numbers(name, divisors[name], pairs) for name in there}
    for missing in divisors.keys() - checked.keys() if there else ():
        raise ParameterError(there[0], divisors[there[0]], f"must come with {missing}, or neither")
    return checked


def _require_numbers(name: str, value: Any, count: int) -> tuple[float, ...]:
    expected = f"must be {count} numbers {between(*DIVISORS)}, one for each pair"
    listed = value
    if not isinstance(value, list | tuple):
        listed = require_array(name, value, expected).tolist()
    if not isinstance(listed, list | tuple) or len(listed) != count:
        raise ParameterError(name, value, expected)
    if not all(map(_is_divisor, listed)):
        raise ParameterError(name, value, expected)
    return tuple(map(float, listed))


def _is_divisor(value: object) -> bool:
    number = isinstance(value, numbers.Real) and not isinstance(value, bool)
    return number and within(value, *DIVISORS)  # type: ignore[arg-type]
