"""RoPE and sinusoidal tables in one pass over their numbers, compiled by Numba on import.

A kernel is called by every thread of a team, reads one job and does its share of the rows. Its
inputs and its output share no memory. Half precision is widened as it is read, computed in float32
and rounded once as it is written.
Source: as posenc.rotation and posenc.wave_tables, which do the same with numpy and torch.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import carray, cfunc, from_dtype, njit, types

from posenc.fused.numbers import at, lower_half, turned_pair, upper_half, word_of
from posenc.fused.team import MEMBER, MEMBERS


def _job(*names: str) -> Any:
    return np.dtype([(name, np.int64) for name in names])


TURN = _job(
    *("x", "out", "cos", "sin"),  # addresses
    *("batches", "heads", "rows", "pairs"),
    *("x_batch", "x_head", "x_row"),  # so many numbers further begins the next one
    *("out_batch", "out_head", "out_row"),
    *("wave_batch", "wave_head", "wave_row"),
)
FILL = _job(
    *("rows", "turns", "table"),  # addresses
    *("length", "block", "pairs"),
)
TILE = 2048  # pairs whose cosines and sines stay in the cache while all heads are turned

member = types.ExternalFunction(MEMBER, types.int32())
members = types.ExternalFunction(MEMBERS, types.int32())
Run = Callable[..., Any]


def _compiled(run: Run) -> Run:
    compiled: Run = njit(run, fastmath={"contract"}, error_model="numpy", boundscheck=False)
    return compiled


@_compiled
def _adjacent_float32(x: int, out: int, cos: int, sin: int, rows: int, pairs: int) -> None:
    count = rows * pairs
    given = carray(at(x, types.float32), (count, 2))
    turned = carray(at(out, types.float32), (count, 2))
    c, s = carray(at(cos, types.float32), count), carray(at(sin, types.float32), count)
    for i in range(count):
        turned[i, 0], turned[i, 1] = turned_pair(given[i, 0], given[i, 1], c[i], s[i])


@_compiled
def _adjacent_bfloat16(x: int, out: int, cos: int, sin: int, rows: int, pairs: int) -> None:
    """Turn pairs of one word of 32 bits each, the first number in the lower half."""
    count = rows * pairs
    given = carray(at(x, types.uint32), count)
    turned = carray(at(out, types.uint32), count)
    c, s = carray(at(cos, types.float32), count), carray(at(sin, types.float32), count)
    for i in range(count):
        first, second = turned_pair(lower_half(given[i]), upper_half(given[i]), c[i], s[i])
        turned[i] = word_of(first, second)


@_compiled
def _half_split_float32(x: int, out: int, cos: int, sin: int, rows: int, pairs: int) -> None:
    given = carray(at(x, types.float32), (rows, 2, pairs))
    turned = carray(at(out, types.float32), (rows, 2, pairs))
    c = carray(at(cos, types.float32), (rows, pairs))
    s = carray(at(sin, types.float32), (rows, pairs))
    for row in range(rows):
        for i in range(pairs):
            first, second = turned_pair(given[row, 0, i], given[row, 1, i], c[row, i], s[row, i])
            turned[row, 0, i], turned[row, 1, i] = first, second


@_compiled
def _half_split_bfloat16(x: int, out: int, cos: int, sin: int, rows: int, pairs: int) -> None:
    """Turn pairs in twos: a word holds two neighbours, the first in its lower half.

    Of cosines and sines, (2, rows, P/2), the even ones come before the odd ones.
    """
    words = pairs // 2
    given = carray(at(x, types.uint32), (rows, 2, words))
    turned = carray(at(out, types.uint32), (rows, 2, words))
    c = carray(at(cos, types.float32), (2, rows, words))
    s = carray(at(sin, types.float32), (2, rows, words))
    for row in range(rows):
        for i in range(words):
            one, other = given[row, 0, i], given[row, 1, i]
            first, second = turned_pair(
                lower_half(one), lower_half(other), c[0, row, i], s[0, row, i]
            )
            third, fourth = turned_pair(
                upper_half(one), upper_half(other), c[1, row, i], s[1, row, i]
            )
            turned[row, 0, i], turned[row, 1, i] = word_of(first, third), word_of(second, fourth)


@_compiled
def _block_float32(rows: int, turns: int, table: int, count: int, pairs: int) -> None:
    """Write rows times the turns of their block: sines and cosines, side by side."""
    row = carray(at(rows, types.float64), (count, pairs, 2))
    turn = carray(at(turns, types.float64), (pairs, 2))
    waves = carray(at(table, types.float32), (count, pairs, 2))
    for p in range(count):
        for i in range(pairs):
            real, imaginary = row[p, i, 0], row[p, i, 1]
            waves[p, i, 0] = real * turn[i, 0] - imaginary * turn[i, 1]
            waves[p, i, 1] = real * turn[i, 1] + imaginary * turn[i, 0]


@_compiled
def _evens_before_odds(waves: int, room: int, words: int) -> None:
    given = carray(at(waves, types.float32), (words, 2))
    into = carray(at(room, types.float32), (2, words))
    for i in range(words):
        into[0, i], into[1, i] = given[i, 0], given[i, 1]


def _of_a(job: Any) -> Any:
    return types.void(types.CPointer(from_dtype(job)))


def _turning(run: Run, size: int, *, apart: bool = False) -> Any:
    """Return the kernel that turns all rows of a TURN job; numbers of x take `size` bytes.

    Rows of a tile are turned in all heads before the next tile. `apart` sorts its waves first.
    """

    @cfunc(_of_a(TURN), error_model="numpy")
    def kernel(jobs: Any) -> None:
        job = carray(jobs, 1)[0]
        team, here = members(), member()
        close = job.x_row == job.out_row == 2 * job.pairs and job.wave_row == job.pairs
        height = max(1, TILE // job.pairs) if close else 1
        heads = job.batches * job.heads
        tiles = (job.rows + height - 1) // height * heads
        room, sorted_from = np.empty((2, max(TILE, job.pairs) if apart else 1), np.float32), (-1, 0)
        for tile in range(tiles * here // team, tiles * (here + 1) // team):
            below, of_all = divmod(tile, heads)
            batch, head = divmod(of_all, job.heads)
            row = below * height
            count = min(height, job.rows - row)
            x = job.x + size * (batch * job.x_batch + head * job.x_head + row * job.x_row)
            out = job.out + size * (batch * job.out_batch + head * job.out_head + row * job.out_row)
            wave = 4 * (batch * job.wave_batch + head * job.wave_head + row * job.wave_row)
            cos, sin = job.cos + wave, job.sin + wave
            if apart:
                into = room[0].ctypes.data, room[1].ctypes.data
                if (wave, count) != sorted_from:
                    _evens_before_odds(cos, into[0], count * job.pairs // 2)
                    _evens_before_odds(sin, into[1], count * job.pairs // 2)
                sorted_from = (wave, count)
                cos, sin = into
            run(x, out, cos, sin, count, job.pairs)

    return kernel


turn_adjacent_float32 = _turning(_adjacent_float32, 4)
turn_adjacent_bfloat16 = _turning(_adjacent_bfloat16, 2)
turn_half_split_float32 = _turning(_half_split_float32, 4)
turn_half_split_bfloat16 = _turning(_half_split_bfloat16, 2, apart=True)


@cfunc(_of_a(FILL), error_model="numpy")
def fill_float32(jobs: Any) -> None:
    """Write a table: row p is row p % block times the turns of block p // block."""
    job = carray(jobs, 1)[0]
    team, here = members(), member()
    blocks = (job.length + job.block - 1) // job.block
    for block in range(blocks * here // team, blocks * (here + 1) // team):
        first = block * job.block
        turns, table = job.turns + 16 * block * job.pairs, job.table + 8 * first * job.pairs
        count = min(job.block, job.length - first)
        _block_float32(job.rows, turns, table, count, job.pairs)
