import math

import numpy as np


def rope_cos_sin(n, head_dim, base=10000.0):
    cos, sin = np.zeros((n, head_dim // 2)), np.zeros((n, head_dim // 2))
    for position in range(n):
        for pair in range(head_dim // 2):
            angle = position / base ** (2 * pair / head_dim)
            cos[position, pair], sin[position, pair] = math.cos(angle), math.sin(angle)
    return cos, sin
