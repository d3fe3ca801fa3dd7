"""Turning pairs piece by piece: what lies between two steps is memory that stays in the cache.

Source: as rotation.py, which checks what it is given and calls this.
Shapes: L = tokens, P = pairs, 2P columns.
"""

from collections.abc import Iterator
from typing import Any

from posenc.arrays import is_torch_array, size
from posenc.encoding import Array


class Room:
    """Memory of the dtype in which turning is computed, taken once for all pieces."""

    def __init__(self, xp: Any, *, like: Array) -> None:
        self.xp, self.like = xp, like
        self.complex = xp.complex64 if like.dtype == xp.float32 else xp.complex128
        self.taken: dict[str, Array] = {}

    def of(self, name: str, x: Array) -> Array:
        """Return memory of the shape of x, the same for each piece; the first is the largest."""
        if name not in self.taken:
            self.taken[name] = self.xp.empty(x.shape, dtype=self.like.dtype, device="cpu")
        room = self.taken[name]
        return room if room.shape == x.shape else room.reshape(-1)[: size(x)].reshape(x.shape)

    def full(self, x: Array) -> Array:
        """Return x if it has the dtype already, else a copy that has."""
        return x if x.dtype == self.like.dtype else self.copy(x)

    def copy(self, x: Array) -> Array:
        """Return a copy of x in this memory."""
        full = self.of("full", x)
        full[...] = x
        return full

    def as_complex(self, x: Array) -> Array | None:
        """Return the very memory of x (..., 2P) as complex numbers (..., P), if it can be that."""
        if x.dtype != self.like.dtype:
            return None
        try:
            return x.view(self.complex)
        except (RuntimeError, ValueError):  # of torch, of numpy: numbers of a pair lie apart
            return None


def adjacent(room: Room, x: Array, out: Array, factors: Array) -> None:
    """Write columns 2i and 2i + 1 of x, as one complex number, times e^(i angle) to out."""
    multiply = room.xp.multiply
    source, target = room.as_complex(x), room.as_complex(out)
    if source is not None and target is not None:
        multiply(source, factors, out=target)
        return
    full = room.copy(x)
    turned = room.as_complex(full)
    multiply(turned, factors, out=turned)
    out[...] = full


def half_split(
    room: Room, x: Array, out: Array, cos_twice: Array, sin: Array, *, apart: bool
) -> None:
    """Write columns i and i + P of x, both times cos, then each with sin of the other, to out."""
    pairs, full = sin.shape[-1], room.full(x)
    at_once = apart and out.dtype == full.dtype  # an out that is x would be read half turned
    turned = out if at_once else room.of("turned", x)
    room.xp.multiply(full, cos_twice, out=turned)
    first, second = turned[..., :pairs], turned[..., pairs:]
    if is_torch_array(x):
        first.addcmul_(full[..., pairs:], sin, value=-1)
        second.addcmul_(full[..., :pairs], sin)
    else:
        first -= full[..., pairs:] * sin
        second += full[..., :pairs] * sin
    if not at_once:
        out[...] = turned


def pieces(piece: int, x: Array, out: Array, *waves: Array) -> Iterator[tuple[Array, ...]]:
    """Yield views of x and out of at most `piece` numbers, with the part of the waves they meet."""
    count, leading = size(x), x.shape[:-1]
    if count <= piece or size(x[..., 0]) == 1:
        yield x, out, *waves
        return
    axis = next(axis for axis, length in enumerate(leading) if length > 1)
    step = max(1, piece * leading[axis] // count)
    from_the_end = x.ndim - axis
    for start in range(0, x.shape[axis], step):
        cut = (..., slice(start, start + step), *(slice(None),) * (from_the_end - 1))
        parts = (
            wave[cut] if wave.ndim >= from_the_end and wave.shape[-from_the_end] > 1 else wave
            for wave in waves
        )
        yield from pieces(piece, x[cut], out[cut], *parts)
