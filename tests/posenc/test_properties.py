"""What whole families promise, whatever their parameters: shifts, order, symmetry, counts."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from posenc.catalog.alibi import Alibi
from posenc.catalog.cope import CoPE
from posenc.catalog.deberta import Deberta
from posenc.catalog.fire import Fire
from posenc.catalog.kerple import Kerple
from posenc.catalog.learned import Learned
from posenc.catalog.shaw import Shaw
from posenc.catalog.t5_bias import T5Bias
from posenc.catalog.transformer_xl import TransformerXL
from posenc.registry import REGISTRY

from tests.posenc.catalog.small import draw_layer, small, trained

pytestmark = pytest.mark.torch

RELATIVE = sorted(slug for slug, entry in REGISTRY.items() if entry.encoding.relative)
SIZES = st.integers(1, 9)


def test_all_but_these_are_relative():
    """They look at where a token stands; a newcomer that does says so itself."""
    absolute = {"fire", "learned", "sinusoidal"}
    assert not absolute.intersection(RELATIVE)
    assert len(RELATIVE) >= 11


def scores_of(encoding, q, k, positions, weights):
    """Return what a softmax would get: hooks on queries, keys and scores, without a scale."""
    q, k = encoding.on_queries_and_keys(q, k, positions, positions, weights)
    scores = q @ np.swapaxes(k, -1, -2)
    return encoding.on_scores(scores, q, k, positions, positions, weights)


@pytest.mark.parametrize("slug", RELATIVE)
@given(
    positions=st.lists(st.integers(0, 300), min_size=2, max_size=6, unique=True),
    shift=st.integers(0, 3000),
)
def test_moving_a_whole_text_changes_no_score(slug, positions, shift):
    encoding = small(REGISTRY[slug].encoding)
    _, q, k, _ = draw_layer(len(positions))
    at = np.array(sorted(positions))
    at = np.stack([at, at // 2, at % 7]) if slug == "rope_2d" else at
    weights = trained(encoding)
    here = scores_of(encoding, q, k, at, weights)
    np.testing.assert_allclose(scores_of(encoding, q, k, at + shift, weights), here, atol=1e-9)


@pytest.mark.parametrize("library", [np, torch], ids=["numpy", "torch"])
@pytest.mark.parametrize("slug", sorted(REGISTRY))
def test_a_text_without_queries_or_keys_has_no_scores(slug, library):
    encoding = small(REGISTRY[slug].encoding)
    weights = {name: library.asarray(one) for name, one in trained(encoding).items()}
    _, q, k, _ = map(library.asarray, draw_layer(3))
    at = np.arange(3)
    at = library.asarray(np.stack([at, at, at]) if slug == "rope_2d" else at)
    for queries, keys in ((0, 3), (3, 0), (1, 0), (0, 0)):
        here = {"q_positions": at[..., :queries], "k_positions": at[..., :keys], "weights": weights}
        some_q, some_k = encoding.on_queries_and_keys(q[:, :queries], k[:, :keys], **here)
        scores = library.zeros((2, queries, keys), dtype=library.float32)
        assert encoding.on_scores(scores, some_q, some_k, **here).shape == scores.shape


@given(st.integers(1, 300), st.sampled_from(["authors", "geometric"]))
def test_alibi_has_a_slope_for_each_head_all_different_all_between_0_and_1(n_heads, rule):
    slopes = Alibi(n_heads=n_heads, rule=rule).slopes
    assert slopes.shape == (n_heads,)
    assert len(np.unique(slopes)) == n_heads
    assert slopes.min() >= 2.0**-8
    assert slopes.max() < 1


@given(st.integers(1, 40), st.lists(st.integers(0, 500), min_size=1, max_size=9))
def test_the_symmetric_bias_is_symmetric_never_positive_and_falls_in_proportion(n_heads, at):
    bias = Alibi(n_heads=n_heads).bias(np.array(at), np.array(at))
    np.testing.assert_array_equal(bias, np.swapaxes(bias, -1, -2))
    assert (np.diagonal(bias, axis1=-2, axis2=-1) == 0).all()
    distances, slopes = np.abs(np.subtract.outer(at, at)), Alibi(n_heads=n_heads).slopes
    np.testing.assert_allclose(bias, -slopes[:, None, None] * distances, rtol=1e-15)


@given(st.integers(2, 64).map(lambda n: 2 * n), st.integers(64, 5000), st.booleans())
def test_t5_buckets_never_fall_with_the_distance_and_all_are_met(num_buckets, farthest, both):
    encoding = T5Bias(num_buckets=num_buckets, max_distance=farthest + 64, bidirectional=both)
    buckets = encoding.buckets(-np.arange(farthest + 65))
    assert (np.diff(buckets) >= 0).all()
    assert buckets[0] == 0
    assert buckets[-1] == (num_buckets // 2 if both else num_buckets) - 1


@given(SIZES, SIZES, SIZES, SIZES)
def test_learned_numbers_are_as_many_as_the_papers_say(heads, dim, width, rows):
    d_model, even = 2 * width, 2 * rows + 2
    counted = {
        Learned(max_len=rows, d_model=width): rows * width,
        Shaw(head_dim=dim, clip_distance=rows): 2 * (2 * rows + 1) * dim,
        T5Bias(n_heads=heads, num_buckets=even): even * heads,
        Kerple(n_heads=heads): 2 * heads,
        Fire(n_heads=heads, mlp_width=width): 2 + 2 * width + heads * (width + 1),
        CoPE(head_dim=dim, max_pos=rows): rows * dim,
        TransformerXL(n_heads=heads, head_dim=dim, d_model=d_model): heads * dim * (2 + d_model),
        Deberta(n_heads=heads, head_dim=dim, d_model=width, span=even, max_distance=99): (
            2 * even * width + 2 * (width + 1) * heads * dim
        ),
    }
    for encoding, expected in counted.items():
        assert encoding.parameter_count() == expected, encoding
