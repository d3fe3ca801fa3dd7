"""Makes a table of buckets for all distances up to max_distance and indexes it.

Truth: right
Slips: none
Names: none
Says: A fair person would say: Correct. Distances from max_distance on are all in the last bucket, so the table may end there.
"""
import math

import numpy as np


def t5_bucket(
    relative_position: np.ndarray,
    bidirectional: bool = True,
    num_buckets: int = 32,
    max_distance: int = 128,
) -> np.ndarray:
    n = num_buckets // (2 if bidirectional else 1)
    e = n // 2
    table = np.arange(max_distance + 1)
    for r in range(e, max_distance + 1):
        far = math.log(r / e) / math.log(max_distance / e) * (n - e)
        table[r] = min(e + math.floor(far), n - 1)

    before = np.clip(-relative_position, 0, max_distance)
    if not bidirectional:
        return table[before]
    after = np.clip(relative_position, 0, max_distance)
    return np.choose(relative_position > 0, [table[before], table[after] + n])
