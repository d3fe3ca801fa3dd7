"""The two positions whose codes are hardest to tell apart.

Source: the chord of an angle, |z - z'| = 2 |sin(angle / 2)|, summed over the pairs.
Shapes: L = positions, P = pairs, D = columns.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from posenc.analysis.numbers import require_frequencies
from posenc.positions import require_whole_number

BLOCK = 2**20  # numbers at a time
LONGEST = 2**31


@dataclass(frozen=True)
class Closest:
    """The closest two codes: their Euclidean distance and their positions."""

    distance: float
    first: int
    second: int


def closest_positions(inv_freq: npt.ArrayLike, length: int) -> Closest:
    """Return the closest two of the sinusoidal codes of positions 0 .. length-1.

    Their distance depends on the offset alone, so L offsets are tried instead of L^2 pairs; the
    positions returned are 0 and that offset. Raises ParameterError.
    """
    frequencies = require_frequencies(inv_freq)
    length = require_whole_number("length", length, low=2, high=LONGEST)
    rows = max(BLOCK // len(frequencies), 1)
    best = Closest(np.inf, 0, 0)
    for start in range(1, length, rows):
        offsets = np.arange(start, min(start + rows, length))
        chords = np.sin(np.multiply.outer(offsets, frequencies / 2))
        squares = 4 * np.einsum("kp,kp->k", chords, chords)
        at = int(squares.argmin())
        if squares[at] < best.distance**2:
            best = Closest(float(np.sqrt(squares[at])), 0, int(offsets[at]))
    return best
