"""Chunks in two halves, turns, stacks the results in a last axis and flattens.

Truth: wrong
Slips: the turn goes by the negative angle; the results of a pair are put side by side instead of back in the two halves
Names: sign_half, halves_interleaved
Silent: yes
Says: A fair person would say: Two things: the signs are those of a turn by the negative angle, it should be a*c - b*s and a*s + b*c. And stack with flatten puts the results at 2i and 2i + 1; they belong at i and i + D/2, so use torch.cat.
"""

import torch


def apply_rope_half(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    first, second = x.chunk(2, dim=-1)
    new_first = first * cos + second * sin
    new_second = second * cos - first * sin
    return torch.stack([new_first, new_second], dim=-1).flatten(-2)
