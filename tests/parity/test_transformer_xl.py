"""Transformer-XL's terms against the authors' layer, and its codes against XLNet's."""

import numpy as np
from posenc.attention import attention
from posenc.catalog.transformer_xl import TransformerXL
from posenc.pairs import relate

from tests.parity.golden_data import load

FLOAT32 = 2e-6
N_HEADS, HEAD_DIM, D_MODEL = 2, 8, 16


def test_agrees_with_the_authors_layer():
    theirs = load("transformer_xl_original")
    x = theirs["w"][:, 0]
    length = len(x)
    projected = np.moveaxis((x @ theirs["p_qkv_net_weight"].T).reshape(length, 3, 2, 8), 0, 2)
    ours = TransformerXL(n_heads=N_HEADS, head_dim=HEAD_DIM, d_model=D_MODEL)
    mixed = attention(
        *projected,
        encoding=ours,
        q_positions=np.arange(length),
        k_positions=np.arange(length),
        weights={
            "content_bias": theirs["r_w_bias"],
            "position_bias": theirs["r_r_bias"],
            "projection": theirs["p_r_net_weight"].T,
        },
        causal=True,
    )
    added = x + np.moveaxis(mixed, 0, 1).reshape(x.shape) @ theirs["p_o_net_weight"].T
    centred = added - added.mean(axis=-1, keepdims=True)
    normal = centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-5)
    out = normal * theirs["p_layer_norm_weight"] + theirs["p_layer_norm_bias"]
    np.testing.assert_allclose(out, theirs["out"][:, 0], rtol=0, atol=FLOAT32)


def test_the_codes_of_the_distances_are_theirs():
    theirs = load("transformer_xl_original")["r"][:, 0]
    ours = TransformerXL(d_model=D_MODEL).sinusoidal.encode(np.arange(7, -1, -1))
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=FLOAT32)


def test_the_relative_shift_is_theirs_where_theirs_is_no_garbage():
    theirs = load("transformer_xl_original")
    products, shifted = (
        np.moveaxis(theirs[f"shift_{way}"][:, :, 0], 2, 0) for way in ("in", "out")
    )
    relative = relate(np.arange(8), np.arange(8))
    later = np.full((2, 8, len(relative.values) - 8), np.nan)  # theirs has no keys after the query
    ours = relative.pick(np.concatenate([products, later], axis=-1))
    for head in range(2):
        lower = np.tril_indices(8)
        np.testing.assert_array_equal(ours[head][lower], shifted[head][lower])


def test_the_codes_of_xlnet_reach_keys_after_the_query():
    theirs = load("xlnet_relative")
    assert theirs["pos_seq"].min() < 0
    ours = TransformerXL(d_model=theirs["pe"].shape[-1])
    np.testing.assert_allclose(ours.sinusoidal.inv_freq, theirs["inv_freq"], rtol=1e-6)
    codes = ours.sinusoidal.encode(theirs["pos_seq"])
    np.testing.assert_allclose(codes, theirs["pe"][:, 0], rtol=0, atol=FLOAT32)
