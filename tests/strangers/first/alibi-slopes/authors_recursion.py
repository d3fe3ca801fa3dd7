"""The authors' recursion on Python lists, turned into an array at the end.

Truth: right
Slips: none
Names: none
Says: A fair person would say: this is correct.
"""

import math

import numpy as np


def alibi_slopes(n_heads: int) -> np.ndarray:
    def get_slopes(n):
        def get_slopes_power_of_2(n):
            start = 2 ** (-(2 ** -(math.log2(n) - 3)))
            ratio = start
            return [start * ratio**i for i in range(n)]

        if math.log2(n).is_integer():
            return get_slopes_power_of_2(n)
        closest_power_of_2 = 2 ** math.floor(math.log2(n))
        return (
            get_slopes_power_of_2(closest_power_of_2)
            + get_slopes(2 * closest_power_of_2)[0::2][: n - closest_power_of_2]
        )

    return np.array(get_slopes(n_heads))
