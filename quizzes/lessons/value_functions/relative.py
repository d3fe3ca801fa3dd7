"""Numbers of the encodings that act on scores: Shaw's table, T5's buckets, ALiBi's slopes."""

import math
from typing import Literal

import numpy as np
from posenc import analysis
from posenc.catalog.alibi import Alibi
from posenc.catalog.deberta import Deberta
from posenc.catalog.t5_bias import T5Bias
from posenc.errors import ParameterError

from quizzes.lessons.value_functions.bounds import MOST_WIDTH, within

__all__ = [
    "alibi_penalty",
    "alibi_reach",
    "alibi_slope",
    "deberta_rows_apart",
    "fading",
    "growth",
    "pair_vectors",
    "t5_bucket",
    "t5_last_begins_at",
]

Rule = Literal["authors", "geometric"]


def alibi_slope(*, n_heads: int, head: int, rule: Rule = "authors") -> float:
    """Return the amount that head 1, 2 ... subtracts for each token of distance."""
    slopes = Alibi(n_heads=within("n_heads", n_heads, low=1, high=MOST_WIDTH), rule=rule).slopes
    return float(slopes[within("head", head, low=1, high=n_heads) - 1])


def alibi_penalty(*, n_heads: int, head: int, distance: int) -> float:
    """Return the amount that a head subtracts from the score of a key at this distance."""
    return alibi_slope(n_heads=n_heads, head=head) * distance


def alibi_reach(*, n_heads: int, head: int, nats: float = 10.0) -> float:
    """Return the distance at which a head subtracts `nats` from a score."""
    return float(analysis.reach([alibi_slope(n_heads=n_heads, head=head)], nats)[0])


def deberta_rows_apart(*, tokens: int, seed: int = 0) -> float:
    """Return how much DeBERTa's position-to-content term differs in code and paper, as a share."""
    rng, at = np.random.default_rng(seed), np.arange(within("tokens", tokens, low=2, high=64))
    q, k = rng.standard_normal((2, 2, tokens, 8))
    rows: tuple[Literal["code", "paper"], ...] = ("code", "paper")
    kinds = [
        Deberta(2, 8, 16, span=64, log_buckets=False, terms="p2c", p2c_row=row) for row in rows
    ]
    weights = kinds[0].init_weights(rng)
    zeros = np.zeros((2, tokens, tokens))
    code, paper = (one.on_scores(zeros, q, k, at, at, weights) for one in kinds)
    return float(np.linalg.norm(code - paper) / np.linalg.norm(code))


def fading(*, slope: float) -> float:
    """Return the share of a weight that is left after one more token of distance."""
    return math.exp(-slope)


def growth(*, exponent: float) -> float:
    """Return e to a power: the factor between two weights whose scores differ by this exponent."""
    if abs(exponent) > 100:
        raise ParameterError("exponent", exponent, "must be between -100 and 100")
    return math.exp(exponent)


def pair_vectors(*, tokens: int, head_dim: int) -> int:
    """Return how many numbers it would take to give each pair of tokens a vector, for one head."""
    return within("tokens", tokens, low=1) ** 2 * within("head_dim", head_dim, low=1)


def t5_bucket(
    *,
    relative: int,
    num_buckets: int = 32,
    max_distance: int = 128,
    bidirectional: bool = True,
) -> int:
    """Return the bucket of a relative position, key - query."""
    return int(_t5(num_buckets, max_distance, bidirectional).buckets(np.array([relative]))[0])


def t5_last_begins_at(
    *, num_buckets: int = 32, max_distance: int = 128, bidirectional: bool = True
) -> int:
    """Return the first distance that falls into the last bucket of a direction."""
    return int(_t5(num_buckets, max_distance, bidirectional).first_distances[-1])


def _t5(num_buckets: int, max_distance: int, bidirectional: bool) -> T5Bias:
    return T5Bias(num_buckets=num_buckets, max_distance=max_distance, bidirectional=bidirectional)
