"""Takes the two halves as real and imaginary parts and multiplies by unit complex numbers.

Truth: right
Slips: none
Names: none
Says: A fair person would say: Correct. Multiplying a + ib by exp(i*angle) is the turn asked for, and the rest of each vector is joined on unchanged.
"""
import torch


def rotary(q, k, rotary_dim, base=10000.0, offset=0):
    def turn(x):
        half = rotary_dim // 2
        a, b, rest = x.split([half, half, x.shape[-1] - rotary_dim], dim=-1)
        p = torch.arange(offset, offset + x.shape[-2], dtype=torch.float64, device=x.device)
        w = base ** (-2.0 * torch.arange(half, dtype=torch.float64, device=x.device) / rotary_dim)
        angle = torch.outer(p, w)
        z = torch.complex(a.double(), b.double()) * torch.polar(torch.ones_like(angle), angle)
        return torch.cat([z.real.to(x.dtype), z.imag.to(x.dtype), rest], dim=-1)

    return turn(q), turn(k)
