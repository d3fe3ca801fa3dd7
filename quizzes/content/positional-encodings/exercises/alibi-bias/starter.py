import numpy as np


def alibi_bias(
    n_heads: int,
    Lq: int,
    Lk: int,
) -> np.ndarray:
    """What is added to causal scores.

    Shape (n_heads, Lq, Lk): minus slope times distance.
    """
    bias = np.zeros((n_heads, Lq, Lk))
    # At which position is each query? Which keys may it see?
    return bias
