import torch


def positions_from_mask(mask):
    padding = torch.as_tensor(mask).logical_not().long()
    return (padding.cumsum(-1) - 1) * padding
