"""rotate_half from transformers with tables doubled by repeat_interleave.

Truth: wrong
Slips: cos and sin are doubled column by column as for neighbouring pairs, while the numbers are paired half-split
Names: mix_half_rep_angles
Silent: yes
Says: A fair person would say: you mix two conventions: rotate_half pairs i with i + D/2, but repeat_interleave puts the angles in the order of neighbouring pairs. Double the tables with torch.cat((cos, cos), dim=-1).
"""

import torch


def rotate_half(x):
    """Rotates half the hidden dims of the input."""
    x1 = x[..., : x.shape[-1] // 2]
    x2 = x[..., x.shape[-1] // 2 :]
    return torch.cat((-x2, x1), dim=-1)


def apply_rope_half(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    cos = cos.repeat_interleave(2, dim=-1)[None, None]
    sin = sin.repeat_interleave(2, dim=-1)[None, None]
    return (x * cos) + (rotate_half(x) * sin)
