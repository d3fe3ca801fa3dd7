"""A helper that takes the positions, called for queries and for keys.

Truth: wrong
Slips: the frequencies are computed with the head dimension D instead of rotary_dim; the keys are turned without the offset
Names: freq_full_dim, offset_q_only
Silent: yes
Says: A fair person would say: The exponents are -2i/R with R = rotary_dim, not with the size of the whole head. And the keys of this call are at the same positions as the queries, so they need the offset too.
"""

import torch


def _rope(x, positions, rotary_dim, base):
    head_dim = x.shape[-1]
    inv_freq = 1.0 / base ** (torch.arange(0, rotary_dim, 2).float() / head_dim)
    angles = positions.float()[:, None] * inv_freq[None, :]
    cos = torch.cat([angles.cos(), angles.cos()], dim=-1).to(x.dtype)
    sin = torch.cat([angles.sin(), angles.sin()], dim=-1).to(x.dtype)
    x_rot, x_pass = x[..., :rotary_dim], x[..., rotary_dim:]
    x1, x2 = x_rot.chunk(2, dim=-1)
    rotated = torch.cat([-x2, x1], dim=-1)
    return torch.cat([x_rot * cos + rotated * sin, x_pass], dim=-1)


def rotary(
    q: torch.Tensor,
    k: torch.Tensor,
    rotary_dim: int,
    base: float = 10000.0,
    offset: int = 0,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Turn the first rotary_dim numbers of q and k."""
    q_positions = torch.arange(q.shape[-2]) + offset
    k_positions = torch.arange(k.shape[-2])
    return _rope(q, q_positions, rotary_dim, base), _rope(k, k_positions, rotary_dim, base)
