import numpy as np


def shaw_attention(
    q: np.ndarray,
    k: np.ndarray,
    v: np.ndarray,
    key_table: np.ndarray,
    value_table: np.ndarray,
) -> np.ndarray:
    """Attention with vectors for relative positions.

    Shape (B, H, Lq, D).
    """
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    # Plain attention begins like this. Where do the tables come in?
    return np.zeros_like(q)
