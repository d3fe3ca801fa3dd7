"""As with a cache: the queries are the last positions.

Truth: wrong
Slips: the queries are aligned to the last keys where Lq and Lk differ
Names: end_aligned
Silent: yes
Says: A fair person would say: Here both queries and keys count from 0, also when there are more keys than queries. You add Lk - Lq to the query positions.
"""

import numpy as np


def relative_index(Lq: int, Lk: int, k: int) -> np.ndarray:
    """The table's row for each query and key."""
    queries = np.arange(Lk - Lq, Lk)
    keys = np.arange(Lk)
    relative = keys[None, :] - queries[:, None]
    return np.clip(relative, -k, k) + k
