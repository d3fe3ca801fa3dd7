"""Angles in float64 and the waves of a whole table, shared by every encoding that turns.

Source: the addition theorem; Vaswani et al. 2017, arXiv:1706.03762, section 3.5, uses it as
"PE(pos + k) can be represented as a linear function of PE(pos)".
Shapes: L = positions, P = pairs.
"""

import numpy as np
import numpy.typing as npt
from array_api_compat import array_namespace, device, is_torch_array

from posenc.encoding import Array
from posenc.pieces import numbers_at_once
from posenc.positions import in_float64, require_positions

MOST_BITS = 10  # of the rows of a block

Frequencies = npt.NDArray[np.float64]


def angles_of(positions: Array, inv_freq: Frequencies) -> Array:
    """Return positions * inv_freq in radians, float64, (..., L) -> (..., L, P).

    numpy and torch give the same bits. A device without float64 (Apple's MPS) leaves the angles
    on the CPU. Raises ParameterError for positions that are no finite (..., L).
    """
    exact = in_float64(require_positions("positions", positions))
    return exact[..., None] * beside(inv_freq, exact)


def beside(constants: Frequencies, array: Array) -> Array:
    """Return numpy constants in the library and on the device of `array`, bit for bit."""
    xp = array_namespace(array)
    return xp.asarray(constants.copy(), device=device(array))  # torch warns of read-only memory


def fill_table(table: Array, inv_freq: Frequencies, *, start: int, interleaved: bool) -> None:
    """Write sin and cos of p * inv_freq[i] for p = start, start + 1 ... into a CPU array (L, D).

    Interleaved, pair i is in columns 2i and 2i + 1, otherwise all sines come before the cosines;
    what has no column is left out, columns that hold no wave are left alone.

    With z(p) = sin + i cos = i exp(-i angle), a row is z(start + r) = z(r) exp(-i angle(start)):
    some 2 sqrt(L) rows of sin and cos, and one complex multiplication for each pair of all others.
    All of it is float64, cast as it is written, and as near to the true value as sin and cos of
    float64 angles are: within 2e-11 up to position 1e5.
    """
    xp, (length, columns), pairs = array_namespace(table), table.shape, len(inv_freq)
    block = _rows_of_a_block(length)
    within, starts = np.arange(block), np.arange(start, start + length, block)
    angles = xp.asarray(np.multiply.outer(np.concatenate([within, -starts]), inv_freq))
    sines, cosines = xp.sin(angles), xp.cos(angles)
    first = _complex(sines[:block, ...], cosines[:block, ...])
    turns = _complex(cosines[block:, ...], sines[block:, ...])
    blocks = _as_blocks(table, block, pairs) if interleaved else None
    together = max(1, numbers_at_once(table, size=16) // (block * pairs))
    for number in range(0, len(starts), together):
        turn = turns[number : number + together, None, :]
        if blocks is not None:
            xp.multiply(first, turn, out=blocks[number : number + together])
            continue
        rows = slice(number * block, min((number + together) * block, length))
        waves, part = xp.reshape(first * turn, (-1, pairs)), table[rows, :]
        waves = waves[: part.shape[0], :]
        if interleaved:
            part[:, : 2 * pairs] = _side_by_side(waves)[:, :columns]
        else:
            part[:, :pairs] = xp.real(waves)
            part[:, pairs : 2 * pairs] = xp.imag(waves)[:, : columns - pairs]


def _as_blocks(table: Array, block: int, pairs: int) -> Array | None:
    """Return the very memory of a table as complex numbers (blocks, rows, pairs), if it is that."""
    xp, (length, columns) = array_namespace(table), table.shape
    exact = table.dtype in (xp.float32, xp.float64)
    if length % block or columns != 2 * pairs or not exact:
        return None
    if is_torch_array(table):
        return xp.view_as_complex(table.view(-1, block, pairs, 2))
    return table.view(np.result_type(table.dtype, np.complex64)).reshape(-1, block, pairs)


def _rows_of_a_block(length: int) -> int:
    """Return a power of two near the root of the length: as many rows as there are blocks."""
    return 1 << min((length.bit_length() + 1) // 2, MOST_BITS)


def _complex(real: Array, imaginary: Array) -> Array:
    xp = array_namespace(real)
    return xp.complex(real, imaginary) if is_torch_array(real) else real + 1j * imaginary


def _side_by_side(numbers: Array) -> Array:
    """Return complex numbers (L, P) as real ones, (L, 2P): the same memory."""
    if is_torch_array(numbers):
        return array_namespace(numbers).view_as_real(numbers).flatten(1)
    return numbers.view(np.float64)
