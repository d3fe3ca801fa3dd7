import math

import torch


def sinusoidal_table(n, d, base=10000.0):
    rates = torch.exp(-math.log(base) * torch.arange(0, d, 2) / d)
    angles = torch.arange(n)[:, None].float() * rates[None]
    return torch.cat([angles.cos()[:, : d // 2], angles.sin()], dim=-1)
