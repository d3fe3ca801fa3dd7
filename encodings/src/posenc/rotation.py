"""Rotation of pairs of dimensions, for every encoding that rotates queries and keys.

Source: Su et al. 2021, RoFormer, arXiv:2104.09864, section 3.4.2. A pair is a complex number, and
turning it is one complex multiplication.
Shapes: L = tokens, D = columns, P = pairs, 2P <= D columns turn; leading axes broadcast.
"""

from typing import Any, Literal, get_args

from posenc.arrays import array_namespace
from posenc.encoding import Array, Layout
from posenc.errors import ParameterError
from posenc.positions import beside_heads, fits_other_layout, heads_first, require_floating
from posenc.weights import wide

Pairing = Literal["adjacent", "half-split"]
PAIRINGS = frozenset(get_args(Pairing))


def turn_pairs(
    x: Array, cos: Array, sin: Array, *, pairing: Pairing, layout: Layout = "BHLD"
) -> Array:
    """Return x (..., L, D), its first 2P columns turned by angles given as cos, sin (..., L, P).

    With layout="BLHD" x and the result are (..., L, H, D); cos and sin are the same, (L, P) or
    (..., H or 1, L, P).
    Computed in float32 or wider and rounded once, to the dtype of x.
    Raises ParameterError for cos and sin that do not fit, and for an unknown pairing or layout.
    """
    if pairing not in PAIRINGS:
        raise ParameterError("pairing", pairing, "must be adjacent or half-split")
    xp = array_namespace(require_floating("x", x))
    cos, sin = _require_both(cos, sin, x, layout)
    if layout != "BHLD":
        cos, sin = beside_heads(cos, layout), beside_heads(sin, layout)
    columns = 2 * cos.shape[-1]
    full = xp.astype(x[..., :columns], cos.dtype, copy=False)
    turned = xp.astype(_turn(full, cos, sin, pairing), x.dtype, copy=False)
    return turned if columns == x.shape[-1] else xp.concat([turned, x[..., columns:]], axis=-1)


def _turn(x: Array, cos: Array, sin: Array, pairing: Pairing) -> Array:
    """Return x (..., 2P) turned, as in the paper: autograd and compilers follow every step."""
    xp, pairs = array_namespace(x), cos.shape[-1]
    if pairing == "adjacent":
        first, second = x[..., 0::2], x[..., 1::2]
    else:
        first, second = x[..., :pairs], x[..., pairs:]
    turned = [first * cos - second * sin, first * sin + second * cos]
    if pairing == "half-split":
        return xp.concat(turned, axis=-1)
    side_by_side = xp.stack(turned, axis=-1)
    return xp.reshape(side_by_side, (*side_by_side.shape[:-2], 2 * pairs))


def _require_both(cos: object, sin: object, x: Array, layout: Layout) -> tuple[Array, Array]:
    """Return cosines and sines (..., L, P), float32 or wider. Raises ParameterError."""
    checked = _require_waves("cos", cos, x, layout)
    if _alike(sin, checked):
        return checked, sin
    other = _require_waves("sin", sin, x, layout)
    if checked.shape != other.shape or checked.dtype != other.dtype:
        expected = f"must be {tuple(checked.shape)} of {checked.dtype}, as cos is"
        raise ParameterError("sin", other, expected)
    return checked, other


def _require_waves(name: str, waves: object, x: Array, layout: Layout) -> Array:
    """Return cosines or sines (..., L, P), float32 or wider. Raises ParameterError."""
    array = wide(require_floating(name, waves))
    if array_namespace(array) is not array_namespace(x):
        raise ParameterError(name, array, "must be from the same library as x")
    mine, its = array.shape, x.shape if layout == "BHLD" else heads_first("x", x, layout)
    fits = 0 < len(mine) <= len(its) and 2 * mine[-1] <= its[-1]
    behind = zip(mine[-2::-1], its[-2::-1], strict=False)
    if not fits or not all(one in (1, other) for one, other in behind):
        expected = f"must be (..., L, P) for pairs of columns of x {tuple(x.shape)}"
        if len(mine) > 1:
            expected += fits_other_layout(mine[-2], "x", its, layout)
        raise ParameterError(name, array, expected)
    return array


def _alike(value: Any, array: Array) -> bool:
    """Return whether an argument is like a checked array: cheaper than checking it."""
    return type(value) is type(array) and value.shape == array.shape and value.dtype == array.dtype
