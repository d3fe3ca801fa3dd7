"""Follows the code of T5 with the direction first and the logarithm after.

Truth: wrong
Slips: relative position 0 is counted as after the query; distances beyond max_distance are not kept in the last bucket
Names: zero_upper, no_cap
Silent: yes
Says: A fair person would say: Only keys after the query get n added; at relative position 0 you add it too, and distance 0 belongs in bucket 0. And far distances need a limit at n - 1, yours run into the next direction's buckets.
"""

import numpy as np


def t5_bucket(
    relative_position: np.ndarray,
    bidirectional: bool = True,
    num_buckets: int = 32,
    max_distance: int = 128,
) -> np.ndarray:
    offset = 0
    if bidirectional:
        num_buckets //= 2
        offset = np.where(relative_position >= 0, num_buckets, 0)
        n = np.abs(relative_position)
    else:
        n = np.maximum(-relative_position, 0)

    max_exact = num_buckets // 2
    safe = np.maximum(n, 1)
    ratio = np.log(safe / max_exact) / np.log(max_distance / max_exact)
    large = max_exact + np.floor(ratio * (num_buckets - max_exact) + 1e-8).astype(int)
    return np.where(n < max_exact, n, large) + offset
