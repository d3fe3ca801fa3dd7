import torch


def positions_from_mask(mask):
    m = torch.as_tensor(mask)
    return torch.masked_select(m.long().cumsum(1) - 1, m)
