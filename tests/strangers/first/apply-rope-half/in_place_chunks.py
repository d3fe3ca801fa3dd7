"""Works on the two chunks of x with in-place operations.

Truth: wrong
Slips: x is changed in place; the second half is computed from the already turned first half
Names: overwritten, overwritten_input, in_place
Silent: yes
Says: A fair person would say: chunk gives views, so copy_ writes into x, which must stay as it was. And the second line uses the first half after it was turned; compute both results before you store them.
"""

import torch


def apply_rope_half(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    with torch.no_grad():
        a, b = x.chunk(2, dim=-1)
        a.copy_(a * cos - b * sin)
        b.copy_(a * sin + b * cos)
    return x
