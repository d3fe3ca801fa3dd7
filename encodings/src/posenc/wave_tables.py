"""The sines and cosines of a whole table, by angle addition instead of a sine for each number.

A table has a sine for each number, and a sine takes as long as many multiplications. Turning each
row by one step to get the next would need no sines, but every row would inherit the rounding errors
of all rows before it. Here row p is a product: one factor for each set bit of p - start and one for
start, each factor made from its own angle. So errors grow with the number of bits, 17 up to
position 100 000, and not with the position. The products are complex numbers, often wider than the
table, and are made block by block, so that they are still in the cache when they are written.

Source: the addition theorem; Vaswani et al. 2017, arXiv:1706.03762, section 3.5, uses it as
"PE(pos + k) can be represented as a linear function of PE(pos)".
Shapes: L = positions, D = columns, P = pairs.
"""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from posenc.angles import Frequencies
from posenc.arrays import array_namespace, outlives_the_call
from posenc.encoding import Array
from posenc.pieces import numbers_at_once

DIGIT = 5  # bits of a position
BLOCK = 1 << DIGIT  # rows: the values of the lowest digit of a position
VECTOR = 64  # bytes

Turns = npt.NDArray[np.complexfloating[Any, Any]]


@dataclass(frozen=True, eq=False)
class WaveTables:
    """Writes sin and cos of p * inv_freq[i] for consecutive positions p.

    Position p turns a pair by exp(-i p inv_freq), the product of the turns of its digits to base
    32. The turns of digits are kept, up to 32 rows for each digit that was needed; those of the
    lowest digit are times i, since sin + i cos = i exp(-i angle). So a number costs half a complex
    multiplication: float64, cast as it is written, within 2e-11 of the true value up to position
    1e5; float32 for tables of half precision.
    """

    inv_freq: Frequencies
    _of_digits: dict[tuple[int, type], Turns] = field(default_factory=dict)
    _there: dict[tuple[Any, ...], Array] = field(default_factory=dict)

    def fill(self, table: Array, *, start: int, interleaved: bool) -> None:
        """Write the waves of p = start, start + 1 ... into an array (L, D).

        Interleaved, pair i is in columns 2i and 2i + 1, otherwise all sines come before the
        cosines; waves without a column are left out, columns without a wave are left alone.
        """
        xp, (length, columns) = array_namespace(table), table.shape
        kind = np.complex64 if table.dtype.itemsize < 4 else np.complex128
        rows = self._like(table, 0, kind, BLOCK)
        turns = self._turns(table, -(-length // BLOCK), kind)
        if start:
            first = self._turn(float(start)).astype(kind)
            turns = turns * xp.asarray(first, device=table.device)
        whole = interleaved and columns == 2 * len(self.inv_freq)
        small = length * columns <= numbers_at_once(table, size=8)
        if whole and table.dtype == xp.float64:
            _multiply(rows, turns, table.view(xp.complex128))  # the memory of the table itself
        elif whole and small and table.dtype == xp.float32:
            _multiply(rows, turns, table.view(xp.complex64))
        else:
            _multiply_in_pieces(rows, turns, table, interleaved)

    def _turns(self, table: Array, blocks: int, kind: type) -> Array:
        """Return the turns of the first rows of blocks, (blocks, 1, P), like a table's array."""
        bit = DIGIT
        turns = self._like(table, bit, kind, min(blocks, BLOCK))[:, None, :]
        while turns.shape[0] < blocks:
            bit += DIGIT
            needed = min(-(-blocks // turns.shape[0]), BLOCK)
            higher = self._like(table, bit, kind, needed)[:needed, None, None, :]
            turns = (higher * turns).reshape((-1, 1, len(self.inv_freq)))
        return turns[:blocks] if turns.shape[0] > blocks else turns

    def _like(self, table: Array, bit: int, kind: type, count: int) -> Array:
        """Return the turns of a digit as an array of a table's library, on its device."""
        key = (bit, kind, type(table), table.device)
        known = self._there.get(key)
        if known is None or known.shape[0] < count:
            kept = self._of_digit(bit, kind, count)
            known = array_namespace(table).asarray(kept, device=table.device)
            if outlives_the_call(table):
                self._there[key] = known
        return known

    def _of_digit(self, bit: int, kind: type, count: int) -> Turns:
        """Return the turns of d * 2^bit for the digits d = 0, 1 .., the lowest digit's times i.

        There are `count` rows or more, (32 or a smaller power of two, P).
        """
        kept = self._of_digits.get((bit, kind))
        if kept is None or kept.shape[0] < count:
            bits = (count - 1).bit_length() if count else 0
            turns = _empty_at_a_vector((1 << bits, len(self.inv_freq)))
            turns[0] = 1 if bit else 1j
            of_bits = self._turn(2.0 ** np.arange(bit, bit + bits)[:, None])
            for one in range(bits):
                known = 1 << one
                np.multiply(turns[:known], of_bits[one], out=turns[known : 2 * known])
            kept = self._of_digits[bit, kind] = turns.astype(kind, copy=False)
        return kept

    def _turn(self, position: float | npt.NDArray[np.floating[Any]]) -> Turns:
        angles = position * self.inv_freq
        return np.cos(angles) - 1j * np.sin(angles)


def _empty_at_a_vector(shape: tuple[int, int]) -> Turns:
    """Return memory that begins at a whole vector of AVX-512, which takes a fifth off the time."""
    room = np.empty(math.prod(shape) * 16 + VECTOR, dtype=np.uint8)
    begin = -room.ctypes.data % VECTOR
    return room[begin : begin + room.size - VECTOR].view(np.complex128).reshape(shape)


def _multiply(rows: Array, turns: Array, table: Array) -> None:
    """Write rows (32, P) times the turns of each block (blocks, 1, P) to a complex table (L, P)."""
    multiply, (block, pairs) = array_namespace(table).multiply, rows.shape
    blocks, rest = divmod(table.shape[0], block)
    if not rest:
        multiply(rows, turns, out=table.reshape((blocks, block, pairs)))
        return
    full = blocks * block
    multiply(rows, turns[:blocks], out=table[:full].reshape((blocks, block, pairs)))
    multiply(rows[:rest], turns[blocks], out=table[full:])


def _multiply_in_pieces(rows: Array, turns: Array, table: Array, interleaved: bool) -> None:
    """Write the same to a table (L, D) of any kind, by way of memory that stays in the cache."""
    xp, (block, pairs), blocks = array_namespace(table), rows.shape, turns.shape[0]
    real = xp.float64 if rows.dtype == xp.complex128 else xp.float32
    # half of the second-level cache: a quarter takes a tenth longer
    together = max(1, min(numbers_at_once(table, size=8) // (block * pairs), blocks))
    waves = xp.empty((together * block, 2 * pairs), dtype=real, device=table.device)
    made = waves.view(rows.dtype).reshape((together, block, pairs))  # the same memory
    for first in range(0, blocks, together):
        if together < blocks:
            xp.multiply(rows, turns[first : first + together], out=made[: blocks - first])
        else:
            xp.multiply(rows, turns, out=made)
        _write(table[first * block : (first + together) * block], waves, interleaved)


def _write(rows: Array, waves: Array, interleaved: bool) -> None:
    """Write sines and cosines (L or more, 2P), side by side, to the columns of rows (L, D)."""
    if interleaved and waves.shape == rows.shape:
        rows[...] = waves
        return
    waves, columns = waves[: rows.shape[0], :], rows.shape[1]
    if interleaved:
        rows[:, : waves.shape[1]] = waves[:, :columns]
        return
    sines, cosines = waves[:, 0::2], waves[:, 1::2]
    pairs = sines.shape[1]
    rows[:, :pairs] = sines
    rows[:, pairs : 2 * pairs] = cosines[:, : columns - pairs]
