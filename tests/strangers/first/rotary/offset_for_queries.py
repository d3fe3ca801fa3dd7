"""Gives queries and keys their own positions.

Truth: wrong
Slips: the offset is added to the positions of the queries only
Names: offset_q_only
Silent: yes
Says: A fair person would say: The new keys stand at the same positions as the new queries, so the offset belongs to both. You turn k as if it stood at the beginning of the text.
"""
import torch


def _turn(x, positions, rotary_dim, base):
    h = rotary_dim // 2
    freq = 1.0 / base ** (torch.arange(h, dtype=torch.float32) * 2 / rotary_dim)
    ang = torch.einsum("l,f->lf", positions.float(), freq)
    cos, sin = ang.cos().to(x.dtype), ang.sin().to(x.dtype)
    y = x.clone()
    y[..., :h] = x[..., :h] * cos - x[..., h:rotary_dim] * sin
    y[..., h:rotary_dim] = x[..., :h] * sin + x[..., h:rotary_dim] * cos
    return y


def rotary(q, k, rotary_dim, base=10000.0, offset=0):
    q_pos = torch.arange(q.shape[-2]) + offset
    k_pos = torch.arange(k.shape[-2])
    return _turn(q, q_pos, rotary_dim, base), _turn(k, k_pos, rotary_dim, base)
