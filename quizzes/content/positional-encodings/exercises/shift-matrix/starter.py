import numpy as np


def shift(
    k: int,
    d: int,
    base: float = 10000.0,
) -> np.ndarray:
    """The matrix M, shape (d, d).

    PE(p + k) = M @ PE(p) for every position p.
    """
    matrix = np.eye(d)
    # Which numbers are beside the diagonal?
    return matrix
