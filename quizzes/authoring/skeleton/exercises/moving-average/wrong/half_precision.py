"""Does: You return float16 numbers, which have three digits.
Should: The result should be float32 or float64.
Step: basics/the-mean
Kind: mistake
Breaks: 3. The result is an array of dtype float32 or float64.
"""

import numpy as np


def moving_average(x: np.ndarray, width: int) -> np.ndarray:
    return np.convolve(x, np.ones(width) / width, mode="valid").astype(np.float16)
