"""A table of all positions up to the last one, of which the rows of this call are taken."""

import math

import torch


def rotary(q, k, rotary_dim, base=10000.0, offset=0):
    length, half = q.shape[-2], rotary_dim // 2
    table = torch.zeros(offset + length, half, 2, dtype=torch.float64)
    for position in range(offset + length):
        for pair in range(half):
            angle = position * base ** (-2 * pair / rotary_dim)
            table[position, pair, 0], table[position, pair, 1] = math.cos(angle), math.sin(angle)
    cos, sin = table[-length:].unbind(-1)

    def turned(x):
        y = x.clone()
        a, b = x[..., :half], x[..., half:rotary_dim]
        y[..., :half] = a * cos - b * sin
        y[..., half:rotary_dim] = a * sin + b * cos
        return y

    return [turned(q), turned(k)]
