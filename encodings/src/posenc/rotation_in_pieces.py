"""Turning pairs piece by piece: what lies between two steps is memory that stays in the cache.

Source: as rotation.py, which checks what it is given and calls this.
Shapes: L = tokens, P = pairs, 2P columns.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from array_api_compat import array_namespace, device, is_torch_array, size

from posenc.encoding import Array

COMPLEX = {np.dtype(np.float32): np.complex64, np.dtype(np.float64): np.complex128}


class Room:
    """Memory of the dtype in which turning is computed, taken once for all pieces."""

    def __init__(self, numbers: int, *, like: Array) -> None:
        self.numbers, self.like = numbers, like
        self.taken: dict[str, Array] = {}
        self.shaped: dict[tuple[str, tuple[int, ...]], Array] = {}

    def of(self, name: str, x: Array) -> Array:
        """Return memory of the shape of x, the same for each piece."""
        key = (name, tuple(x.shape))
        if key not in self.shaped:
            xp, like = array_namespace(self.like), self.like
            if name not in self.taken:
                self.taken[name] = xp.empty(self.numbers, dtype=like.dtype, device=device(like))
            self.shaped[key] = xp.reshape(self.taken[name][: size(x)], x.shape)
        return self.shaped[key]

    def full(self, x: Array) -> Array:
        """Return x if it has the dtype already, else a copy that has."""
        return x if x.dtype == self.like.dtype else self.copy(x)

    def copy(self, x: Array) -> Array:
        """Return a copy of x in this memory."""
        full = self.of("full", x)
        full[...] = x
        return full


def adjacent(room: Room, x: Array, out: Array, factors: Array) -> None:
    """Write columns 2i and 2i + 1 of x, as one complex number, times e^(i angle) to out."""
    xp, full = array_namespace(x), room.full(x)
    source = _as_complex(full)
    if source is None:
        full = room.copy(x)
        source = _as_complex(full)
    target = _as_complex(out) if out.dtype == full.dtype else None
    if target is not None:
        xp.multiply(source, factors, out=target)
        return
    turned = room.of("full", x) if full is x else full
    xp.multiply(source, factors, out=_as_complex(turned))
    out[...] = turned


def half_split(
    room: Room, x: Array, out: Array, cos_twice: Array, sin: Array, *, apart: bool
) -> None:
    """Write columns i and i + P of x, both times cos, then each with sin of the other, to out."""
    xp, pairs, full = array_namespace(x), sin.shape[-1], room.full(x)
    at_once = apart and out.dtype == full.dtype  # an out that is x would be read half turned
    turned = out if at_once else room.of("turned", x)
    xp.multiply(full, cos_twice, out=turned)
    first, second = turned[..., :pairs], turned[..., pairs:]
    if is_torch_array(x):
        first.addcmul_(full[..., pairs:], sin, value=-1)
        second.addcmul_(full[..., :pairs], sin)
    else:
        first -= full[..., pairs:] * sin
        second += full[..., :pairs] * sin
    if not at_once:
        out[...] = turned


def _as_complex(x: Any) -> Any:
    """Return the very memory of x (..., 2P) as complex numbers (..., P), or None if it is not."""
    if not is_torch_array(x):
        fits = x.strides[-1] == x.itemsize and x.dtype in COMPLEX
        return x.view(COMPLEX[x.dtype]) if fits else None
    xp, strides, begin = array_namespace(x), x.stride(), x.storage_offset()
    known = x.dtype in {xp.float32, xp.float64}
    if not known or strides[-1] != 1 or begin % 2 or any(stride % 2 for stride in strides[:-1]):
        return None
    return xp.view_as_complex(xp.unflatten(x, -1, (x.shape[-1] // 2, 2)))


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
