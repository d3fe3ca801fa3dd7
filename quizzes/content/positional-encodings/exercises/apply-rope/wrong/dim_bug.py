"""Does: You multiply x, which has D columns, by cos, which has D/2, one for each pair: for any D but 2 that raises an error.
Should: The two numbers of each pair should be taken apart first.
Step: rope/code-it
Kind: mistake
Breaks: 4b. Column i of cos and sin belongs to pair i.
"""

import numpy as np


def apply_rope(x, cos, sin):
    return x * cos + x * sin
