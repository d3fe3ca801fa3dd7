import torch


def positions_from_mask(mask):
    m = torch.as_tensor(mask).int()
    return (m.cumsum(1) * m - 1).long()
