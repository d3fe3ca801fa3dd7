import math

import torch


def sinusoidal_table(n, d, base=10000.0):
    half = d // 2
    rates = torch.exp(-math.log(base) * torch.arange(half) / half)
    angles = torch.arange(n)[:, None].float() * rates[None]
    codes = torch.cat([angles.cos(), angles.sin()], dim=-1)
    return torch.cat([codes, torch.zeros(n, 1)], dim=-1) if d % 2 else codes
