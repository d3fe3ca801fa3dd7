import torch


def shift(k, d, base=10000.0):
    angles = k * torch.exp(-torch.log(torch.tensor(base)) * torch.arange(0, d, 2) / d)
    blocks = torch.stack(
        [
            torch.stack([angles.cos(), angles.sin()], -1),
            torch.stack([-angles.sin(), angles.cos()], -1),
        ],
        dim=1,
    )
    return torch.block_diag(*blocks)
