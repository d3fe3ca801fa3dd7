"""The right solution. Learners do not see it."""

import numpy as np


def moving_average(x: np.ndarray, width: int) -> np.ndarray:
    """The mean of every `width` neighbours, shape (n - width + 1,)."""
    return np.convolve(x, np.ones(width) / width, mode="valid")
