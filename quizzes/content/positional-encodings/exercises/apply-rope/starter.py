import numpy as np


def apply_rope(x: np.ndarray, cos: np.ndarray, sin: np.ndarray) -> np.ndarray:
    a, b = x[..., 0::2], x[..., 1::2]
    turned = np.zeros_like(x)
    # Turn every pair (a, b), and put the two numbers back where they were.
    return turned
