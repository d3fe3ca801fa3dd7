import torch


def sinusoidal_at(positions, d):
    exact = torch.as_tensor(positions, dtype=torch.float64)
    column = torch.arange(d, dtype=torch.float64)
    angles = exact.unsqueeze(-1) / 10000 ** (2 * torch.floor(column / 2) / d)
    return torch.where(column % 2 == 0, angles.sin(), angles.cos()).float()
