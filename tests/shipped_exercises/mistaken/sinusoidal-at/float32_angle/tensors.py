import torch


def sinusoidal_at(positions, d):
    rates = 10000.0 ** (-torch.arange(0, d, 2).float() / d)
    angles = torch.as_tensor(positions).float()[..., None] * rates
    return torch.stack([angles.sin(), angles.cos()], -1).flatten(-2)
