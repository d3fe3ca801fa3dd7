"""np.outer of positions and frequencies.

Truth: wrong
Slips: positions with more than one axis are flattened
Names: flattened
Silent: no
Says: A fair person would say: For a plain list of positions this is right, but np.outer flattens its arguments: an array of shape (2, 3) gives (6, d) instead of (2, 3, d). Use positions[..., None] * omega.
"""

import numpy as np


def sinusoidal_at(positions: np.ndarray, d: int) -> np.ndarray:
    omega = 1.0 / np.power(10000.0, np.arange(0, d, 2) / d)
    angles = np.outer(positions.astype(np.float64), omega)
    pairs = np.stack([np.sin(angles), np.cos(angles)], axis=-1)
    return pairs.reshape(angles.shape[0], d)
