"""Turns the halves in float32 for safety, second half with a minus.

Truth: wrong
Slips: the second result is b c - a s instead of a s + b c; the result is float32 whatever the dtype of x
Names: reals_wrong
Silent: yes
Says: A fair person would say: the second result needs a plus: a s + b c. With your two minus signs lengths are not kept. And the result must have the dtype of x, you always return float32.
"""

import torch


def apply_rope_half(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    x, cos, sin = x.float(), cos.float(), sin.float()
    half = x.shape[-1] // 2
    first = x[..., :half]
    second = x[..., half:]
    return torch.cat((first * cos - second * sin, second * cos - first * sin), dim=-1)
