"""Does: You return the sum of the neighbours.
Should: The sum should be divided by width.
Step: basics/the-mean
Kind: mistake
Breaks: 2. Number i of the result is the mean of x[i] to x[i + width - 1].
"""

import numpy as np


def moving_average(x: np.ndarray, width: int) -> np.ndarray:
    return np.convolve(x, np.ones(width), mode="valid")
