import torch


def positions_from_mask(mask):
    m = torch.as_tensor(mask).long()
    later = m.sum(1, keepdim=True) - m.cumsum(1)
    return later * m
