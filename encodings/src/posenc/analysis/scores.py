"""The score of one query and one key against their distance, for any encoding, through its hooks.

Source: Vaswani et al. 2017, arXiv:1706.03762, section 3.2, eq. 1, before softmax, with the query
and key projections left out.
Shapes: H = heads, D = head_dim, N = distances.
"""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from posenc.analysis.numbers import Numbers, require_numbers
from posenc.encoding import Encoding, Weights, require_encoding
from posenc.errors import ParameterError

NOTHING_LEARNED: Weights = {}


def score_by_distance(
    encoding: Encoding,
    distances: npt.ArrayLike,
    *,
    q: npt.ArrayLike,
    k: npt.ArrayLike,
    weights: Weights = NOTHING_LEARNED,
    query_at: float | None = None,
) -> Numbers:
    """Return the score of a query with one and the same key at each distance before it, (H, N).

    q and k are (H, D), what the tokens hold without positions. The query stands at `query_at`, by
    default the largest distance, so that the farthest key is at 0. The three hooks before softmax
    are called; an encoding that is added to embeddings finds the heads side by side, d_model = H D.
    Scores are divided by sqrt(D). Raises ParameterError.
    """
    require_encoding(encoding)
    apart = require_numbers("distances", distances, ndim=1)
    query, key = require_numbers("q", q, ndim=2), require_numbers("k", k, ndim=2)
    if query.shape != key.shape:
        raise ParameterError("k", key, f"must be {query.shape}, as q is")
    if not apart.size:
        raise ParameterError("distances", apart, "must hold at least one")
    at = apart.max() if query_at is None else require_numbers("query_at", query_at, ndim=0)
    q_positions = _positions(np.array([at]))
    k_positions = _positions(q_positions - apart)
    q_positions, k_positions = map(encoding.positions_in_text, (q_positions, k_positions))
    heads, head_dim = query.shape
    queries = _embedded(encoding, query, q_positions, weights)
    keys = _embedded(encoding, key, k_positions, weights)
    queries, keys = encoding.on_queries_and_keys(queries, keys, q_positions, k_positions, weights)
    scores = queries @ np.swapaxes(keys, -1, -2) / math.sqrt(head_dim)
    scored: Numbers = encoding.on_scores(scores, queries, keys, q_positions, k_positions, weights)
    return scored.reshape(heads, len(apart))


def _embedded(
    encoding: Encoding, content: Numbers, positions: npt.NDArray[Any], weights: Weights
) -> Numbers:
    """Return one content (H, D) at each position, with the positions in it, (H, N, D)."""
    heads, head_dim = content.shape
    count = positions.shape[-1]
    x = np.tile(content.reshape(1, -1), (count, 1))
    embedded = encoding.on_embeddings(x, positions, weights)
    parted: Numbers = embedded.reshape(count, heads, head_dim)
    return np.moveaxis(parted, 1, 0)


def _positions(positions: Numbers) -> npt.NDArray[Any]:
    """Return whole positions as integers: consecutive tokens are computed faster."""
    whole = positions.astype(np.int64)
    return whole if (whole == positions).all() else positions
