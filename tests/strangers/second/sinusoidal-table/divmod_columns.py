"""A generator over rows, pair and kind of each column by divmod.

Truth: right
Slips: none
Names: none
Says: A fair person would say: This is correct, also for odd d and other bases.
"""

import math
import numpy as np


def sinusoidal_table(n, d, base=10000.0):
    functions = (math.sin, math.cos)
    columns = [divmod(j, 2) for j in range(d)]
    numbers = (
        functions[which](pos * base ** (-2 * pair / d)) for pos in range(n) for pair, which in columns
    )
    return np.fromiter(numbers, dtype=np.float64, count=n * d).reshape(n, d)
