import numpy as np


def rotate(
    x: np.ndarray,
    positions: np.ndarray,
    base: float,
    share: float,
    kind: str,
) -> np.ndarray:
    """Turn a share of each vector of x, (L, D).

    positions is (L,), the position of each row.
    kind is "partial" or "proportional".
    """
    turned = np.zeros(x.shape)
    # Which numbers are a pair? Which pairs turn, and how fast?
    return turned
