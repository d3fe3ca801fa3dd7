"""ALiBi against the authors' code and five libraries."""

import numpy as np
import pytest
from posenc.catalog.alibi import Alibi

from tests.parity.golden_data import load

SLOPES, BIAS = load("alibi_slopes"), load("alibi_bias")
COUNTS = sorted({int(name.rsplit("_", 1)[1]) for name in SLOPES})
LIBRARIES = sorted({name.rsplit("_", 1)[0] for name in SLOPES})


def test_the_files_hold_every_count_of_every_library():
    assert {1, 2, 3, 6, 8, 12, 25, 71} <= set(COUNTS)
    assert LIBRARIES == ["bloom", "labml", "mlx", "mpt", "press", "xtrans"]


@pytest.mark.parametrize("n_heads", COUNTS)
@pytest.mark.parametrize("library", LIBRARIES)
def test_slopes_agree_with(library, n_heads):
    theirs = SLOPES[f"{library}_{n_heads}"]
    rounding = 1e-14 if theirs.dtype == np.float64 else 1e-6
    np.testing.assert_allclose(Alibi(n_heads=n_heads).slopes, theirs, rtol=rounding)


def test_the_symmetric_bias_is_that_of_x_transformers():
    ours = Alibi(n_heads=4).bias(np.arange(6), np.arange(6))
    np.testing.assert_allclose(ours, BIAS["xtransformers"], rtol=0, atol=1e-7)


@pytest.mark.parametrize("name", ["bloom", "falcon"])
@pytest.mark.parametrize(("text", "length"), [(0, 6), (1, 4)], ids=["six keys", "four and padding"])
def test_bloom_and_falcon_add_a_number_to_each_row_which_softmax_does_not_see(name, text, length):
    """They add slope * key instead of -slope * (query - key)."""
    theirs = BIAS[name].reshape(2, 4, 1, 6)[text]
    ours = Alibi(n_heads=4, form="causal").bias(np.array([length - 1]), np.arange(length))
    apart = theirs[..., :length] - ours
    same_in_a_row = np.broadcast_to(apart[..., :1], apart.shape)
    np.testing.assert_allclose(apart, same_in_a_row, rtol=0, atol=1e-6)
    np.testing.assert_array_equal(theirs[..., length:], 0)


def test_mpt_has_the_bias_of_the_last_query():
    ours = Alibi(n_heads=4).bias(np.array([5]), np.arange(6))
    np.testing.assert_allclose(ours, BIAS["mpt"], rtol=0, atol=1e-7)
