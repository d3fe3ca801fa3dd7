"""Waves of a sinusoidal code: their lengths, how a shift acts, dot products, means over positions.

Source: Vaswani et al. 2017, arXiv:1706.03762, section 3.5, "a linear function of PE(pos)"; the sum
of sines in arithmetic progression.
Shapes: P = pairs, K = offsets, R = rows; inv_freq is (P,), radians per token.
"""

from typing import Literal

import numpy as np
import numpy.typing as npt

from posenc.analysis.numbers import Numbers, require_choice, require_frequencies, require_numbers
from posenc.errors import ParameterError


def wavelengths(inv_freq: npt.ArrayLike) -> Numbers:
    """Return the positions in one turn of each pair, 2 pi / inv_freq, (P,); inf at rest."""
    frequencies = require_frequencies(inv_freq)
    with np.errstate(divide="ignore"):
        lengths: Numbers = 2 * np.pi / np.abs(frequencies)
    return lengths


def shift_matrix(
    inv_freq: npt.ArrayLike,
    offset: float,
    *,
    layout: Literal["interleaved", "concatenated"] = "interleaved",
) -> Numbers:
    """Return M_k, (2P, 2P), with PE(p + k) = M_k PE(p) for every p: a rotation of each pair.

    Each block is [[cos, sin], [-sin, cos]] of k inv_freq[i], since PE holds the sine first.
    """
    require_choice("layout", layout, ("interleaved", "concatenated"))
    angles = float(require_numbers("offset", offset, ndim=0)) * require_frequencies(inv_freq)
    pairs = len(angles)
    places = np.arange(pairs)
    if layout == "interleaved":
        sines, cosines = 2 * places, 2 * places + 1
    else:
        sines, cosines = places, places + pairs
    matrix = np.zeros((2 * pairs, 2 * pairs))
    matrix[sines, sines] = matrix[cosines, cosines] = np.cos(angles)
    matrix[sines, cosines] = np.sin(angles)
    matrix[cosines, sines] = -np.sin(angles)
    return matrix


def dot_products(inv_freq: npt.ArrayLike, offsets: npt.ArrayLike) -> Numbers:
    """Return PE(p) . PE(p + k) for each offset, the sum of cos(k inv_freq[i]), (K,), at any p."""
    angles = np.multiply.outer(
        require_numbers("offsets", offsets, ndim=1), require_frequencies(inv_freq)
    )
    products: Numbers = np.cos(angles).sum(axis=-1)
    return products


def rises(values: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """Return the indices, from 1 on, at which a curve is higher than one place before."""
    steps = np.diff(require_numbers("values", values, ndim=1))
    return np.flatnonzero(steps > 0) + 1


def sign_changes(values: npt.ArrayLike) -> int:
    """Return the number of changes of sign of a curve; zeros belong to no side."""
    signs = np.sign(require_numbers("values", values, ndim=1))
    signs = signs[signs != 0]
    return int(np.sum(signs[1:] != signs[:-1]))


def mean_waves(
    inv_freq: npt.ArrayLike, starts: npt.ArrayLike, counts: npt.ArrayLike
) -> tuple[Numbers, Numbers]:
    """Return the mean sine and cosine of `counts` positions from each of `starts`, (R, P) each.

    The mean of sin(w p) over m positions from a is sin(w (a + (m-1)/2)) times the share that
    `kept_by_mean` returns: exact, and no slower for a million positions behind a row than for one.
    """
    first, many = require_numbers("starts", starts, ndim=1), _require_counts(counts)
    if many.shape not in (first.shape, ()):
        raise ParameterError("counts", counts, f"must be one number or {len(first)}")
    middles = np.multiply.outer(first + (many - 1) / 2, require_frequencies(inv_freq))
    kept = kept_by_mean(inv_freq, np.broadcast_to(many, first.shape))
    return kept * np.sin(middles), kept * np.cos(middles)


def kept_by_mean(inv_freq: npt.ArrayLike, counts: npt.ArrayLike) -> Numbers:
    """Return sin(m w/2) / (m sin(w/2)): the share of a wave that a mean over m positions keeps.

    1 is all of it, 0 nothing; below 0 the mean shows the wave upside down.
    """
    half, many = require_frequencies(inv_freq) / 2, _require_counts(counts)[..., None]
    below = many * np.sin(half)
    turning = np.abs(np.sin(half)) > 1e-9  # else a whole number of turns a token: all in step
    in_step = np.cos(np.round(half / np.pi) * np.pi * (many - 1))
    safe = np.where(turning, below, 1.0)
    kept: Numbers = np.where(turning, np.sin(many * half) / safe, in_step)
    return kept


def _require_counts(counts: npt.ArrayLike) -> Numbers:
    many = require_numbers("counts", counts)
    if many.size and (many.min() < 1 or (many != np.round(many)).any()):
        raise ParameterError("counts", counts, "must be whole numbers of at least 1")
    return many
