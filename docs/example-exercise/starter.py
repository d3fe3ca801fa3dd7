import numpy as np


def causal_mask(n: int, past: int = 0) -> np.ndarray:
    """True where the key (column) does not stand after the query (row)."""
    return np.ones((n, past + n), dtype=bool)
