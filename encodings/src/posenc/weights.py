"""The learned weights as hooks receive them: arrays by name, checked before use."""

import math
from collections.abc import Mapping

from posenc.arrays import array_namespace, require_array
from posenc.encoding import Array, Weights
from posenc.errors import ParameterError

MOST_WEIGHTS = 2**31  # numbers in one table


def require_weight(weights: Weights, name: str, shape: tuple[int, ...], *, beside: Array) -> Array:
    """Return weights[name] at least as wide as float32, for computing with `beside`.

    Raises ParameterError, naming the weight, unless it has this shape, holds floating-point numbers
    and is of the library of `beside`.
    """
    if not isinstance(weights, Mapping):
        expected = "must be arrays by name, as init_weights returns them"
        raise ParameterError("weights", weights, expected)
    argument = f'weights["{name}"]'
    wanted = "a floating-point array of shape " + _written(shape)
    if name not in weights:
        held = ", ".join(sorted(weights)) or "nothing"
        raise ParameterError(argument, None, f"must be {wanted}; weights hold {held}")
    weight = require_array(argument, weights[name], f"must be {wanted}")
    if tuple(weight.shape) != shape:
        raise ParameterError(argument, weight, f"must be {wanted}")
    xp = array_namespace(weight)
    if not xp.isdtype(weight.dtype, "real floating"):
        raise ParameterError(argument, weight, f"must be {wanted}")
    if xp is not array_namespace(beside):
        raise ParameterError(argument, weight, "must be from the same library as the other arrays")
    return wide(weight)


def require_affordable(argument: str, value: int, *, times: tuple[int, ...]) -> None:
    """Raise ParameterError for a table of `value` x `times` numbers, if these are too many."""
    others = math.prod(times)
    if value * others > MOST_WEIGHTS:
        expected = f"must be at most {MOST_WEIGHTS // others}: each needs {others} learned numbers"
        raise ParameterError(argument, value, expected)


def wide(array: Array) -> Array:
    """Return floating-point numbers as float32 or wider: half precision is for storage."""
    if array.dtype.itemsize >= 4:  # asking for the common type of two costs 7 microseconds
        return array
    xp = array_namespace(array)
    return xp.astype(array, xp.float32)


def _written(shape: tuple[int, ...]) -> str:
    return f"({shape[0]},)" if len(shape) == 1 else str(shape)
