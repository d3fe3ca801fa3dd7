"""The sines and cosines of a whole table, by angle addition instead of a sine for each number.

Source: the addition theorem; Vaswani et al. 2017, arXiv:1706.03762, section 3.5, uses it as
"PE(pos + k) can be represented as a linear function of PE(pos)".
Shapes: L = positions, D = columns, P = pairs.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from array_api_compat import array_namespace, device, is_torch_array

from posenc.angles import Frequencies
from posenc.encoding import Array
from posenc.pieces import numbers_at_once

DIGIT = 4  # bits of a position
MOST_BITS = 10  # of the rows of a block

Turns = npt.NDArray[np.complexfloating[Any, Any]]


@dataclass(frozen=True, eq=False)
class WaveTables:
    """Writes sin and cos of p * inv_freq[i] for positions p in a row.

    Position p turns a pair by exp(-i p inv_freq), the product of the turns of its digits to base
    16. These are kept, 16 rows for each digit that was needed, and the last digit's are times i,
    since sin + i cos = i exp(-i angle). So a number costs half a complex multiplication: float64,
    cast as it is written, within 2e-11 of the true value up to position 1e5; float32 for tables of
    half precision.
    """

    inv_freq: Frequencies
    _of_digits: dict[int, Turns] = field(default_factory=dict)

    def fill(self, table: Array, *, start: int, interleaved: bool) -> None:
        """Write the waves of p = start, start + 1 ... into an array (L, D).

        Interleaved, pair i is in columns 2i and 2i + 1, otherwise all sines come before the
        cosines; what has no column is left out, columns that hold no wave are left alone.
        """
        xp, length, pairs = array_namespace(table), table.shape[0], len(self.inv_freq)
        bits = min((length.bit_length() + 1) // 2, MOST_BITS)
        block, home = 1 << bits, device(table)
        rows, turns = self._turns(0, block), self._turns(bits, -(-length // block))[:, None, :]
        if start:
            turns = turns * self._turn(float(start))
        if xp.finfo(table.dtype).bits < 32:
            rows, turns = rows.astype(np.complex64), turns.astype(np.complex64)
        waves, beside = xp.asarray(rows, device=home), xp.asarray(turns, device=home)
        together = max(1, numbers_at_once(table, size=16) // (block * pairs))
        room = xp.empty((min(together, len(turns)), block, pairs), dtype=waves.dtype, device=home)
        for first in range(0, len(turns), together):
            some = beside[first : first + together, ...]
            made = xp.multiply(waves, some, out=room[: some.shape[0], ...])
            part = table[first * block : (first + together) * block, :]
            _write(part, _side_by_side(made), interleaved)

    def _turns(self, bit: int, count: int) -> Turns:
        """Return the turns of r * 2^bit for r = 0, 1 ... count - 1, (count, P)."""
        turns = self._of_digit(bit)[:count]
        while len(turns) < count:
            bit += DIGIT
            higher = self._of_digit(bit)[: -(-count // len(turns)), None, :]
            turns = np.reshape(higher * turns, (-1, len(self.inv_freq)))[:count]
        return turns

    def _of_digit(self, bit: int) -> Turns:
        """Return the turns of d * 2^bit for the digits d = 0 .. 15, (16, P), the last times i."""
        if bit not in self._of_digits:
            turns = np.full((1, len(self.inv_freq)), 1 if bit else 1j)
            for one in range(bit, bit + DIGIT):
                turns = np.concatenate([turns, turns * self._turn(2.0**one)])
            self._of_digits[bit] = turns
        return self._of_digits[bit]

    def _turn(self, position: float) -> Turns:
        angles = position * self.inv_freq
        return np.cos(angles) - 1j * np.sin(angles)


def _write(rows: Array, waves: Array, interleaved: bool) -> None:
    """Write sines and cosines (L or more, 2P), side by side, to the columns of rows (L, D)."""
    waves, columns = waves[: rows.shape[0], :], rows.shape[1]
    if interleaved:
        rows[:, : waves.shape[1]] = waves[:, :columns]
        return
    sines, cosines = waves[:, 0::2], waves[:, 1::2]
    pairs = sines.shape[1]
    rows[:, :pairs] = sines
    rows[:, pairs : 2 * pairs] = cosines[:, : columns - pairs]


def _side_by_side(numbers: Array) -> Array:
    """Return complex numbers (..., P) as real ones, (L, 2P): the same memory."""
    xp, pairs = array_namespace(numbers), numbers.shape[-1]
    real = xp.view_as_real(numbers) if is_torch_array(numbers) else numbers.view(numbers.real.dtype)
    return xp.reshape(real, (-1, 2 * pairs))
