"""Numbers of RoPE, and of RoPE stretched for longer texts."""

from typing import Literal

import numpy as np
from posenc import analysis
from posenc.catalog.rope import Rope

from quizzes.lessons.value_functions.bounds import MOST_POSITIONS, MOST_WIDTH, within

__all__ = [
    "ntk_base",
    "rope_first_rise",
    "rope_frequency",
    "rope_norm_change",
    "rope_score",
    "rope_score_scaled",
    "rope_score_spread",
    "rope_temperature",
    "rope_turns",
    "rope_unseen_pairs",
    "rope_wavelength",
    "slower_by",
    "turns_of",
]

Scaling = Literal["none", "linear", "ntk", "yarn", "llama3"]


def rope_frequency(
    *,
    head_dim: int,
    pair: int,
    base: float = 10_000.0,
    scaling: Scaling = "none",
    factor: float = 1.0,
    trained_length: int = 2048,
) -> float:
    """Return radians per position of a pair; pair=-1 is the last one."""
    inv_freq = _rope(head_dim, base, scaling, factor, trained_length).inv_freq
    return float(inv_freq[within("pair", pair, low=-1, high=len(inv_freq) - 1)])


def rope_wavelength(
    *,
    head_dim: int,
    pair: int,
    base: float = 10_000.0,
    scaling: Scaling = "none",
    factor: float = 1.0,
    trained_length: int = 2048,
) -> float:
    """Return the number of positions in one turn of a pair; pair=-1 is the last one."""
    inv_freq = _rope(head_dim, base, scaling, factor, trained_length).inv_freq
    place = within("pair", pair, low=-1, high=len(inv_freq) - 1)
    return float(analysis.wavelengths(inv_freq)[place])


def rope_turns(*, head_dim: int, positions: int, base: float = 10_000.0) -> int:
    """Return how many pairs make a whole turn between the first and the last position."""
    turned = _rope(head_dim, base).inv_freq * (positions - 1)
    return int(np.sum(turned >= 2 * np.pi))


def rope_unseen_pairs(
    *,
    head_dim: int,
    trained: int,
    length: int,
    base: float = 10_000.0,
    scaling: Scaling = "none",
    factor: float = 1.0,
) -> int:
    """Return how many pairs reach angles in a text of `length` that `trained` positions never had.

    What training has shown are the angles below trained times the unscaled frequency.
    """
    seen = _rope(head_dim, base).inv_freq * within("trained", trained, low=2)
    now = _rope(head_dim, base, scaling, factor, trained).inv_freq
    reached = now * (within("length", length, low=2, high=2**24) - 1)
    return int(np.sum((seen < 2 * np.pi) & (reached > seen)))


def rope_score(*, head_dim: int, distance: int, base: float = 10_000.0) -> float:
    """Return the score of a query of ones and an equal key, divided by the score at distance 0."""
    inv_freq = _rope(head_dim, base).inv_freq
    return float(np.mean(np.cos(within("distance", distance) * inv_freq)))


def rope_score_scaled(
    *, head_dim: int, distance: int, factor: float, scaling: Scaling = "linear"
) -> float:
    """Return `rope_score` with frequencies stretched from 2048 positions, without a temperature."""
    inv_freq = _rope(head_dim, scaling=scaling, factor=factor).inv_freq
    return float(np.mean(np.cos(within("distance", distance) * inv_freq)))


def slower_by(*, head_dim: int, pair: int, scaling: Scaling, factor: float) -> float:
    """Return the factor by which a scaling from 2048 positions slows a pair."""
    stretched = rope_frequency(head_dim=head_dim, pair=pair, scaling=scaling, factor=factor)
    return rope_frequency(head_dim=head_dim, pair=pair) / stretched


def turns_of(*, head_dim: int, pair: int, positions: int) -> float:
    """Return how often a pair turns in a text of this many positions."""
    return within("positions", positions, low=1) / rope_wavelength(head_dim=head_dim, pair=pair)


def ntk_base(*, head_dim: int, factor: float, base: float = 10_000.0) -> float:
    """Return the base of NTK-aware scaling, which slows the slowest pair by the factor."""
    slowest = rope_frequency(head_dim=head_dim, pair=-1, base=base, scaling="ntk", factor=factor)
    return float(slowest ** (-head_dim / (head_dim - 2)))


def rope_first_rise(*, head_dim: int, base: float = 10_000.0) -> int:
    """Return the first distance at which `rope_score` is larger than at the distance before."""
    inv_freq = _rope(head_dim, base).inv_freq
    return int(analysis.rises(analysis.dot_products(inv_freq, np.arange(2000)))[0])


def rope_score_spread(*, head_dim: int, distance: int = 3, seed: int = 0) -> float:
    """Return how much one query and key's score varies as both move along 10 000 positions."""
    encoding, rng = _rope(head_dim), np.random.default_rng(seed)
    query, key = rng.standard_normal((2, 1, head_dim))
    at = np.arange(0, 10_000, 97)
    queries = encoding.rotate(np.repeat(query, len(at), axis=0), at + distance)
    keys = encoding.rotate(np.repeat(key, len(at), axis=0), at)
    return float(np.ptp(np.sum(queries * keys, axis=1)))


def rope_norm_change(*, head_dim: int, position: int, seed: int = 0) -> float:
    """Return how much the length of a vector changes when it is turned, as a share."""
    x = np.random.default_rng(seed).standard_normal((1, within("head_dim", head_dim, low=2)))
    turned = _rope(head_dim).rotate(x, np.array([within("position", position)]))
    return float(abs(np.linalg.norm(turned) / np.linalg.norm(x) - 1))


def rope_temperature(*, factor: float) -> float:
    """Return the factor by which YaRN multiplies turned queries and keys."""
    return float(Rope(scaling="yarn", factor=factor).temperature)


def _rope(
    head_dim: int,
    base: float = 10_000.0,
    scaling: Scaling = "none",
    factor: float = 1.0,
    trained_length: int = 2048,
) -> Rope:
    within("head_dim", head_dim, low=2, high=MOST_WIDTH)
    within("trained_length", trained_length, low=2, high=10 * MOST_POSITIONS)
    return Rope(
        head_dim=head_dim,
        base=base,
        scaling=scaling,
        factor=factor,
        trained_length=trained_length,
    )
