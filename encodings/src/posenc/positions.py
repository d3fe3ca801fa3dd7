"""Checks of positions, which are (..., L), integer or floating, finite, on any device."""

from typing import Any

import numpy as np

from posenc.arrays import (
    array_namespace,
    device,
    is_real_floating,
    library,
    move_axis,
    require_array,
    to_device,
)
from posenc.encoding import Array, Layout
from posenc.ends import FARTHEST, counts_from_zero, lowest_and_highest
from posenc.errors import ParameterError

WITHOUT_FLOAT64 = frozenset({"mps"})  # Apple's GPU has no float64: the CPU computes its angles


def require_positions(name: str, positions: object) -> Array:
    """Return the positions unchanged. Raises ParameterError naming `name`.

    Where torch only traces, the values cannot be read and are not checked.
    """
    array: Array = positions
    if counts_from_zero(array):
        return array
    require_array(name, array, "must be a numpy array or torch tensor of positions")
    xp = array_namespace(array)
    if not xp.isdtype(array.dtype, ("integral", "real floating")):
        raise ParameterError(name, array, "must hold integers or floating-point numbers")
    if array.ndim == 0:
        raise ParameterError(name, array, "must have at least one axis, (L,) or (..., L)")
    ends = None if 0 in array.shape else lowest_and_highest(array)
    if ends is None:
        return array
    farthest = max(abs(end) for end in ends)
    if not farthest <= FARTHEST:  # NaN compares false
        raise ParameterError(name, farthest, "must be finite and at most 2**53")
    return array


def require_one_for_each_row(name: str, positions: object, rows_name: str, rows: Array) -> None:
    """Raise ParameterError unless positions (..., L) fit rows (..., L, D), of the same library."""
    _require_one_for_each(name, positions, rows_name, rows, rows.shape, None)


def require_one_for_each_token(
    name: str, positions: object, heads_name: str, heads: Array, layout: Layout
) -> None:
    """Raise ParameterError unless positions (..., L) fit heads of the layout and same library."""
    shape = heads_first(heads_name, heads, layout)
    _require_one_for_each(name, positions, heads_name, heads, shape, layout)


def _require_one_for_each(
    name: str,
    positions: object,
    rows_name: str,
    rows: Array,
    shape: tuple[int, ...],
    layout: Layout | None,
) -> None:
    """Raise ParameterError unless positions fit rows of a shape (..., L, D), None for no layout."""
    array = require_positions(name, positions)
    if array_namespace(array) is not array_namespace(rows):
        raise ParameterError(name, array, f"must be from the same library as {rows_name}")
    count = shape[-2] if len(shape) > 1 else 0
    if array.shape[-1] != count or array.ndim >= len(shape):
        expected = f"must be ({count},) or batched, one for each row of {rows_name}"
        if layout is not None:
            expected += fits_other_layout(array.shape[-1], rows_name, shape, layout)
        raise ParameterError(name, array, expected)


def require_same_batch(
    name: str,
    positions: Array,
    rows_name: str,
    rows: Array,
    *,
    layout: Layout = "BHLD",
) -> None:
    """Raise ParameterError unless leading axes of positions (..., L) fit those of (..., L, D).

    Rows (..., L, H, D) are compared as (..., H, L, D): positions are the same in both layouts.
    """
    shape = heads_first(rows_name, rows, layout)
    pairs = zip(reversed(positions.shape[:-1]), reversed(shape[:-2]), strict=False)
    if not all(mine in {1, its} for mine, its in pairs):
        expected = f"must be batched as {rows_name} is, {tuple(shape[:-1])}"
        raise ParameterError(name, positions, expected)


def heads_first(name: str, heads: Array, layout: Layout) -> tuple[int, ...]:
    """Return the shape of queries or keys as (..., H, L, D), whatever their layout.

    Raises ParameterError for an unknown layout, and in "BLHD" for fewer than three axes.
    """
    shape: tuple[int, ...] = heads.shape
    if layout == "BHLD":
        return shape
    if layout != "BLHD":
        raise ParameterError("layout", layout, "must be BHLD or BLHD")
    if len(shape) < 3:
        raise ParameterError(name, heads, 'must be (..., L, H, D) with layout="BLHD"')
    *batch, rows, of_heads, columns = shape
    return (*batch, of_heads, rows, columns)


def fits_other_layout(count: int, name: str, shape: tuple[int, ...], layout: Layout) -> str:
    """Return the hint that heads, (..., H, L, D) by their layout, have `count` rows in the other.

    Shapes alone do not tell tokens from heads: only positions that do not fit give it away.
    """
    if len(shape) < 3 or count != shape[-3]:
        return ""
    order, other = ("L, H", "BLHD") if layout == "BHLD" else ("H, L", "BHLD")
    return f'; if {name} is (..., {order}, D), give layout="{other}"'


def beside_heads(of_tokens: Array, layout: Layout) -> Array:
    """Return numbers of tokens, (L, N) or (..., H or 1, L, N), as they meet heads in a layout.

    Only this array changes its axes: queries and keys stay as they lie in memory, and what is
    computed from them lies as they do.
    """
    if layout == "BHLD" or of_tokens.ndim < 2:
        return of_tokens
    return of_tokens[:, None, :] if of_tokens.ndim == 2 else move_axis(of_tokens, -3, -2)


def require_floating(name: str, array: object) -> Array:
    """Return an array of real floating-point numbers unchanged. Raises ParameterError."""
    floating: Array = require_array(name, array, "must be a numpy array or torch tensor")
    if not is_real_floating(floating):
        raise ParameterError(name, floating, "must hold floating-point numbers")
    return floating


def require_library(xp: Any) -> Any:
    """Return the module, numpy or torch, with the functions of the array API standard.

    Raises ParameterError for anything else.
    """
    try:
        return library(xp)
    except (AttributeError, TypeError):
        raise ParameterError("xp", xp, "must be numpy or torch, the module itself") from None


def require_float_type(xp: Any, dtype: object) -> Any:
    """Return the dtype, float64 for None. Raises ParameterError unless it is real floating."""
    if dtype is None:
        return xp.float64
    try:
        floating = xp.isdtype(dtype, "real floating")
    except (TypeError, AttributeError, ValueError):
        floating = False
    if not floating:
        library = xp.__name__.rpartition(".")[2]  # array_api_compat.torch
        raise ParameterError("dtype", dtype, f"must be a floating-point type of {library}")
    return dtype


def require_device(xp: Any, device: object) -> Any:
    """Return a device that the library has, None for None. Raises ParameterError."""
    if device is None:
        return None
    try:
        return xp.empty((0,), device=device).device
    except (
        RuntimeError,
        ValueError,
        TypeError,
        AssertionError,
    ):  # torch without CUDA raises the last
        library = xp.__name__.rpartition(".")[2]  # array_api_compat.torch
        expected = f"must be a device that {library} has here"
        raise ParameterError("device", device, expected) from None


def relative_positions(q_positions: Array, k_positions: Array) -> Array:
    """Return key - query, signed, (Lq, Lk); batched positions (B, L) give (B, 1, Lq, Lk).

    Whole numbers become int64, since an unsigned number cannot say that a key comes first.
    Raises ParameterError, also for positions of two libraries.
    """
    queries = _wide(require_positions("q_positions", q_positions))
    keys = _wide(require_positions("k_positions", k_positions))
    require_one_library(queries, keys)
    relative = keys[..., None, :] - queries[..., :, None]
    return relative if relative.ndim == 2 else relative[..., None, :, :]


def require_one_library(q_positions: Array, k_positions: Array) -> None:
    """Raise ParameterError unless positions of queries and keys are of the same library."""
    if array_namespace(k_positions) is not array_namespace(q_positions):
        expected = "must be from the same library as q_positions"
        raise ParameterError("k_positions", k_positions, expected)


def _wide(positions: Array) -> Array:
    xp = array_namespace(positions)
    if xp.isdtype(positions.dtype, "integral"):
        return xp.astype(positions, xp.int64)
    # torch does not subtract floating-point numbers of 8 bits
    return xp.astype(positions, xp.float32) if positions.dtype.itemsize == 1 else positions


def length_of_text(positions: Array) -> int:
    """Return the length of the text so far, one more than the highest of positions, at least 0."""
    if 0 in positions.shape:
        return 0
    if counts_from_zero(positions):
        return int(positions.shape[-1])
    ends = lowest_and_highest(positions)
    highest = array_namespace(positions).max(positions) if ends is None else ends[1]
    return max(int(highest) + 1, 0)


def for_all_heads(positions: Array) -> Array:
    """Return positions (L,) as they are, and batched ones (B, L) as (B, 1, L)."""
    return positions if positions.ndim == 1 else positions[..., None, :]


def in_float64(positions: Array) -> Array:
    """Return the positions as float64, on their own device or, where it has none, on the CPU."""
    xp, home = array_namespace(positions), device(positions)
    if str(home).split(":")[0] in WITHOUT_FLOAT64:
        positions = to_device(positions, "cpu")
    return xp.astype(positions, xp.float64)


def require_whole_number(name: str, value: object, *, low: int, high: int) -> int:
    """Return the value as an int. Raises ParameterError unless low <= value <= high."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise ParameterError(name, value, "must be a whole number")
    if not low <= value <= high:
        raise ParameterError(name, value, f"must be between {low} and {high}")
    return int(value)
