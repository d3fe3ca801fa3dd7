import torch


def positions_from_mask(mask):
    batch, length = mask.shape
    return torch.arange(length).unsqueeze(0).expand(batch, -1)
