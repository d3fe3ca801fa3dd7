"""Views the vector as two rows of D/2 numbers, flips the rows and multiplies by a sign.

Truth: right
Slips: none
Names: none
Says: A fair person would say: This is correct: half-split pairs, positive angle, x untouched.
"""

import torch


def apply_rope_half(x, cos, sin):
    # (B, H, L, 2, D/2): row 0 holds the first halves, row 1 the second halves
    rows = x.unflatten(-1, (2, x.shape[-1] // 2))
    sign = torch.tensor([[-1.0], [1.0]], dtype=x.dtype, device=x.device)
    turned = rows * cos.unsqueeze(-2) + sign * rows.flip(-2) * sin.unsqueeze(-2)
    return turned.flatten(-2)
