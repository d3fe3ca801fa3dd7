import numpy as np


def sinusoidal_at(positions: np.ndarray, d: int) -> np.ndarray:
    """The codes of the given positions, shape positions.shape + (d,)."""
    codes = np.zeros((*positions.shape, d))
    # Fill the even columns with sines and the odd columns with cosines.
    return codes
