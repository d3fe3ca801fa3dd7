"""How much of a long text is new to a model that was trained on short ones.

Source: Press et al. 2021, arXiv:2108.12409; Chen et al. 2023, Position Interpolation,
arXiv:2306.15595, section 2; Peng et al. 2023, YaRN, arXiv:2309.00071v2, section 3.2 (turns).
Shapes: P = pairs, L = positions, D = columns; inv_freq is (P,), radians per token.
"""

import numpy as np
import numpy.typing as npt

from posenc.analysis.numbers import Numbers, require_frequencies, require_numbers
from posenc.errors import ParameterError
from posenc.positions import require_whole_number

LONGEST = 2**24


def turns(inv_freq: npt.ArrayLike, length: int) -> Numbers:
    """Return the turns of each pair in a text of `length` tokens, (P,).

    A pair with less than one turn has angles that the text never shows.
    """
    length = require_whole_number("length", length, low=1, high=LONGEST)
    counted: Numbers = np.abs(require_frequencies(inv_freq)) * length / (2 * np.pi)
    return counted


def shift_error(codes: npt.ArrayLike, offset: int) -> float:
    """Return the error of one matrix that shifts a table (L, D) by `offset` rows, 0 for none.

    The matrix is fitted by least squares on every other row; the error is measured on the rows
    between, relative to their size. Raises ParameterError where rows are too few to fit.
    """
    table = require_numbers("codes", codes, ndim=2)
    offset = require_whole_number("offset", offset, low=0, high=len(table))
    before, after = table[: len(table) - offset], table[offset:]
    if len(before) < 2 * table.shape[1]:
        expected = f"must leave 2 x {table.shape[1]} rows to fit and to check, not {len(before)}"
        raise ParameterError("offset", offset, expected)
    matrix, *_ = np.linalg.lstsq(before[0::2], after[0::2], rcond=None)
    missed = np.linalg.norm(before[1::2] @ matrix - after[1::2])
    return float(missed / np.linalg.norm(after[1::2]))


def reach(slopes: npt.ArrayLike, nats: float) -> Numbers:
    """Return the distance at which each of ALiBi's slopes takes `nats` off a score."""
    steep, off = (
        require_numbers("slopes", slopes, ndim=1),
        float(require_numbers("nats", nats, ndim=0)),
    )
    if steep.size and steep.min() <= 0:
        raise ParameterError("slopes", slopes, "must be positive")
    distances: Numbers = off / steep
    return distances
