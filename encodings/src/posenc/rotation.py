"""Rotation of pairs of dimensions, for every encoding that rotates queries and keys.

Source: Su et al. 2021, RoFormer, arXiv:2104.09864, section 3.4.2. A pair is a complex number, and
turning it is one complex multiplication.
Shapes: L = tokens, D = columns, P = pairs, 2P <= D columns turn; leading axes broadcast.
"""

from typing import Any, Literal, get_args

from posenc import fused
from posenc.arrays import (
    array_namespace,
    every_step_counts,
    has_memory,
    is_torch_array,
    may_overlap,
    move_axis,
)
from posenc.encoding import Array, Layout
from posenc.errors import ParameterError
from posenc.positions import beside_heads, fits_other_layout, heads_first, require_floating
from posenc.rotation_in_pieces import adjacent, half_split
from posenc.weights import wide

Pairing = Literal["adjacent", "half-split"]
PAIRINGS = frozenset(get_args(Pairing))


def turn_pairs(
    x: Array,
    cos: Array,
    sin: Array,
    *,
    pairing: Pairing,
    out: Array | None = None,
    layout: Layout = "BHLD",
) -> Array:
    """Return x (..., L, D), its first 2P columns turned by angles given as cos, sin (..., L, P).

    With layout="BLHD" x and the result are (..., L, H, D); cos and sin are the same, (L, P) or
    (..., H or 1, L, P).
    Computed in float32 or wider and rounded once, to the dtype of x. `out`, of the shape and dtype
    of x, is written to and returned; it may be x or overlap anything. Large arrays are turned piece
    by piece. Where gradients are wanted, on devices other than the CPU and in torch.compile the
    rotation is one expression.
    Raises ParameterError for cos, sin or `out` that do not fit, and for an unknown pairing or
    layout.
    """
    if pairing not in PAIRINGS:
        raise ParameterError("pairing", pairing, "must be adjacent or half-split")
    if layout != "BHLD":
        return _turn_tokens_before_heads(x, cos, sin, pairing, out, layout)
    done = fused.turned(x, cos, sin, pairing, out)
    if done is not None:
        return done
    xp = array_namespace(require_floating("x", x))
    cos, sin = _require_both(cos, sin, x)
    columns, may_write = 2 * cos.shape[-1], _may_write(x, cos, sin)
    if out is not None:
        _require_fitting(out, x, may_write)
    if not may_write:
        full = xp.astype(x[..., :columns], cos.dtype, copy=False)
        return _rounded(_as_written(full, cos, sin, pairing), x)
    apart = out is None or not may_overlap(x, out)
    if out is not None and (
        may_overlap(cos, out) or may_overlap(sin, out) or not (apart or _is_in_place(x, out))
    ):
        out[...] = turn_pairs(
            x, cos, sin, pairing=pairing
        )  # columns that are still to be read stay whole
        return out
    out = target = xp.empty_like(x) if out is None else out
    if columns < x.shape[-1]:
        if out is not x:
            out[..., columns:] = x[..., columns:]
        x, target = x[..., :columns], out[..., :columns]
    if columns == 0:
        return out
    if pairing == "adjacent":
        adjacent(x, target, cos, sin)
    else:
        half_split(x, target, cos, sin, apart=apart)
    return out


def _turn_tokens_before_heads(
    x: Array, cos: Array, sin: Array, pairing: Pairing, out: Array | None, layout: Layout
) -> Array:
    """Return x (..., L, H, D) turned by cos and sin (..., L, P), laid out in memory as x is.

    A kernel and the one expression compute each number alone, so that the waves are given the axes
    of x. Multiplying whole arrays of complex numbers is another matter: numpy and torch compute
    some in a vector and the rest one by one, and the last digits of both may differ. There x is
    turned as a view (..., H, L, D), which gives the same bits as heads that come first.
    """
    cos, sin = _require_both(cos, sin, require_floating("x", x), layout)
    its_cos, its_sin = beside_heads(cos, layout), beside_heads(sin, layout)
    done = fused.turned(x, its_cos, its_sin, pairing, out)
    if done is not None:
        return done
    may_write = _may_write(x, cos, sin)
    if out is not None:
        _require_fitting(out, x, may_write)
    if not may_write:
        return turn_pairs(x, its_cos, its_sin, pairing=pairing)
    view = None if out is None else move_axis(out, -2, -3)
    turned = turn_pairs(move_axis(x, -2, -3), cos, sin, pairing=pairing, out=view)
    return move_axis(turned, -2, -3) if out is None else out


def _rounded(turned: Array, x: Array) -> Array:
    """Return the turned columns in the dtype of x, and behind them the columns that stay."""
    xp, columns = array_namespace(x), turned.shape[-1]
    turned = xp.astype(turned, x.dtype, copy=False)
    return turned if columns == x.shape[-1] else xp.concat([turned, x[..., columns:]], axis=-1)


def _as_written(x: Array, cos: Array, sin: Array, pairing: Pairing) -> Array:
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


def _may_write(x: Array, cos: Array, sin: Array) -> bool:
    """Return whether a result may be written piece by piece: only its numbers are wanted."""
    if not is_torch_array(x):
        return True
    import torch  # already loaded: these are its tensors

    if every_step_counts() or not (x.is_cpu and cos.is_cpu and sin.is_cpu):
        return False
    if torch.is_grad_enabled() and (x.requires_grad or cos.requires_grad or sin.requires_grad):
        return False
    return has_memory(x) and has_memory(cos) and has_memory(sin)


def _is_in_place(x: Array, out: Array) -> bool:
    """Return whether each number of out lies where that of x does."""
    if is_torch_array(x):
        return bool(x.data_ptr() == out.data_ptr() and x.stride() == out.stride())
    return bool(x.ctypes.data == out.ctypes.data and x.strides == out.strides)


def _require_both(
    cos: object, sin: object, x: Array, layout: Layout = "BHLD"
) -> tuple[Array, Array]:
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
        raise ParameterError(name, array, "must be of the same library as x")
    mine, its = array.shape, x.shape if layout == "BHLD" else heads_first("x", x, layout)
    fits = 0 < len(mine) <= len(its) and 2 * mine[-1] <= its[-1]
    behind = zip(mine[-2::-1], its[-2::-1], strict=False)
    if not fits or not all(one in (1, other) for one, other in behind):
        expected = f"must be (..., L, P) for pairs of columns of x {tuple(x.shape)}"
        if len(mine) > 1:
            expected += fits_other_layout(mine[-2], "x", its, layout)
        raise ParameterError(name, array, expected)
    return array


def _require_fitting(out: object, x: Array, may_write: bool) -> None:
    if not _alike(out, x):
        array = require_floating("out", out)
        if array_namespace(array) is not array_namespace(x):
            raise ParameterError("out", array, "must be of the same library as x")
        if array.shape != x.shape or array.dtype != x.dtype:
            raise ParameterError("out", array, f"must be {tuple(x.shape)} of {x.dtype}, as x is")
    if not may_write:
        raise ParameterError("out", out, "must be left out where gradients are wanted")


def _alike(given: Any, array: Array) -> bool:
    """Return whether an argument is like a checked array: cheaper than checking it."""
    return type(given) is type(array) and given.shape == array.shape and given.dtype == array.dtype
