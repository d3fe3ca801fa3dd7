"""Reads the shape as batch, position, head, dimension and repeats the keys for grouped queries.

Truth: wrong
Slips: positions are taken along the head axis; k is repeated to the number of query heads
Names: head_axis, k_repeated
Silent: no
Says: A fair person would say: Positions run along axis 2, but you count along axis 1, the heads. And k should come back in its own shape: do not repeat its heads.
"""
import torch


def rotary(q, k, rotary_dim, base=10000.0, offset=0):
    k = k.repeat_interleave(q.shape[1] // k.shape[1], dim=1)
    half = rotary_dim // 2
    inv_freq = base ** (-2.0 * torch.arange(half) / rotary_dim)
    pos = torch.arange(q.shape[1]) + offset
    angles = pos[:, None].float() * inv_freq
    cos = angles.cos()[None, :, None, :].to(q.dtype)
    sin = angles.sin()[None, :, None, :].to(q.dtype)

    def turn(x):
        x1, x2 = x[..., :half], x[..., half:rotary_dim]
        return torch.cat((x1 * cos - x2 * sin, x1 * sin + x2 * cos, x[..., rotary_dim:]), -1)

    return turn(q), turn(k)
