import numpy as np


def causal_mask(n: int, past: int = 0) -> np.ndarray:
    """True where the key (column) does not stand after the query (row)."""
    queries = past + np.arange(n)[:, None]
    keys = np.arange(past + n)[None, :]
    return keys <= queries
