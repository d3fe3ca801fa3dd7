"""The call from older transformers with unsqueeze(1) on the tables.

Truth: wrong
Slips: unsqueeze(1) on a table (L, D) makes it vary along the heads instead of the positions
Names: head_axis
Silent: no
Says: A fair person would say: cos has the shape (L, D/2) without a batch, so unsqueeze(1) gives (L, 1, D) and the positions meet the heads, which fails unless H equals L. Leave it out: (L, D) already fits.
"""

import torch


def rotate_half(x):
    x1, x2 = x.chunk(2, dim=-1)
    return torch.cat((-x2, x1), dim=-1)


def apply_rope_half(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor, unsqueeze_dim=1) -> torch.Tensor:
    cos = torch.cat((cos, cos), dim=-1).unsqueeze(unsqueeze_dim)
    sin = torch.cat((sin, sin), dim=-1).unsqueeze(unsqueeze_dim)
    x_embed = (x * cos) + (rotate_half(x) * sin)
    return x_embed
