import torch


def positions_from_mask(mask):
    first = torch.as_tensor(mask)[0].long()
    return ((first.cumsum(0) - 1) * first).repeat(len(mask), 1)
