"""Pairs of a query and a key: their distance, the row they read, the term of their score.

Shapes: H = heads, Lq queries, Lk keys, D = head_dim, U = distinct relative positions.
Positions are (L,), or batched (B, L); what belongs to pairs is (..., Lq, Lk).
"""

from dataclasses import dataclass

import numpy as np

from posenc.arrays import array_namespace, device, is_torch_array, move_axis, size
from posenc.encoding import Array
from posenc.ends import ends_of_a_row, lowest_and_highest
from posenc.errors import ParameterError
from posenc.positions import (
    relative_positions,
    require_floating,
    require_one_library,
    require_positions,
)
from posenc.weights import wide

SPARSEST = 8  # values for each pair: beyond it, sorting the pairs costs less than a table of values


@dataclass(frozen=True, eq=False)
class Relative:
    """The relative position, key - query, of every pair, each distinct value once.

    `places` is the index of each pair's value in `values`, (Lq, Lk) or (B, 1, Lq, Lk). It is None
    for consecutive tokens: there pair (i, j) is at place j - i + Lq - 1.
    """

    values: Array  # (U,), ascending
    places: Array | None
    n_queries: int
    n_keys: int

    def spread(self, terms: Array) -> Array:
        """Return terms (H, U) of relative positions for each pair, (H, Lq, Lk), (B, H, Lq, Lk).

        The result is a new array, except for a single query, whose pairs are the terms themselves.
        """
        xp = array_namespace(terms)
        if self.places is None:
            return terms[:, None, :] if self.n_queries == 1 else _diagonals(terms, self.n_keys)
        flat = xp.reshape(self.places, (-1,))
        spread = xp.reshape(read_columns(terms, flat), (terms.shape[0], *self.places.shape))
        return spread if self.places.ndim == 2 else move_axis(spread[..., 0, :, :], 0, -3)

    def place(self, of_values: Array) -> Array:
        """Return one number of each relative position, (U,), for its pairs, (..., Lq, Lk)."""
        spread = self.spread(of_values[None, :])
        return spread[0, :, :] if spread.ndim == 3 else spread

    def pick(self, products: Array) -> Array:
        """Return the product of each pair, (..., H, Lq, U) -> (..., H, Lq, Lk).

        For consecutive tokens this is the relative shift of Transformer-XL, which copies and never
        looks up: read from element Lq - 1 on, rows of U - 1 begin one place earlier each.
        """
        xp = array_namespace(products)
        if self.places is not None:
            return read_rows(products, self.places)
        if self.n_queries < 2:
            return products
        *leading, Lq, U = products.shape
        flat = xp.reshape(products, (*leading, Lq * U))[..., Lq - 1 : Lq - 1 + Lq * (U - 1)]
        return xp.reshape(flat, (*leading, Lq, U - 1))[..., : self.n_keys]


def relate(q_positions: object, k_positions: object, *, whole: bool = False) -> Relative:
    """Return the relative positions of queries and keys. Raises ParameterError.

    With `whole`, for tables, floating-point positions must be whole numbers.
    """
    q_ends, k_ends = ends_of_a_row(q_positions), ends_of_a_row(k_positions)
    if q_ends and k_ends:
        require_one_library(q_positions, k_positions)
        keys: Array = k_positions
        xp, low, high = array_namespace(keys), k_ends[0] - q_ends[1], k_ends[1] - q_ends[0]
        values = xp.arange(low, high + 1, dtype=xp.int64, device=device(keys))
        return Relative(values, None, q_ends[1] - q_ends[0] + 1, k_ends[1] - k_ends[0] + 1)
    require = whole_positions if whole else require_positions
    queries, keys = require("q_positions", q_positions), require("k_positions", k_positions)
    values, places = _distinct(relative_positions(queries, keys))
    return Relative(values, places, queries.shape[-1], keys.shape[-1])


def read_rows(products: Array, rows: Array) -> Array:
    """Return products[..., i, rows[i, j]], (..., H, Lq, R) -> (..., H, Lq, Lk)."""
    xp = array_namespace(products)
    missing = products.ndim - rows.ndim
    return xp.take_along_axis(products, rows[(None,) * missing + (...,)], axis=-1)


def read_columns(terms: Array, places: Array) -> Array:
    """Return terms[:, places], (H, R) -> (H, N), for places (N,) that are there."""
    if is_torch_array(terms):
        return terms.index_select(1, places)  # take would look for negative places first
    return np.take(terms, places, axis=1)


def add_to_scores(scores: Array, terms: Array) -> Array:
    """Return scores + terms, computed at least in float32, in the dtype of the scores."""
    xp = array_namespace(scores)
    full = wide(scores)
    return xp.astype(full + xp.astype(terms, full.dtype, copy=False), scores.dtype, copy=False)


def require_scores(
    scores: object, q_positions: object, k_positions: object, *, n_heads: int | None = None
) -> Array:
    """Return scores (..., H, Lq, Lk). Raises ParameterError unless positions and heads fit them."""
    array = require_floating("scores", scores)
    if n_heads is None and array.ndim < 2:
        raise ParameterError("scores", array, "must be (..., H, Lq, Lk)")
    if n_heads is not None and (array.ndim < 3 or array.shape[-3] != n_heads):
        expected = f"must be (..., {n_heads}, Lq, Lk), as n_heads says"
        raise ParameterError("scores", array, expected)
    _require_fitting("q_positions", q_positions, array, array.shape[-2])
    _require_fitting("k_positions", k_positions, array, array.shape[-1])
    return array


def require_heads(name: str, heads: object, head_dim: int, *, scores: Array, axis: int) -> Array:
    """Return queries or keys (..., H, L, D) at least as wide as float32. Raises ParameterError.

    They must have the heads of the scores (..., H, Lq, Lk), and as many rows as their `axis`.
    """
    array, rows = require_floating(name, heads), scores.shape[axis]
    if array_namespace(array) is not array_namespace(scores):
        raise ParameterError(name, array, "must be from the same library as scores")
    if array.ndim < 2 or tuple(array.shape[-2:]) != (rows, head_dim):
        raise ParameterError(name, array, f"must be (..., {rows}, {head_dim}), as scores have rows")
    if array.ndim != scores.ndim or (array.ndim > 2 and array.shape[-3] != scores.shape[-3]):
        expected = f"must have the heads and the batch of scores {tuple(scores.shape)}"
        raise ParameterError(name, array, expected)
    return wide(array)


def whole_positions(name: str, positions: object) -> Array:
    """Return positions as int64; floating-point positions must be whole numbers.

    Raises ParameterError naming `name` and the first position that is not whole.
    """
    array = require_positions(name, positions)
    xp = array_namespace(array)
    counted = xp.astype(array, xp.int64)
    if xp.isdtype(array.dtype, "real floating"):
        broken = xp.astype(counted, array.dtype) != array
        known = lowest_and_highest(xp.astype(broken, xp.int8)) if size(broken) else None
        if known and known[1]:
            raise ParameterError(name, float(array[broken][0]), "must be whole numbers")
    return counted


def _require_fitting(name: str, positions: object, scores: Array, count: int) -> None:
    array = require_positions(name, positions)
    if array_namespace(array) is not array_namespace(scores):
        raise ParameterError(name, array, "must be from the same library as scores")
    batch = zip(reversed(array.shape[:-1]), reversed(scores.shape[:-3]), strict=False)
    fits = array.ndim <= max(scores.ndim - 2, 1) and all(
        1 in pair or len({*pair}) == 1 for pair in batch
    )
    if array.shape[-1] != count or not fits:
        raise ParameterError(name, array, f"must be ({count},) or batched, as scores are")


def _distinct(relative: Array) -> tuple[Array, Array]:
    """Return the distinct values, (U,) ascending, and the place of each pair among them.

    Where torch only traces, equal values are unknown: each pair has a value of its own.
    """
    xp = array_namespace(relative)
    pairs = size(relative)
    ends = lowest_and_highest(relative) if pairs else (0.0, 0.0)
    if ends is None:
        places = xp.arange(pairs, device=device(relative))
        return xp.reshape(relative, (-1,)), xp.reshape(places, relative.shape)
    if pairs and xp.isdtype(relative.dtype, "integral"):
        low, high = (int(end) for end in ends)
        if high - low < SPARSEST * pairs:
            values = xp.arange(low, high + 1, dtype=relative.dtype, device=device(relative))
            return values, relative - low
    values, places = xp.unique_inverse(relative)
    return values, xp.reshape(places, relative.shape)


def _diagonals(terms: Array, n_keys: int) -> Array:
    """Return terms (H, Lq + Lk - 1) along the diagonals of (H, Lq, Lk), the last one upper right.

    Windows over the terms cost a copy alone; looking up each pair takes 3 to 6 times as long.
    """
    if is_torch_array(terms):
        return array_namespace(terms).flip(terms.unfold(-1, n_keys, 1), axis=-2)
    windows = np.lib.stride_tricks.sliding_window_view(terms, n_keys, axis=-1)
    return np.ascontiguousarray(windows[..., ::-1, :])
