"""x has D columns and cos only D/2, one for a pair, so x * cos cannot work but for D = 2. Take the two numbers of each pair apart first.

Step: rope/code-it
Kind: mistake
Breaks: 4. cos and sin have the shape (L, D/2): row p is for token p, column i for pair i, the same in every head.
"""

import numpy as np


def apply_rope(x, cos, sin):
    return x * cos + x * sin
