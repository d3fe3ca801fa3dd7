import torch


def positions_from_mask(mask):
    return torch.as_tensor(mask).long().cumsum(-1) - 1
