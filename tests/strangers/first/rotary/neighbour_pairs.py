"""Turns neighbouring numbers as pairs, as GPT-J and the RoFormer paper do.

Truth: other convention
Slips: number 2i is paired with 2i + 1 instead of i with i + R/2
Names: adjacent
Says: A fair person would say: You pair neighbours, as GPT-J does. Here the pairs are half-split: number i belongs to number i + rotary_dim/2.
"""
import torch


def rotary(q, k, rotary_dim, base=10000.0, offset=0):
    w = base ** (-torch.arange(0, rotary_dim, 2, dtype=torch.float64) / rotary_dim)
    p = torch.arange(q.shape[-2], dtype=torch.float64) + offset
    ang = p[:, None] * w
    cos, sin = ang.cos().to(q.dtype), ang.sin().to(q.dtype)

    def turn(x):
        a, b = x[..., 0:rotary_dim:2], x[..., 1:rotary_dim:2]
        pairs = torch.stack((a * cos - b * sin, a * sin + b * cos), dim=-1)
        return torch.cat((pairs.flatten(-2), x[..., rotary_dim:]), dim=-1)

    return turn(q), turn(k)
