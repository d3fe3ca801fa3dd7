"""Unflattens the last dimension into two by D/2 and applies a rotation matrix with einsum.

Truth: right
Slips: none
Names: none
Says: A fair person would say: this is correct.
"""

import torch


def apply_rope_half(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    rotation = torch.stack(
        [torch.stack([cos, -sin]), torch.stack([sin, cos])]
    )  # (2, 2, L, D/2): to, from, position, pair
    halves = x.unflatten(-1, (2, -1))
    return torch.einsum("oilp,bhlip->bhlop", rotation, halves).flatten(-2)
