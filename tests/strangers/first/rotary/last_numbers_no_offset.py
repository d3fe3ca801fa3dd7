"""Splits off the part that turns and joins it again.

Truth: wrong
Slips: the last rotary_dim numbers turn instead of the first; offset is not used
Names: rotate_last, no_offset
Silent: yes
Says: A fair person would say: The first rotary_dim numbers of each vector should turn; you turn the last ones. And the positions start at offset, which your code never adds.
"""
import torch


def rotary(q, k, rotary_dim, base=10000.0, offset=0):
    D = q.shape[-1]
    inv_freq = 1.0 / (base ** (torch.arange(0, rotary_dim, 2).float() / rotary_dim))
    t = torch.arange(q.shape[2]).float()
    freqs = torch.outer(t, inv_freq)
    cos, sin = freqs.cos(), freqs.sin()

    def apply_rope(x):
        x_pass, x_rot = x.split([D - rotary_dim, rotary_dim], dim=-1)
        x1, x2 = x_rot.float().chunk(2, dim=-1)
        turned = torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1)
        return torch.cat([x_pass, turned.to(x.dtype)], dim=-1)

    return apply_rope(q), apply_rope(k)
