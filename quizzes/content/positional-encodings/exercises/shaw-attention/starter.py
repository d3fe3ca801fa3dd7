import numpy as np


def shaw_attention(
    q: np.ndarray,
    k: np.ndarray,
    v: np.ndarray,
    key_table: np.ndarray,
    value_table: np.ndarray,
) -> np.ndarray:
    """Attention with a vector for each relative position on keys and values, (B, H, Lq, D)."""
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    # This is the beginning of plain attention. Where do the two tables come in?
    return np.zeros_like(q)
