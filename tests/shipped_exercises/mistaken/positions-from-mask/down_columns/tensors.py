import torch


def positions_from_mask(mask):
    m = torch.as_tensor(mask).long()
    return (m.cumsum(0) - 1) * m
