"""Halves are turned clockwise, as a complex product with the conjugate.

Truth: other convention
Slips: the turn is by the negative angle
Names: sign_half
Says: A fair person would say: you turn every pair by the negative angle. Scores would be the same in a model, but here it is a c - b s and a s + b c.
"""

import torch


def apply_rope_half(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    x1, x2 = torch.split(x, x.shape[-1] // 2, dim=-1)
    return torch.cat([x1 * cos + x2 * sin, x2 * cos - x1 * sin], dim=-1)
