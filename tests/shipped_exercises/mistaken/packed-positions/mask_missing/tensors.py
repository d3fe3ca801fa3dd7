import torch


def positions_and_mask(documents):
    at = torch.arange(len(documents))
    change = torch.as_tensor(documents).diff() != 0
    begins = torch.cat([torch.tensor([True]), change])
    positions = at - torch.cummax(at * begins, 0).values
    return positions, torch.ones(len(at), len(at)).tril().bool()
