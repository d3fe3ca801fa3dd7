"""Keeps a table of cosines and sines that is rebuilt when a longer text comes.

Truth: wrong
Slips: the kept table is found by rotary_dim alone, so another base gets old angles
Names: kept-between-calls
Silent: yes
Says: A fair person would say: Your kept table is rebuilt for a longer text only, not for another base, so a second call with a new base turns by the old angles. Add base to the key.
"""
import torch


class RotaryCache:
    def __init__(self):
        self.tables = {}

    def get(self, length, dim, base):
        if dim not in self.tables or self.tables[dim][0].shape[0] < length:
            inv = 1.0 / (base ** (torch.arange(0, dim, 2).double() / dim))
            freqs = torch.outer(torch.arange(length).double(), inv)
            self.tables[dim] = (freqs.cos(), freqs.sin())
        return self.tables[dim]


cache = RotaryCache()


def rotary(q, k, rotary_dim, base=10000.0, offset=0):
    L = q.shape[-2]
    cos, sin = cache.get(offset + L, rotary_dim, base)
    cos, sin = cos[offset : offset + L], sin[offset : offset + L]
    out = []
    for x in (q, k):
        a, b = x[..., :rotary_dim].chunk(2, dim=-1)
        c, s = cos.to(x.dtype), sin.to(x.dtype)
        out.append(torch.cat([a * c - b * s, a * s + b * c, x[..., rotary_dim:]], dim=-1))
    return tuple(out)
