"""Compact code with one helper, frequencies as powers of ten thousand.

Truth: wrong
Slips: the turn goes the other way (a cos + b sin, b cos - a sin); base is ignored and 10000 is used
Names: sign, base_fixed
Silent: yes
Says: A fair person would say: The signs are exchanged, so every pair turns by minus the angle. And the frequencies use 10000 always instead of the argument base.
"""
import torch


def rotary(q, k, rotary_dim, base=10000.0, offset=0):
    h = rotary_dim // 2
    w = torch.pow(10000.0, -torch.arange(h).double() * 2 / rotary_dim)
    a = (torch.arange(q.size(-2)).double() + offset)[:, None] * w
    c, s = a.cos(), a.sin()

    def f(x):
        u, v = x[..., :h].double(), x[..., h:rotary_dim].double()
        new = torch.cat([u * c + v * s, v * c - u * s], -1).to(x.dtype)
        return torch.cat([new, x[..., rotary_dim:]], -1)

    return f(q), f(k)
