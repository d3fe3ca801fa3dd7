import numpy as np


def alibi_slopes(n_heads: int) -> np.ndarray:
    """One positive slope for each head, shape (n_heads,)."""
    slopes = np.ones(n_heads)
    # Powers of two first; then think about 6 heads.
    return slopes
