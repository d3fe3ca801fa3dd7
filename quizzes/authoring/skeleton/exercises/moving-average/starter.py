import numpy as np


def moving_average(x: np.ndarray, width: int) -> np.ndarray:
    """The mean of every `width` neighbours, shape (n - width + 1,)."""
    # This is what the editor shows first. It must run, and must not be right.
    return x / width
