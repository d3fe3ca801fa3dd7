"""rotate_half with cosines shaped for (batch, position, head, dimension).

Truth: wrong
Slips: cos and sin are put on the axis of the heads instead of the positions
Names: head_axis
Silent: no
Says: A fair person would say: Your cos and sin are shaped for x as (B, L, H, D), but here the head comes before the position, so it fails unless H happens to fit. Leave them as (1, 1, L, D).
"""

import torch


def rotate_half(x):
    x1, x2 = x.chunk(2, dim=-1)
    return torch.cat((-x2, x1), dim=-1)


def apply_rope_half(
    x: torch.Tensor,
    cos: torch.Tensor,
    sin: torch.Tensor,
) -> torch.Tensor:
    cos = torch.cat((cos, cos), dim=-1)[None, :, None, :]
    sin = torch.cat((sin, sin), dim=-1)[None, :, None, :]
    return x * cos + rotate_half(x) * sin
