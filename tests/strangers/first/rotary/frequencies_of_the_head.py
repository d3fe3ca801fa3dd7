"""Splits each vector into a part that turns and a part that stays.

Truth: wrong
Slips: the frequencies use the head size D instead of rotary_dim in the exponent
Names: freq_full_dim
Silent: yes
Says: A fair person would say: Pair i turns with base ** (-2i/R), where R is rotary_dim. You divide by the head size, so all pairs but the first turn too fast when only part of the head turns.
"""
import torch


def rotary(q, k, rotary_dim, base=10000.0, offset=0):
    D = q.shape[-1]
    half = rotary_dim // 2
    inv_freq = base ** (-torch.arange(0, rotary_dim, 2).float() / D)
    pos = torch.arange(q.shape[-2]).float() + offset
    angles = pos[:, None] * inv_freq[None, :]
    cos, sin = angles.cos().to(q.dtype), angles.sin().to(q.dtype)

    def apply(x):
        a = x[..., :half]
        b = x[..., half:rotary_dim]
        return torch.cat([a * cos - b * sin, a * sin + b * cos, x[..., rotary_dim:]], dim=-1)

    return apply(q), apply(k)
