import torch


def positions_and_mask(documents):
    ids = torch.as_tensor(documents)
    change = (ids.diff() != 0).long()
    number = torch.cat([torch.zeros(1, dtype=torch.long), change.cumsum(0)])
    begins = change.nonzero().flatten() + 1
    positions = torch.arange(len(ids)) - begins[number - 1]
    return positions, (number[:, None] == number).tril()
