"""Queries, keys and values of attention: checks of their shapes, heads split and shared by groups.

Shapes: B = batch (any leading axes, or none), H = heads, Lq queries, Lk keys, D = head_dim.
"""

from posenc.arrays import array_namespace, device, move_axis, require_array
from posenc.encoding import Array
from posenc.errors import ParameterError
from posenc.positions import (
    require_floating,
    require_one_for_each_row,
    require_same_batch,
    require_whole_number,
)

MOST_HEADS = 65_536


def require_heads_that_fit(q: Array, k: Array, v: Array) -> None:
    """Raise ParameterError unless k (..., Lk, D) and v (..., Lk, any) serve q (..., Lq, D)."""
    for name, array in (("q", q), ("k", k), ("v", v)):
        if require_floating(name, array).ndim < 2:
            raise ParameterError(name, array, "must be (..., L, D)")
        if array_namespace(array) is not array_namespace(q):
            raise ParameterError(name, array, "must be from the same library as q")
        if device(array) != device(q):
            raise ParameterError(name, array, f"must be on {device(q)}, as q is")
    if not q.shape[-1]:
        raise ParameterError("q", q, "must have at least one column")
    if q.shape[-1] != k.shape[-1]:
        raise ParameterError("k", k, f"must have {q.shape[-1]} columns, as q has")
    if k.shape[-2] != v.shape[-2]:
        raise ParameterError("v", v, f"must have {k.shape[-2]} rows, as k has")
    batch: dict[int, int] = {}
    for name, array in (("q", q), ("k", k), ("v", v)):
        for axis, texts in enumerate(reversed(array.shape[:-3])):
            if texts != 1 and batch.setdefault(axis, texts) != texts:
                raise ParameterError(name, array, f"must have a batch of {batch[axis]}, as q or k")


def require_positions_that_fit(name: str, positions: Array, heads: Array) -> None:
    """Raise ParameterError unless positions (L,) or (B, L) fit heads (..., H, L, D)."""
    require_one_for_each_row(name, positions, name[0], heads)
    if positions.ndim > 1 and heads.ndim > 3:  # the same for all heads
        require_same_batch(name, positions[..., None, :], name[0], heads)


def require_mask_and_sink(mask: object, sink: object, q: Array, k: Array) -> None:
    """Raise ParameterError unless a mask fits the pairs of q and k, and a sink the heads of q."""
    if mask is not None:
        expected = f"must be booleans that broadcast to (..., H, {q.shape[-2]}, {k.shape[-2]})"
        array, xp = require_array("mask", mask, expected), array_namespace(q)
        if array_namespace(array) is not xp or not xp.isdtype(array.dtype, "bool"):
            raise ParameterError("mask", array, expected)
        shape = (*q.shape[:-1], k.shape[-2])
        pairs = zip(reversed(array.shape), reversed(shape), strict=False)
        if array.ndim > len(shape) or any(its not in {1, their} for its, their in pairs):
            raise ParameterError("mask", array, expected)
        if device(array) != device(q):
            raise ParameterError("mask", array, f"must be on {device(q)}, as q is")
    if sink is not None:
        require_sink(sink, q)


def require_sink(sink: object, heads: Array) -> Array:
    """Return a score for each head of q or scores (..., H, L, any), (H,). Raises ParameterError."""
    array, count = require_floating("sink", sink), heads.shape[-3] if heads.ndim > 2 else 1
    if array_namespace(array) is not array_namespace(heads):
        raise ParameterError("sink", array, "must be from the same library as q")
    if tuple(array.shape) != (count,):
        raise ParameterError("sink", array, f"must be ({count},), one number for each head")
    if device(array) != device(heads):
        raise ParameterError("sink", array, f"must be on {device(heads)}, as q is")
    return array


def require_matrix(name: str, matrix: object, *, x: Array) -> Array:
    """Return a matrix with as many rows as x (..., L, d_model) has columns.

    Raises ParameterError.
    """
    array, width = require_floating(name, matrix), x.shape[-1]
    if array_namespace(array) is not array_namespace(x):
        raise ParameterError(name, array, "must be from the same library as x")
    if array.ndim != 2 or array.shape[0] != width:
        raise ParameterError(name, array, f"must be ({width}, columns), as x has {width} columns")
    return array


def split_heads(x: Array, n_heads: int) -> Array:
    """Return (..., L, H * D) as (..., H, L, D). Raises ParameterError unless heads divide H * D."""
    xp, columns = array_namespace(x), x.shape[-1]
    n_heads = require_whole_number("n_heads", n_heads, low=1, high=MOST_HEADS)
    if columns % n_heads:
        raise ParameterError("n_heads", n_heads, f"must divide the {columns} columns")
    parted = xp.reshape(x, (*x.shape[:-1], n_heads, columns // n_heads))
    return move_axis(parted, -2, -3)


def shared_by_groups(name: str, heads: Array, q: Array) -> Array:
    """Return keys or values with as many heads as q, each repeated for its group of queries."""
    if q.ndim < 3 or heads.ndim < 3 or heads.shape[-3] == q.shape[-3]:
        return heads
    wanted, there = q.shape[-3], heads.shape[-3]
    if not there or wanted % there or not wanted:
        raise ParameterError(
            name, heads, f"must have a number of heads that divides the {wanted} of q"
        )
    return array_namespace(heads).repeat(heads, wanted // there, axis=-3)


def in_one_type(array: Array, other: Array) -> tuple[Array, Array]:
    """Return both in the wider of their types: numpy would do so by itself, torch would refuse."""
    if array.dtype == other.dtype:
        return array, other
    xp = array_namespace(array)
    wide = xp.result_type(array.dtype, other.dtype)
    return xp.astype(array, wide, copy=False), xp.astype(other, wide, copy=False)
