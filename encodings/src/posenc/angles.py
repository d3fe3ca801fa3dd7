"""Angles in float64, for every encoding that turns pairs.

Shapes: L = positions, P = pairs.
"""

import numpy as np
import numpy.typing as npt

from posenc.arrays import array_namespace, device
from posenc.encoding import Array
from posenc.positions import in_float64, require_positions

Frequencies = npt.NDArray[np.float64]


def angles_of(positions: Array, inv_freq: Frequencies) -> Array:
    """Return positions * inv_freq in radians, float64, (..., L) -> (..., L, P).

    numpy and torch give the same bits. A device without float64 (Apple's MPS) leaves the angles on
    the CPU. Raises ParameterError unless positions are finite, (..., L).
    """
    exact = in_float64(require_positions("positions", positions))
    return exact[..., None] * beside(inv_freq, exact)


def beside(constants: Frequencies, array: Array) -> Array:
    """Return numpy constants in the library and on the device of `array`, bit for bit."""
    xp = array_namespace(array)
    return xp.asarray(constants.copy(), device=device(array))  # torch warns of read-only memory
