"""Positions with several coordinates: their checks, their order, their cosines and sines.

Shapes: A = axes, L = tokens, P = pairs; positions are (A, L), or batched (A, B, L).
"""

from collections.abc import Callable, Sequence

from posenc.arrays import array_namespace, device, size, to_device
from posenc.encoding import Array, Layout
from posenc.ends import lowest_and_highest
from posenc.errors import ParameterError
from posenc.pairs import whole_positions
from posenc.positions import (
    for_all_heads,
    require_one_for_each_token,
    require_positions,
    require_same_batch,
)

COORDINATES = 2**17  # on one axis: three make one whole number that float64 holds exactly


def require_coordinates(name: str, positions: object, axes: Sequence[str]) -> Array:
    """Return positions (A, ..., L) unchanged. Raises ParameterError that names the axes."""
    array = require_positions(name, positions)
    if array.ndim < 2 or array.shape[0] != len(axes):
        *first, last = axes
        words = f"{', '.join(first)} and {last}" if first else last
        raise ParameterError(name, array, f"must be ({len(axes)}, ..., L): {words} of tokens")
    return array


def waves_for(
    x: Array, positions: Array, angles_of: Callable[[Array], Array], layout: Layout
) -> tuple[Array, Array]:
    """Return cosines and sines, (..., L, P), that turn x, in float32 or wider.

    `angles_of` makes radians (..., L, P) of positions (A, ..., L). Raises ParameterError for
    positions that do not fit the tokens of x (..., H, L, D), or (..., L, H, D) with layout="BLHD".
    """
    along_time = positions[0, ...]
    require_one_for_each_token("positions", along_time, "x", x, layout)
    require_same_batch("positions", for_all_heads(along_time), "x", x, layout=layout)
    angles, xp = angles_of(positions), array_namespace(x)
    if angles.ndim > 2:
        angles = angles[..., None, :, :]  # the same for all heads
    wide = xp.result_type(x.dtype, xp.float32)
    cos, sin = (
        to_device(xp.astype(wave, wide), device(x)) for wave in (xp.cos(angles), xp.sin(angles))
    )
    return cos, sin


def order_of(positions: Array) -> Array:
    """Return one number for each token, (A, ..., L) -> (..., L): by the first axis, then the next.

    Raises ParameterError for coordinates that are not whole or not below 2**17.
    """
    coordinates = whole_positions("positions", positions)
    if size(coordinates):
        for end in map(int, lowest_and_highest(coordinates) or ()):
            if not 0 <= end < COORDINATES:
                raise ParameterError("positions", end, f"must be from 0 to {COORDINATES - 1}")
    number = coordinates[0, ...]
    for axis in range(1, coordinates.shape[0]):
        number = number * COORDINATES + coordinates[axis, ...]
    return number
