"""Scaled dot-product attention, with the four places where an encoding lets position in.

Source: Vaswani et al. 2017, Attention Is All You Need, arXiv:1706.03762, section 3.2, eq. 1.
Shapes: B = batch (any leading axes, or none), H = heads, Lq queries, Lk keys, D = head_dim.
"""

import math
import numbers
from dataclasses import dataclass

from posenc.arrays import array_namespace, move_axis
from posenc.encoding import Array, Encoding, Weights, require_encoding
from posenc.errors import ParameterError, named
from posenc.heads import (
    in_one_type,
    require_heads_that_fit,
    require_mask_and_sink,
    require_matrix,
    require_positions_that_fit,
    require_sink,
    shared_by_groups,
    split_heads,
)
from posenc.positions import relative_positions, require_floating

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
    mask: Array | None = None,
    sink: Array | None = None,
) -> Array:
    """Return softmax(q k^T / sqrt(D)) v with positions, (B, H, Lq, D), in the dtype of v.

    Positions are (L,) or (B, L), so a new query may meet a cache of earlier keys. With `causal` a
    query sees no key of a later position; a query that sees no key at all gets zeros. `scale`
    replaces 1 / sqrt(D). `mask`, booleans that broadcast to (..., H, Lq, Lk), is True where a query
    may see a key. `sink` (H,) is a learned score of each head for a key without a value: the
    weights of the others add up to less than 1 (gpt-oss). Keys and values may have fewer heads:
    each serves a group of queries' heads. Queries meet keys in the wider of their types. Raises
    ParameterError for shapes that do not fit.
    """
    q_order = _order("q_positions", require_encoding(encoding), q_positions)
    k_order = _order("k_positions", encoding, k_positions)
    require_heads_that_fit(q, k, v)
    require_positions_that_fit("q_positions", q_order, q)
    require_positions_that_fit("k_positions", k_order, k)
    if not isinstance(causal, bool):
        raise ParameterError("causal", causal, "must be True or False")
    require_mask_and_sink(mask, sink, q, k)
    scale = 1 / math.sqrt(q.shape[-1]) if scale is None else _require_scale(scale)
    k, v = shared_by_groups("k", k, q), shared_by_groups("v", v, q)
    q, k = in_one_type(q, k)
    q, k = encoding.on_queries_and_keys(q, k, q_positions, k_positions, weights)
    if not causal:
        encoding.require_all_seen(q, q_positions, k_positions)
    xp = array_namespace(q)
    scores = xp.matmul(q, xp.matrix_transpose(k)) * scale
    scores = encoding.on_scores(scores, q, k, q_positions, k_positions, weights)
    if causal:
        later = relative_positions(q_order, k_order) > 0
        scores = xp.where(later, -math.inf, scores)
    if mask is not None:
        scores = xp.where(mask, scores, -math.inf)
    seen = softmax(scores, sink)
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
    """Return the attention output of the tokens x (..., L, d_model), (..., L, H * D).

    Raises ParameterError for arguments that do not fit.
    """
    if require_floating("x", x).ndim < 2:
        raise ParameterError("x", x, "must be (..., L, d_model)")
    if not isinstance(projections, Projections):
        raise ParameterError("projections", projections, "must be Projections")
    x = require_encoding(encoding).on_embeddings(x, positions, weights)
    q, k, v = (
        _projected(x, name, getattr(projections, name), projections.n_heads)
        for name in ("queries", "keys", "values")
    )
    with named(q_positions="positions", k_positions="positions"):
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
    xp = array_namespace(heads)
    together = move_axis(heads, -3, -2)
    *leading, H, D = together.shape
    return xp.reshape(together, (*leading, H * D))


def softmax(scores: Array, sink: Array | None = None) -> Array:
    """Return exp(scores) over their sum along the last axis; zeros where every score is -inf.

    `sink` (H,) joins the sum of each head's scores (..., H, Lq, Lk) and has no weight of its own:
    scores 2, 1, 0 with a sink of 1 have weights 0.534447, 0.196612 and 0.072329.
    Raises ParameterError unless scores have an axis and hold floating-point numbers.
    """
    if not require_floating("scores", scores).ndim:
        raise ParameterError("scores", scores, "must have at least one axis")
    xp = array_namespace(scores)
    wide = xp.astype(scores, xp.result_type(scores, xp.float32))
    if not wide.shape[-1]:
        return wide  # no keys, no shares
    highest = xp.max(wide, axis=-1, keepdims=True)
    if sink is not None:
        aside = xp.astype(require_sink(sink, scores), wide.dtype)
        aside = aside[:, None, None] if scores.ndim > 2 else aside
        highest = xp.maximum(highest, aside)  # a sink far above all scores must not overflow
    highest = xp.where(xp.isinf(highest), xp.zeros_like(highest), highest)
    shifted = xp.exp(wide - highest)
    total = xp.sum(shifted, axis=-1, keepdims=True)
    if sink is not None:
        total = total + xp.exp(aside - highest)
    return shifted / xp.where(total == 0, xp.ones_like(total), total)


def _projected(x: Array, name: str, matrix: object, n_heads: int) -> Array:
    """Return x (..., L, d_model) times one of the matrices, as heads (..., H, L, D)."""
    tokens, matrix = in_one_type(x, require_matrix(name, matrix, x=x))
    return split_heads(array_namespace(x).matmul(tokens, matrix), n_heads)


def _order(name: str, encoding: Encoding, positions: Array) -> Array:
    """Return numbers in the order of the tokens, (..., L); errors name the caller's positions."""
    with named(positions=name):
        return encoding.order(positions)


def _require_scale(scale: object) -> float:
    number = isinstance(scale, numbers.Real) and not isinstance(scale, bool)
    try:
        value = float(scale) if number else math.nan  # type: ignore[arg-type]
    except OverflowError:  # a whole number of hundreds of digits
        value = math.inf
    if not 0 < value < math.inf:
        raise ParameterError("scale", scale, "must be a finite number above 0")
    return value
