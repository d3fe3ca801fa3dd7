"""What positions may be: (..., L), integer or floating, finite, on any device."""

from typing import Any

import numpy as np
from array_api_compat import array_namespace, device, is_array_api_obj, to_device

from posenc.encoding import Array
from posenc.errors import ParameterError

FARTHEST = 2.0**53  # beyond it float64 no longer counts in ones
WITHOUT_FLOAT64 = frozenset({"mps"})  # Apple's GPU; the CPU does its angles


def require_positions(name: str, positions: object) -> Array:
    """Return the positions as they came. Raises ParameterError naming `name`."""
    if not is_array_api_obj(positions):
        raise ParameterError(name, positions, "must be a numpy array or torch tensor of positions")
    array: Array = positions
    xp = array_namespace(array)
    if not xp.isdtype(array.dtype, ("integral", "real floating")):
        raise ParameterError(name, array, "must hold integers or floating-point numbers")
    if array.ndim == 0:
        raise ParameterError(name, array, "must have at least one axis, (L,) or (..., L)")
    if 0 in array.shape:
        return array
    farthest = max(abs(float(xp.max(array))), abs(float(xp.min(array))))
    if not farthest <= FARTHEST:  # NaN compares false
        raise ParameterError(name, farthest, "must be finite and at most 2**53")
    return array


def relative_positions(q_positions: Array, k_positions: Array) -> Array:
    """Return key - query, signed, (Lq, Lk); batched positions (B, L) give (B, 1, Lq, Lk).

    Whole numbers become int64, since unsigned ones cannot say that a key comes first.
    Raises ParameterError.
    """
    queries = _wide(require_positions("q_positions", q_positions))
    keys = _wide(require_positions("k_positions", k_positions))
    relative = keys[..., None, :] - queries[..., :, None]
    return relative if relative.ndim == 2 else relative[..., None, :, :]


def _wide(positions: Array) -> Array:
    xp = array_namespace(positions)
    whole = xp.isdtype(positions.dtype, "integral")
    return xp.astype(positions, xp.int64) if whole else positions


def in_float64(positions: Array) -> Array:
    """Return the positions as float64, on their own device or, where it has none, on the CPU."""
    xp, home = array_namespace(positions), device(positions)
    if str(home).split(":")[0] in WITHOUT_FLOAT64:
        positions = to_device(positions, "cpu")
    return xp.astype(positions, xp.float64)


def beside(constants: np.ndarray[Any, np.dtype[np.float64]], array: Array) -> Array:
    """Return numpy constants in the library and on the device of `array`, bit for bit."""
    xp = array_namespace(array)
    return xp.asarray(constants.copy(), device=device(array))  # torch warns of read-only memory


def require_whole_number(name: str, value: object, *, low: int, high: int) -> int:
    """Return the value as an int. Raises ParameterError unless low <= value <= high."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise ParameterError(name, value, "must be a whole number")
    if not low <= value <= high:
        raise ParameterError(name, value, f"must be between {low} and {high}")
    return int(value)
