"""Scaled dot-product attention, with the four places where an encoding lets position in.

Source: Vaswani et al. 2017, Attention Is All You Need, arXiv:1706.03762, section 3.2, eq. 1.
Shapes: B = batch (any leading axes, or none), H = heads, Lq queries, Lk keys, D = head_dim.
"""

import math
import numbers
from dataclasses import dataclass

from posenc.arrays import array_namespace
from posenc.encoding import Array, Encoding, Weights, require_encoding
from posenc.errors import ParameterError
from posenc.positions import (
    relative_positions,
    require_floating,
    require_one_for_each_row,
    require_same_batch,
)

NOTHING_LEARNED: Weights = {}


@dataclass(frozen=True, eq=False)
class Projections:
    """The matrices of one attention layer: x (..., L, d_model) times each, split into heads."""

    queries: Array  # (d_model, H * D)
    keys: Array  # (d_model, H * D)
    values: Array  # (d_model, H * D)
    n_heads: int


def attention(
    q: Array,
    k: Array,
    v: Array,
    *,
    encoding: Encoding,
    q_positions: Array,
    k_positions: Array,
    weights: Weights = NOTHING_LEARNED,
    causal: bool = False,
    scale: float | None = None,
) -> Array:
    """Return softmax(q k^T / sqrt(D)) v with positions, (B, H, Lq, D), in the dtype of v.

    Positions are (L,) or (B, L), so a new query may meet a cache of earlier keys. With `causal` a
    query sees no key of a later position; one that sees none at all gets zeros. `scale` replaces
    1 / sqrt(D). Keys and values may have fewer heads: each serves a group of queries' heads.
    Raises ParameterError for shapes that do not fit.
    """
    require_encoding(encoding)
    q_order, k_order = encoding.order(q_positions), encoding.order(k_positions)
    _require_fitting(q, k, v, q_order, k_order)
    scale = 1 / math.sqrt(q.shape[-1]) if scale is None else _require_scale(scale)
    k, v = _shared_by_groups(k, q), _shared_by_groups(v, q)
    q, k = encoding.on_queries_and_keys(q, k, q_positions, k_positions, weights)
    xp = array_namespace(q)
    scores = xp.matmul(q, xp.matrix_transpose(k)) * scale
    scores = encoding.on_scores(scores, q, k, q_positions, k_positions, weights)
    if causal:
        later = relative_positions(q_order, k_order) > 0
        scores = xp.where(later, -math.inf, scores)
    seen = softmax(scores)
    mixed = xp.matmul(xp.astype(seen, v.dtype), v)
    return encoding.on_values(mixed, seen, q_positions, k_positions, weights)


def self_attention(
    x: Array,
    projections: Projections,
    *,
    encoding: Encoding,
    positions: Array,
    weights: Weights = NOTHING_LEARNED,
    causal: bool = False,
) -> Array:
    """Return what the tokens x (..., L, d_model) attend to, (..., L, H * D)."""
    x = require_encoding(encoding).on_embeddings(x, positions, weights)
    xp, n_heads = array_namespace(x), projections.n_heads
    q, k, v = (
        _split_heads(xp.matmul(x, matrix), n_heads)
        for matrix in (projections.queries, projections.keys, projections.values)
    )
    heads = attention(
        q,
        k,
        v,
        encoding=encoding,
        q_positions=positions,
        k_positions=positions,
        weights=weights,
        causal=causal,
    )
    together = xp.moveaxis(heads, -3, -2)
    return xp.reshape(together, (*together.shape[:-2], -1))


def softmax(scores: Array) -> Array:
    """Return exp(scores) over their sum along the last axis; zeros where every score is -inf."""
    xp = array_namespace(scores)
    wide = xp.astype(scores, xp.result_type(scores, xp.float32))
    highest = xp.max(wide, axis=-1, keepdims=True)
    shifted = xp.exp(wide - xp.where(xp.isinf(highest), xp.zeros_like(highest), highest))
    total = xp.sum(shifted, axis=-1, keepdims=True)
    return shifted / xp.where(total == 0, xp.ones_like(total), total)


def _split_heads(x: Array, n_heads: int) -> Array:
    """Return (..., L, H * D) as (..., H, L, D)."""
    xp = array_namespace(x)
    if x.shape[-1] % n_heads:
        raise ParameterError("n_heads", n_heads, f"must divide the {x.shape[-1]} columns")
    parted = xp.reshape(x, (*x.shape[:-1], n_heads, x.shape[-1] // n_heads))
    return xp.moveaxis(parted, -2, -3)


def _shared_by_groups(keys: Array, q: Array) -> Array:
    """Return keys or values with as many heads as q, each repeated for its group of queries."""
    if q.ndim < 3 or keys.ndim < 3 or keys.shape[-3] == q.shape[-3]:
        return keys
    times = q.shape[-3] // keys.shape[-3]
    if times * keys.shape[-3] != q.shape[-3]:
        expected = f"must have a number of heads that divides the {q.shape[-3]} of q"
        raise ParameterError("k", keys, expected)
    return array_namespace(keys).repeat(keys, times, axis=-3)


def _require_scale(scale: object) -> float:
    number = isinstance(scale, numbers.Real) and not isinstance(scale, bool)
    try:
        value = float(scale) if number else math.nan  # type: ignore[arg-type]
    except OverflowError:  # a whole number of hundreds of digits
        value = math.inf
    if not 0 < value < math.inf:
        raise ParameterError("scale", scale, "must be a finite number over 0")
    return value


def _require_fitting(q: Array, k: Array, v: Array, q_positions: Array, k_positions: Array) -> None:
    for name, array in (("q", q), ("k", k), ("v", v)):
        if require_floating(name, array).ndim < 2:
            raise ParameterError(name, array, "must be (..., L, D)")
        if array_namespace(array) is not array_namespace(q):
            raise ParameterError(name, array, "must be of the same library as q")
    if q.shape[-1] != k.shape[-1]:
        raise ParameterError("k", k, f"must have {q.shape[-1]} columns, as q has")
    if k.shape[-2] != v.shape[-2]:
        raise ParameterError("v", v, f"must have {k.shape[-2]} rows, as k has")
    for name, positions, heads in (
        ("q_positions", q_positions, q),
        ("k_positions", k_positions, k),
    ):
        require_one_for_each_row(name, positions, name[0], heads)
        if positions.ndim > 1 and heads.ndim > 3:  # the same for all heads
            require_same_batch(name, positions[..., None, :], name[0], heads)
