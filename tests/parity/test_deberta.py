"""DeBERTa's buckets and disentangled attention against transformers."""

import numpy as np
import pytest
from posenc.attention import attention
from posenc.catalog.deberta import Deberta

from tests.parity.golden_data import load

FLOAT32 = 3e-7


@pytest.mark.parametrize(("span", "max_distance"), [(256, 512), (8, 32)])
def test_buckets_are_theirs_up_to_the_end_of_the_table(span, max_distance):
    """Theirs go on beyond the table and are clipped when they are looked up."""
    theirs = load("deberta_buckets")
    ours = Deberta(span=span, max_distance=max_distance).buckets(theirs["rel"])
    expected = np.clip(theirs[f"bucket_{span}_{max_distance}"], -span, span)
    np.testing.assert_array_equal(ours, expected)


def test_disentangled_attention_is_theirs_and_not_that_of_equation_4():
    theirs = load("deberta_disentangled")
    x = theirs["x"][0]

    def projected(name):
        y = x @ theirs[f"p_{name}_proj_weight"].T + theirs[f"p_{name}_proj_bias"]
        return np.moveaxis(y.reshape(len(x), 2, 8), 1, 0)

    weights = {"table": theirs["rel_embeddings"]}
    for name in ("key", "query"):
        weights[f"{name}_projection"] = theirs[f"p_pos_{name}_proj_weight"].T
        weights[f"{name}_bias"] = theirs[f"p_pos_{name}_proj_bias"]
    sizes = {"n_heads": 2, "head_dim": 8, "d_model": 16, "span": 8, "log_buckets": False}
    positions, apart = np.arange(len(x)), {}
    for p2c_row in ("code", "paper"):
        mixed = attention(
            *map(projected, ("query", "key", "value")),
            encoding=Deberta(p2c_row=p2c_row, **sizes),
            q_positions=positions,
            k_positions=positions,
            weights=weights,
        )
        out = np.moveaxis(mixed, 0, 1).reshape(x.shape)
        apart[p2c_row] = np.abs(out - theirs["out"][0]).max()
    assert apart["code"] < FLOAT32
    assert apart["paper"] > 0.1
