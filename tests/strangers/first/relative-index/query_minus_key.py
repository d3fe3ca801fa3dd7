"""Query positions minus key positions, clipped and shifted.

Truth: wrong
Slips: the relative position is i - j instead of j - i
Names: sign
Silent: yes
Says: A fair person would say: you take query minus key, so later keys get the small rows. The relative position is j - i, key minus query.
"""

import numpy as np


def relative_index(Lq: int, Lk: int, k: int) -> np.ndarray:
    q_pos = np.arange(Lq)
    k_pos = np.arange(Lk)
    distance = q_pos[:, None] - k_pos[None, :]
    return np.clip(distance, -k, k) + k
