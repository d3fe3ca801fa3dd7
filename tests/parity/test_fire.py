"""FIRE against the code of McLeish et al., which is that of the paper's appendix."""

import numpy as np
from posenc.catalog.fire import Fire

from tests.parity.golden_data import load


def test_the_bias_is_theirs():
    theirs = load("fire_mcleish")
    weights = {
        "c": theirs["p_c"],
        "multiplier": theirs["p_L_multiplier"],
        "hidden_weight": theirs["p_mlp_0_weight"],
        "hidden_bias": theirs["p_mlp_0_bias"],
        "out_weight": theirs["p_mlp_2_weight"],
        "out_bias": theirs["p_mlp_2_bias"],
    }
    ours = Fire(n_heads=4, mlp_width=8, threshold=float(theirs["p_init_L"]))
    positions = np.arange(theirs["bias"].shape[-1])
    bias = ours.bias(positions, positions, weights)
    assert bias.dtype == np.float32
    np.testing.assert_allclose(bias, theirs["bias"][0], rtol=0, atol=1e-7)
