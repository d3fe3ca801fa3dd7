import torch


def positions_from_mask(mask):
    m = torch.as_tensor(mask).int()
    return (torch.cumsum(m, dim=1) * m).long()
