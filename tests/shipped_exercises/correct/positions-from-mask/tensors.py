import torch


def positions_from_mask(mask):
    attention_mask = torch.as_tensor(mask).long()
    position_ids = attention_mask.cumsum(-1) - 1
    return position_ids.masked_fill(attention_mask == 0, 0)
