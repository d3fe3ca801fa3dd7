"""The two halves as real and imaginary part of one complex tensor.

Truth: right
Slips: none
Names: none
Says: A fair person would say: this is correct.
"""

import torch


def apply_rope_half(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    real, imag = torch.chunk(x, 2, dim=-1)
    z = torch.complex(real.contiguous(), imag.contiguous())
    turn = torch.complex(cos, sin)
    z = z * turn
    return torch.cat([z.real, z.imag], dim=-1)
