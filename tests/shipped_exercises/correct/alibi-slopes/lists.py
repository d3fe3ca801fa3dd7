import math

import numpy as np


def alibi_slopes(n_heads):
    def slopes(n):
        first = 2 ** -(2 ** -(math.log2(n) - 3))
        return [first * first**i for i in range(n)]

    if math.log2(n_heads).is_integer():
        return np.array(slopes(n_heads))
    lower = 2 ** math.floor(math.log2(n_heads))
    return np.array(slopes(lower) + list(alibi_slopes(2 * lower))[0::2][: n_heads - lower])
