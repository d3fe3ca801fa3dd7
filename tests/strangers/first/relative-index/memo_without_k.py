"""Index matrices are remembered by their shape.

Truth: wrong
Slips: the result is kept by Lq and Lk, not by k, so another clip distance gets the rows of the first
Names: kept-between-calls
Silent: yes
Says: A fair person would say: your dictionary has (Lq, Lk) as its key, so a call with the same sizes and another k gets the old rows. Put k into the key.
"""

import numpy as np


class RelativeIndex:
    _known = {}

    @classmethod
    def get(cls, Lq, Lk, k):
        try:
            return cls._known[Lq, Lk]
        except KeyError:
            i, j = np.indices((Lq, Lk))
            cls._known[Lq, Lk] = np.minimum(np.maximum(j - i, -k), k) + k
            return cls._known[Lq, Lk]


def relative_index(Lq: int, Lk: int, k: int) -> np.ndarray:
    return RelativeIndex.get(Lq, Lk, k)
