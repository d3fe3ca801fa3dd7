# EXPECT: correct
# FAMILY: honest but unusual
# STOPPED: none: it is honest
# NEEDS: torch
# NOTE: LEGITIMATE wide use of torch must still work
import torch, torch.nn.functional as F, math, functools, itertools, collections, dataclasses, typing, statistics, decimal, fractions
from torch.fft import rfft


def pe(n, d):
    m = torch.nn.MultiheadAttention(8, 2)
    x = torch.randn(3, 4, 8)
    y, _ = m(x, x, x)
    y.sum().backward()
    torch.linalg.svd(torch.randn(5, 5))
    torch.einsum("ij,jk->ik", torch.randn(3, 3), torch.randn(3, 3))
    rfft(torch.randn(8))
    torch.softmax(x, -1)
    F.scaled_dot_product_attention(x, x, x)
    torch.optim.Adam(m.parameters()).step()
    torch.func.vmap(torch.sin)(x)
    torch.autograd.functional.jacobian(torch.sin, torch.randn(3))
    np.linalg.svd(np.eye(4))
    np.fft.fft(np.ones(8))
    np.random.default_rng(0).normal(size=3)
    return good(n, d)
