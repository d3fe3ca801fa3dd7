import torch


def positions_from_mask(mask):
    return torch.clamp(torch.as_tensor(mask).long().cumsum(1) - 1, min=0)
