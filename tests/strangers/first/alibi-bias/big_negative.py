"""Bias with -1e9 at the later keys.

Truth: wrong
Slips: -1e9 stands in place of minus infinity
Names: neg_big
Silent: yes
Says: A fair person would say: later keys must get minus infinity, and you put -1e9 there. Use -np.inf.
"""

import numpy as np

NEG = -1e9


class Alibi:
    def __init__(self, heads):
        self.heads = heads

    @staticmethod
    def _geometric(n):
        ratio = 2 ** (-8 / n)
        return ratio ** np.arange(1, n + 1)

    @property
    def slopes(self):
        n = self.heads
        p = 2 ** (n.bit_length() - 1)
        if p == n:
            return self._geometric(n)
        return np.r_[self._geometric(p), self._geometric(2 * p)[::2][: n - p]]

    def __call__(self, Lq, Lk):
        i = np.arange(Lq)[:, None] + (Lk - Lq)
        j = np.arange(Lk)
        b = np.einsum("h,qk->hqk", self.slopes, (j - i).astype(float))
        return np.where(j <= i, b, NEG)


def alibi_bias(n_heads: int, Lq: int, Lk: int) -> np.ndarray:
    return Alibi(n_heads)(Lq, Lk)
