import math

import numpy as np


def alibi_bias(n_heads, Lq, Lk):
    power = 2 ** math.floor(math.log2(n_heads))
    slopes = [2 ** (-8 * (h + 1) / power) for h in range(power)]
    slopes += [2 ** (-4 * (2 * h + 1) / power) for h in range(n_heads - power)]
    behind = np.arange(Lk) - np.arange(Lk - Lq, Lk)[:, None]
    return np.where(behind > 0, np.finfo(np.float32).min, np.array(slopes)[:, None, None] * behind)
