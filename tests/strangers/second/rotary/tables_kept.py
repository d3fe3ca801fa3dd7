"""Cosines and sines are kept in a module-level dict for the next layer.

Truth: wrong
Slips: the kept cosines and sines are found by length, rotary_dim and base alone, so a later call with another offset gets those of the first
Names: kept-between-calls
Silent: yes
Says: A fair person would say: The key of your dict has no offset in it. Generating token by token, every call with L = 1 gets the angles of the first such call; put offset into the key.
"""

import torch

_COS_SIN = {}


def cos_sin(L, rotary_dim, base, offset):
    key = (L, rotary_dim, base)
    if key not in _COS_SIN:
        inv_freq = base ** (-torch.arange(0, rotary_dim, 2, dtype=torch.float64) / rotary_dim)
        positions = torch.arange(L, dtype=torch.float64) + offset
        angles = torch.outer(positions, inv_freq)
        _COS_SIN[key] = angles.cos(), angles.sin()
    return _COS_SIN[key]


def turn(x, cos, sin, rotary_dim):
    half = rotary_dim // 2
    a, b, rest = x[..., :half], x[..., half:rotary_dim], x[..., rotary_dim:]
    return torch.cat([a * cos - b * sin, a * sin + b * cos, rest], dim=-1)


def rotary(
    q: torch.Tensor,
    k: torch.Tensor,
    rotary_dim: int,
    base: float = 10000.0,
    offset: int = 0,
) -> tuple[torch.Tensor, torch.Tensor]:
    cos, sin = cos_sin(q.shape[-2], rotary_dim, base, offset)
    cos, sin = cos.to(q), sin.to(q)
    return turn(q, cos, sin, rotary_dim), turn(k, cos, sin, rotary_dim)
