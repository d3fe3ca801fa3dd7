"""An even table is made first and cut for odd d.

Truth: wrong
Slips: positions start at 1; for odd d the exponents are divided by d + 1
Names: pos_one, rounded_up_d
Silent: yes
Says: A fair person would say: Row 0 is position 0, with sines of 0 and cosines of 1; your rows begin with position 1. And for odd d the exponent is still 2i/d: you compute it with d + 1 and cut a column.
"""

import numpy as np


def sinusoidal_table(n: int, d: int, base: float = 10000.0) -> np.ndarray:
    even_d = d + d % 2
    position = np.arange(1, n + 1, dtype=np.float64)[:, None]
    div_term = np.exp(np.arange(0, even_d, 2) * -(np.log(base) / even_d))
    table = np.zeros((n, even_d))
    table[:, 0::2] = np.sin(position * div_term)
    table[:, 1::2] = np.cos(position * div_term)
    return table[:, :d]
