"""Rotation of pairs into existing memory, in as few passes as numpy and torch allow.

Large arrays are turned piece by piece, so that intermediate results stay in the cache.
Source: as rotation.py, which checks the arguments and calls this.
Shapes: L = tokens, P = pairs, 2P columns.
"""

from collections.abc import Iterator

from posenc.arrays import array_namespace, is_torch_array, size
from posenc.encoding import Array
from posenc.pieces import numbers_at_once


def adjacent(x: Array, out: Array, cos: Array, sin: Array) -> None:
    """Write columns 2i and 2i + 1 of x, as one complex number, times e^(i angle) to out."""
    xp = array_namespace(x)
    factors = xp.complex(cos, sin) if is_torch_array(cos) else cos + 1j * sin
    if x.dtype == cos.dtype:
        try:
            source, target = x.view(factors.dtype), out.view(factors.dtype)
        except (RuntimeError, ValueError):  # of torch, of numpy: numbers of a pair lie apart
            pass
        else:
            xp.multiply(source, factors, out=target)
            return
    room = Room(cos)
    for some, into, by in pieces(numbers_at_once(x, size=4), x, out, factors):
        full = room.of(some)
        full[...] = some
        turned = full.view(factors.dtype)  # the same memory
        turned *= by
        into[...] = full


def half_split(x: Array, out: Array, cos: Array, sin: Array, *, apart: bool) -> None:
    """Write columns i and i + P of x, both times cos, then each with sin of the other, to out.

    `apart` says that out and x share no memory.
    """
    pairs, straight = cos.shape[-1], apart and x.dtype == cos.dtype
    whole, half = Room(cos), Room(cos)
    most = numbers_at_once(x, size=2 if straight else 4)  # directly, without a third array
    for some, into, c, s in pieces(most, x, out, cos, sin):
        full = some if straight else whole.copy(some)
        first, second = full[..., :pairs], full[..., pairs:]
        if straight:
            _turn(first, second, c, s, into[..., :pairs], into[..., pairs:])
            continue
        turned = half.of(first)
        _turn(first, second, c, s, turned, second)
        first[...] = turned
        into[...] = full


def _turn(
    first: Array, second: Array, cos: Array, sin: Array, new_first: Array, new_second: Array
) -> None:
    """Write both columns of the turned pairs; new second and second may be the same memory."""
    multiply = array_namespace(first).multiply
    multiply(first, cos, out=new_first)
    if is_torch_array(first):
        new_first.addcmul_(second, sin, value=-1)
        multiply(second, cos, out=new_second)
        new_second.addcmul_(first, sin)
    else:
        new_first -= second * sin
        multiply(second, cos, out=new_second)
        new_second += first * sin


class Room:
    """Memory of the dtype in which turning is computed, taken once for all pieces."""

    def __init__(self, like: Array) -> None:
        self.like = like
        self.taken: Array | None = None

    def of(self, x: Array) -> Array:
        """Return memory of the shape of x, the same for each piece; the first is the largest."""
        if self.taken is None:
            xp = array_namespace(self.like)
            self.taken = xp.empty((*x.shape,), dtype=self.like.dtype, device="cpu")
        room = self.taken
        return room if room.shape == x.shape else room.reshape(-1)[: size(x)].reshape(x.shape)

    def copy(self, x: Array) -> Array:
        """Return a copy of x in this memory, which the first copy makes."""
        if self.taken is None:
            self.taken = array_namespace(x).astype(x, self.like.dtype)
            return self.taken
        full = self.of(x)
        full[...] = x
        return full


def pieces(most: int, x: Array, out: Array, *waves: Array) -> Iterator[tuple[Array, ...]]:
    """Yield views of x and out, at most so many numbers or one row, with their part of waves.

    The first is the largest.
    """
    count, leading = size(x), x.shape[:-1]
    if count <= most or count == x.shape[-1]:
        yield x, out, *waves
        return
    axis = next(axis for axis, length in enumerate(leading) if length > 1)
    step = max(1, most * leading[axis] // count)
    from_the_end = x.ndim - axis
    for start in range(0, x.shape[axis], step):
        cut = (..., slice(start, start + step), *(slice(None),) * (from_the_end - 1))
        parts = (
            wave[cut] if wave.ndim >= from_the_end and wave.shape[-from_the_end] > 1 else wave
            for wave in waves
        )
        yield from pieces(most, x[cut], out[cut], *parts)
