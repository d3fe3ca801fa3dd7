"""Positions of the tokens of a batch: padding, packed documents, a cache of earlier tokens.

Shapes: B = texts of a batch (any leading axes, or none), L = tokens.
"""

from typing import Any

import numpy as np

from posenc.arrays import (
    Array,
    array_namespace,
    device,
    is_array,
    is_torch_array,
    require_array,
    size,
)
from posenc.ends import FARTHEST, lowest_and_highest
from posenc.errors import ParameterError

MASK = "must be (..., L), True or 1 at tokens and False or 0 at padding"


def positions_of_batch(mask: object, documents: object, offset: object) -> Array:
    """Return the position of each token, int64, (..., L), and 0 at padding.

    `Encoding.batch_positions` says what the arguments mean. Raises ParameterError.
    """
    if mask is None and documents is None:
        expected = "must be there unless documents are: an offset alone has no length"
        raise ParameterError("mask", mask, expected)
    like: Any = mask if documents is None else documents
    tokens = None if mask is None else _require_mask(mask)
    numbers = None if documents is None else _require_documents(documents, tokens)
    xp = array_namespace(like)
    if tokens is None:
        tokens = xp.ones(like.shape, dtype=xp.bool, device=device(like))
    counts = xp.cumulative_sum(xp.astype(tokens, xp.int64), axis=-1) - 1
    earlier = _require_offset(offset, tokens)
    if numbers is not None:
        # A document begins where the number differs from the one before, not at a new number: the
        # same number may come again. Counts never fall, so the latest beginning is the highest.
        begins = numbers[..., 1:] != numbers[..., :-1]
        before = xp.where(begins, counts[..., :-1] + 1, xp.zeros_like(counts[..., 1:]))
        first = xp.zeros_like(counts[..., :1])
        start = _running_maximum(xp.concat([first, before], axis=-1))
        after = begins & (counts[..., :-1] >= 0)  # padding on the left begins no later document
        changes = xp.cumulative_sum(xp.astype(after, xp.int64), axis=-1)
        later = xp.concat([first, changes], axis=-1) > 0
        counts = counts - start
        earlier = xp.where(later, xp.zeros_like(counts), xp.zeros_like(counts) + earlier)
    return xp.where(tokens, counts + earlier, xp.zeros_like(counts))


def _running_maximum(numbers: Array) -> Array:
    if is_torch_array(numbers):
        return numbers.cummax(dim=-1).values if size(numbers) else numbers
    return np.maximum.accumulate(numbers, axis=-1)


def _require_mask(mask: object) -> Array:
    """Return a mask as booleans, (..., L). Raises ParameterError."""
    array = require_array("mask", mask, MASK)
    xp = array_namespace(array)
    if not array.ndim or not xp.isdtype(array.dtype, ("bool", "integral")):
        raise ParameterError("mask", array, MASK)
    if xp.isdtype(array.dtype, "integral") and size(array):
        ends = lowest_and_highest(array)
        if ends is not None and not 0 <= ends[0] <= ends[1] <= 1:
            raise ParameterError("mask", array, MASK)
    return array != 0


def _require_documents(documents: object, tokens: Array | None) -> Array:
    """Return numbers of documents, (..., L), that fit a mask. Raises ParameterError."""
    expected = "must be (..., L), the whole number of each token's document"
    array = require_array("documents", documents, expected)
    if not array.ndim or not array_namespace(array).isdtype(array.dtype, "integral"):
        raise ParameterError("documents", array, expected)
    if tokens is None:
        return array
    if array_namespace(array) is not array_namespace(tokens):
        raise ParameterError("documents", array, "must be from the same library as mask")
    if array.shape != tokens.shape:
        expected = f"must be {tuple(tokens.shape)}, as mask is"
        raise ParameterError("documents", array, expected)
    return array


def _require_offset(offset: object, tokens: Array) -> Array | int:
    """Return how many tokens are in the cache, to add to (..., L). Raises ParameterError."""
    expected = "must be a whole number from 0, or (B,) of them, one for each text"
    if isinstance(offset, int | np.integer) and not isinstance(offset, bool):
        if not 0 <= offset <= FARTHEST:
            raise ParameterError("offset", offset, expected)
        return int(offset)
    if not is_array(offset):
        raise ParameterError("offset", offset, expected)
    array: Array = offset
    xp = array_namespace(array)
    if not xp.isdtype(array.dtype, "integral") or array.shape != tokens.shape[:-1]:
        raise ParameterError("offset", array, expected)
    if xp is not array_namespace(tokens):
        raise ParameterError("offset", array, "must be from the same library as mask")
    ends = lowest_and_highest(array) if size(array) else (0.0, 0.0)
    if ends is not None and not 0 <= ends[0] <= ends[1] <= FARTHEST:
        raise ParameterError("offset", array, expected)
    return xp.astype(array, xp.int64)[..., None]
