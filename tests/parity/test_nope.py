"""Attention without positions against torch's nn.MultiheadAttention, in order and shuffled."""

import numpy as np
import pytest
from posenc.attention import Projections, self_attention
from posenc.catalog.nope import NoPE

from tests.parity.golden_data import load, manifest

FLOAT32 = 2e-7


@pytest.mark.parametrize("mask", ["full", "causal"])
def test_agrees_with_torch_in_order_and_shuffled(mask):
    theirs = load("nope_equivariance")
    order = manifest()["nope_equivariance"]["params"]["perm"]
    q, k, v = np.split(theirs["p_in_proj_weight"].T, 3, axis=1)
    heads = Projections(q, k, v, n_heads=2)
    for x, name in ((theirs["x"], mask), (theirs["x"][:, order], f"{mask}_perm")):
        positions = np.arange(x.shape[1])
        mixed = self_attention(
            x, heads, encoding=NoPE(), positions=positions, causal=mask == "causal"
        )
        out = mixed @ theirs["p_out_proj_weight"].T
        np.testing.assert_allclose(out, theirs[name], rtol=0, atol=FLOAT32)
    shuffled_back = np.abs(theirs[f"{mask}_perm"] - theirs[mask][:, order]).max()
    assert (shuffled_back < FLOAT32) == (mask == "full")
