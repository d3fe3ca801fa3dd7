import torch


def positions_from_mask(mask):
    m = torch.as_tensor(mask).long()
    position_ids = m.cumsum(-1) - 1
    return position_ids.masked_fill(m == 0, 1)
