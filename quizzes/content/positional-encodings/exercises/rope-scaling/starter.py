import numpy as np


def scaled_inv_freq(
    head_dim: int,
    base: float,
    factor: float,
    kind: str,
) -> np.ndarray:
    """One frequency for each pair, for longer texts.

    Shape (head_dim // 2,).
    """
    exponents = np.arange(0, head_dim, 2) / head_dim
    frequencies = base**-exponents
    # "linear" changes them, "ntk" changes the base.
    return frequencies
