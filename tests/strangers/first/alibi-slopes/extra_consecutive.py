"""Bloom's way in NumPy, the left-over heads with powers 1, 2, 3.

Truth: wrong
Slips: the left-over heads take consecutive slopes of 2P heads instead of every second one
Names: extra_first
Silent: yes
Says: A fair person would say: your left-over heads take the first slopes of 2P heads one after the other. They take every second of them: the first, the third, the fifth.
"""

import numpy as np


def alibi_slopes(n_heads: int) -> np.ndarray:
    closest = 2 ** int(np.floor(np.log2(n_heads)))
    base = 2.0 ** (-8.0 / closest)
    powers = np.arange(1, 1 + closest)
    slopes = np.power(base, powers)
    if closest != n_heads:
        extra_base = 2.0 ** (-8.0 / (2 * closest))
        num_remaining = n_heads - closest
        extra_powers = np.arange(1, 1 + num_remaining)
        slopes = np.concatenate([slopes, np.power(extra_base, extra_powers)])
    return slopes
