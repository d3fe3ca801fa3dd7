import numpy as np


def alibi_slopes(n_heads):
    lower = 1
    while 2 * lower <= n_heads:
        lower *= 2
    slopes = 2.0 ** (-8.0 * np.arange(1, lower + 1) / lower)
    if lower == n_heads:
        return slopes
    finer = alibi_slopes(2 * lower)[::2]
    return np.append(finer[: n_heads - lower], slopes)
