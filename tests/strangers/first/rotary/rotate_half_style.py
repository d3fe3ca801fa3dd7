"""The rotate_half code from transformers with a partial width and cached tables.

Truth: right
Slips: none
Names: none
Says: A fair person would say: Correct. The tables are kept by everything they depend on.
"""
from functools import lru_cache

import torch


@lru_cache(maxsize=32)
def tables(start, stop, rotary_dim, base):
    inv_freq = 1.0 / (base ** (torch.arange(0, rotary_dim, 2).double() / rotary_dim))
    freqs = torch.arange(start, stop).double()[:, None] * inv_freq
    emb = torch.cat((freqs, freqs), dim=-1)
    return emb.cos(), emb.sin()


def rotate_half(x):
    x1, x2 = x.chunk(2, dim=-1)
    return torch.cat((-x2, x1), dim=-1)


def rotary(q, k, rotary_dim, base=10000.0, offset=0):
    cos, sin = tables(offset, offset + q.shape[-2], rotary_dim, base)
    result = []
    for x in (q, k):
        c, s = cos.to(x.dtype), sin.to(x.dtype)
        rot, keep = x[..., :rotary_dim], x[..., rotary_dim:]
        result.append(torch.cat((rot * c + rotate_half(rot) * s, keep), dim=-1))
    return result[0], result[1]
