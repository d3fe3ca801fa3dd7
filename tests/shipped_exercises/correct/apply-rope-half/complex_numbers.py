import torch


def apply_rope_half(x, cos, sin):
    pairs = torch.complex(*x.chunk(2, dim=-1))
    turned = pairs * torch.complex(cos, sin)
    return torch.cat([turned.real, turned.imag], dim=-1)
