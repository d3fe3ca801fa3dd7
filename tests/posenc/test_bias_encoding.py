"""A new bias encoding needs its bias alone: the hook, its checks and n_heads come from the base."""

from dataclasses import dataclass

import numpy as np
import pytest
from posenc.bias_encoding import BiasEncoding
from posenc.errors import ParameterError

AT = np.arange(5)


@dataclass(frozen=True)
class Nearest(BiasEncoding):
    """Add 1 to the score of the key at the position of the query."""

    def bias(self, q_positions, k_positions, weights):
        same = q_positions[..., None] == k_positions[..., None, :]
        return np.broadcast_to(same.astype(float), (self.n_heads, *same.shape))


def test_the_hook_adds_the_bias_in_the_dtype_of_the_scores():
    scores = np.random.default_rng(0).normal(size=(3, 2, 5, 5)).astype(np.float16)
    heads = np.zeros((3, 2, 5, 8), dtype=np.float16)
    out = Nearest(n_heads=2).on_scores(scores, heads, heads, AT, AT, {})
    assert out.dtype == np.float16
    expected = (scores.astype(np.float32) + np.eye(5, dtype=np.float32)).astype(np.float16)
    np.testing.assert_array_equal(out, expected)
    assert Nearest.hooks() == ("on_scores",)


def test_the_hook_refuses_scores_of_other_heads_and_positions_of_other_counts():
    heads = np.zeros((2, 5, 8))
    with pytest.raises(ParameterError, match=r"must be \(\.\.\., 3, Lq, Lk\), as n_heads says"):
        Nearest(n_heads=3).on_scores(np.zeros((2, 5, 5)), heads, heads, AT, AT, {})
    with pytest.raises(ParameterError, match=r"k_positions=.*must be \(5,\)"):
        Nearest(n_heads=2).on_scores(np.zeros((2, 5, 5)), heads, heads, AT, AT[:4], {})


def test_an_encoding_without_a_bias_cannot_be_made():
    class Unfinished(BiasEncoding):
        """Nothing yet."""

    with pytest.raises(TypeError, match=r"Unfinished.*bias"):
        Unfinished()
