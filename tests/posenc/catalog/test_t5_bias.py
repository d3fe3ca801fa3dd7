"""T5's relative bias: buckets against 50-digit logarithms, and what a bias must do."""

from decimal import Decimal, localcontext

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from posenc.catalog.t5_bias import T5Bias, t5_bias
from posenc.errors import ParameterError

pytestmark = pytest.mark.torch

HALVES = st.integers(2, 20)
FARTHEST = st.integers(41, 3000)
NOTHING = np.zeros((1, 1))


def bucket_by_logarithms(relative, num_buckets, max_distance, bidirectional):
    """Oracle: the formula of the authors' code in 50 digits; 1e-40 is for whole logarithms."""
    bucket, distance = 0, -relative
    if bidirectional:
        num_buckets //= 2
        bucket, distance = (num_buckets if relative > 0 else 0), abs(relative)
    distance, exact = max(distance, 0), num_buckets // 2
    if distance < exact:
        return bucket + distance
    with localcontext() as context:
        context.prec = 50
        share = (Decimal(distance) / exact).ln() / (Decimal(max_distance) / exact).ln()
        step = int(share * (num_buckets - exact) + Decimal(10) ** -40)
    return bucket + min(exact + step, num_buckets - 1)


@pytest.mark.slow
@given(HALVES, FARTHEST, st.booleans(), st.lists(st.integers(-4000, 4000), min_size=1, max_size=9))
def test_buckets_agree_with_logarithms(half, farthest, both, relative):
    encoding = T5Bias(num_buckets=2 * half, max_distance=farthest, bidirectional=both)
    expected = [bucket_by_logarithms(r, 2 * half, farthest, both) for r in relative]
    assert encoding.buckets(np.array(relative)).tolist() == expected
    assert encoding.buckets(torch.tensor(relative)).tolist() == expected


@given(HALVES, FARTHEST)
def test_buckets_grow_with_the_distance_and_reach_the_last(half, farthest):
    causal = T5Bias(num_buckets=2 * half, max_distance=farthest, bidirectional=False)
    back = causal.buckets(-np.arange(farthest + 5))
    assert (np.diff(back) >= 0).all()
    assert back[0] == 0
    assert back[farthest] == back[-1] == 2 * half - 1
    assert (causal.buckets(np.arange(50)) == 0).all()


@given(HALVES, FARTHEST, st.booleans(), st.integers(-4000, 4000), st.integers(1, 300))
def test_consecutive_tokens_have_the_same_buckets_as_scattered_tokens(
    half, farthest, both, first, keys
):
    encoding = T5Bias(n_heads=1, num_buckets=2 * half, max_distance=farthest, bidirectional=both)
    weights = {"table": np.arange(2.0 * half)[:, None]}
    relative = np.arange(first, first + keys)
    bias = encoding.bias(np.array([0]), relative, weights)
    assert bias[0, 0].tolist() == encoding.buckets(relative).tolist()


@given(HALVES, FARTHEST)
def test_a_key_after_the_query_has_the_bucket_of_one_before_in_the_upper_half(half, farthest):
    encoding = T5Bias(num_buckets=2 * half, max_distance=farthest)
    distances = np.arange(1, farthest + 5)
    before, after = encoding.buckets(-distances), encoding.buckets(distances)
    np.testing.assert_array_equal(after, before + half)
    assert before.max() < half


def test_first_distances_of_t5():
    expected = [0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 23, 32, 46, 64, 91]
    assert T5Bias().first_distances.tolist() == expected


def test_its_facts():
    assert T5Bias.hooks() == ("on_scores",)
    assert T5Bias(n_heads=12).parameter_count() == 32 * 12
    assert T5Bias.extrapolates


@given(st.integers(0, 500), st.integers(1, 6), st.integers(1, 6), st.booleans())
def test_the_bias_is_read_by_head_and_bucket_whatever_the_position(shift, Lq, Lk, both):
    encoding = T5Bias(n_heads=3, num_buckets=8, max_distance=20, bidirectional=both)
    weights = encoding.init_weights(np.random.default_rng(0))
    bias = encoding.bias(np.arange(shift, shift + Lq), np.arange(shift, shift + Lk), weights)
    for head in range(3):
        for i in range(Lq):
            for j in range(Lk):
                bucket = bucket_by_logarithms(j - i, 8, 20, both)
                assert bias[head, i, j] == weights["table"][bucket, head]


def test_scores_get_the_bias_and_nothing_else():
    encoding, rng = T5Bias(n_heads=2), np.random.default_rng(0)
    weights = {"table": rng.normal(size=(32, 2))}
    scores = rng.normal(size=(3, 2, 4, 5))
    at = np.arange(4), np.arange(5)
    out = encoding.on_scores(scores, NOTHING, NOTHING, *at, weights)
    np.testing.assert_allclose(
        out - scores, np.broadcast_to(encoding.bias(*at, weights), out.shape)
    )


def test_the_gradient_counts_the_pairs_of_a_bucket():
    encoding = T5Bias(n_heads=1, num_buckets=8, max_distance=20)
    table = torch.zeros(8, 1, requires_grad=True)
    positions = torch.arange(5)
    encoding.bias(positions, positions, {"table": table}).sum().backward()
    assert table.grad[:, 0].tolist() == [5, 4, 6, 0, 0, 4, 6, 0]  # starts 0, 1, 2, 7 a direction


@pytest.mark.parametrize("relative", [[0, 1], np.array([0.5]), np.array([np.inf]), np.array(3)])
def test_relative_positions_that_are_not_whole_are_refused(relative):
    with pytest.raises(ParameterError, match=r"^relative="):
        T5Bias().buckets(relative)


@pytest.mark.parametrize(
    ("scores", "positions", "table", "argument"),
    [
        (np.zeros((3, 4, 4)), np.arange(4), np.zeros((32, 2)), "scores"),
        (np.zeros((2, 4, 4)), np.arange(5), np.zeros((32, 2)), "q_positions"),
        (np.zeros((2, 4, 4)), np.arange(4) / 2, np.zeros((32, 2)), "q_positions"),
        (np.zeros((2, 4, 4)), np.arange(4), np.zeros((2, 32)), 'weights["table"]'),
        (np.zeros((2, 4, 4)), np.arange(4), torch.zeros(32, 2), 'weights["table"]'),
    ],
)
def test_arguments_that_do_not_fit_are_refused_by_name(scores, positions, table, argument):
    with pytest.raises(ParameterError) as caught:
        T5Bias(n_heads=2).on_scores(
            scores, NOTHING, NOTHING, positions, positions, {"table": table}
        )
    assert caught.value.argument == argument


@given(st.integers(2, 32).map(lambda half: 2 * half), st.integers(0, 60), st.booleans(), st.data())
def test_as_many_distances_have_a_bucket_each_as_the_view_says(num_buckets, above, both, data):
    """Where buckets are many some hold no distance, so that counting buckets would count wrong."""
    farthest = num_buckets // (4 if both else 2) + 1 + above
    encoding = T5Bias(num_buckets=num_buckets, max_distance=farthest, bidirectional=both)
    of_distances = encoding.buckets(-np.arange(farthest + 2)).tolist()
    alone = [distance for distance, one in enumerate(of_distances) if of_distances.count(one) == 1]
    shared = next(one for one in range(farthest + 2) if one not in alone)
    words = "Distance 0 has" if shared == 1 else f"Distances 0 to {shared - 1} have"
    steps = t5_bias.views["staircase"].compute(encoding, reach=data.draw(st.integers(1, 200)))
    assert steps.finding.startswith(f"{words} a bucket each; ")
    if steps.zones:
        assert steps.zones[1].label == f"distances to {shared - 1} have a bucket each"


def test_the_views_show_the_buckets_and_say_where_they_end():
    data = t5_bias.views["buckets"].compute(T5Bias(), tokens=20)
    assert data.values[3, 9] == T5Bias().buckets(np.array([6]))[0] == 16 + 6
    assert data.summary["buckets_used"] == len(np.unique(data.values))
    steps = t5_bias.views["staircase"].compute(T5Bias(), reach=130)
    assert steps.finding == (
        "Distances 0 to 7 have a bucket each; the last bucket of a direction begins at distance 91"
        " and never ends."
    )
    assert steps.values[0, steps.x.values.tolist().index(-91)] == 15
    assert steps.values[0, steps.x.values.tolist().index(-90)] == 14
