"""Does: You return as many numbers as x has, and take zeros for the neighbours beyond its ends.
Should: Only neighbours that stand whole in x should count, so that there are n - width + 1 of them.
Step: basics/code-it
Kind: mistake
Breaks: 1. The result has shape (n - width + 1,).
"""

import numpy as np


def moving_average(x: np.ndarray, width: int) -> np.ndarray:
    return np.convolve(x, np.ones(width) / width, mode="same")
