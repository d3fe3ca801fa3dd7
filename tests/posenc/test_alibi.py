"""ALiBi: the rule of the paper and that of the authors' code, and how it meets attention."""

from fractions import Fraction

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from posenc.attention import attention
from posenc.catalog.alibi import Alibi
from posenc.errors import ParameterError

pytestmark = pytest.mark.torch


def slopes_by_the_authors_recursion(n):
    """Oracle: exponents as fractions, recursion as in the released get_slopes."""

    def exponents(count):
        if count & (count - 1) == 0:
            return [Fraction(-8 * head, count) for head in range(1, count + 1)]
        lower = 1 << (count.bit_length() - 1)
        return exponents(lower) + exponents(2 * lower)[0::2][: count - lower]

    return [2 ** float(exponent) for exponent in exponents(n)]


@given(st.integers(1, 200))
def test_slopes_equal_the_slopes_of_the_authors_code(n_heads):
    expected = slopes_by_the_authors_recursion(n_heads)
    np.testing.assert_allclose(Alibi(n_heads=n_heads).slopes, expected, rtol=1e-15)


@given(st.integers(0, 7).map(lambda power: 2**power))
def test_both_rules_agree_for_powers_of_two(n_heads):
    authors, geometric = Alibi(n_heads=n_heads), Alibi(n_heads=n_heads, rule="geometric")
    np.testing.assert_array_equal(authors.slopes, geometric.slopes)


def test_twelve_heads_begin_at_a_half_and_not_at_0_63():
    assert Alibi(n_heads=12).slopes[0] == 0.5
    assert Alibi(n_heads=12, rule="geometric").slopes[0] == pytest.approx(0.63, abs=0.001)


@given(st.integers(1, 9), st.lists(st.integers(-50, 50), min_size=1, max_size=6), st.data())
def test_the_bias_is_minus_slope_times_distance_pair_by_pair(n_heads, queries, data):
    keys = data.draw(st.lists(st.integers(-50, 50), min_size=1, max_size=6))
    q_positions, k_positions = np.array(queries), np.array(keys)
    for form in ("symmetric", "causal"):
        encoding = Alibi(n_heads=n_heads, form=form)
        bias = encoding.bias(q_positions, k_positions)
        assert bias.shape == (n_heads, len(queries), len(keys))
        for h, slope in enumerate(slopes_by_the_authors_recursion(n_heads)):
            for i, query in enumerate(queries):
                for j, key in enumerate(keys):
                    distance = max(query - key, 0) if form == "causal" else abs(query - key)
                    assert bias[h, i, j] == pytest.approx(-slope * distance, rel=1e-14)


def test_under_a_causal_mask_both_forms_are_the_same():
    q, k, v = np.random.default_rng(0).normal(size=(3, 4, 6, 8))
    options = {"q_positions": np.arange(6), "k_positions": np.arange(6), "causal": True}
    outs = [
        attention(q, k, v, encoding=Alibi(n_heads=4, form=form), **options)
        for form in ("symmetric", "causal")
    ]
    np.testing.assert_array_equal(*outs)


def test_a_new_query_meets_cached_keys_at_its_own_position():
    q, k, v = np.random.default_rng(0).normal(size=(3, 12, 9, 8))
    fixed = {"encoding": Alibi(n_heads=12), "causal": True, "k_positions": np.arange(9)}
    whole = attention(q, k, v, q_positions=np.arange(9), **fixed)
    last = attention(q[:, -1:], k, v, q_positions=np.array([8]), **fixed)
    np.testing.assert_allclose(last, whole[:, -1:], rtol=0, atol=1e-14)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_scores_keep_their_dtype_in_numpy(dtype):
    scores = np.zeros((2, 4, 3, 5), dtype=dtype)
    out = _add(Alibi(n_heads=4), scores, np.arange(3), np.arange(5))
    assert out.dtype == dtype
    bias = Alibi(n_heads=4).bias(np.arange(3), np.arange(5))
    np.testing.assert_allclose(out[1], bias, rtol=np.finfo(dtype).eps)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.float32, torch.float64])
@pytest.mark.parametrize("whole", [True, False], ids=["int positions", "float positions"])
def test_scores_keep_their_dtype_in_torch(dtype, whole):
    scores = torch.zeros(2, 4, 3, 5, dtype=dtype)
    positions = [torch.arange(3), torch.arange(5)]
    if not whole:
        positions = [one.double() for one in positions]
    out = _add(Alibi(n_heads=4), scores, *positions)
    assert out.dtype == dtype
    bias = Alibi(n_heads=4).bias(np.arange(3), np.arange(5))
    np.testing.assert_array_equal(out[0].double(), torch.from_numpy(bias).to(dtype).double())


def _add(encoding, scores, q_positions, k_positions):
    return encoding.on_scores(scores, None, None, q_positions, k_positions, {})


def test_each_text_of_a_batch_has_positions_of_its_own():
    encoding, positions = Alibi(n_heads=2), np.array([[0, 1, 2], [5, 9, 100]], dtype=np.uint8)
    both = encoding.bias(positions, positions)
    assert both.shape == (2, 2, 3, 3)
    for text in range(2):
        np.testing.assert_array_equal(both[text], encoding.bias(positions[text], positions[text]))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_heads": 0}, "n_heads=0: must be between 1 and 4096"),
        ({"n_heads": 8.0}, "n_heads=8.0: must be a whole number"),
        ({"rule": "paper"}, "rule=paper: must be one of authors, geometric"),
        ({"form": "masked"}, "form=masked: must be one of symmetric, causal"),
    ],
)
def test_parameters_that_cannot_be_used_are_refused_with_the_reason(arguments, message):
    with pytest.raises(ParameterError, match=message):
        Alibi(**arguments)


@pytest.mark.parametrize(
    ("scores", "q_positions", "k_positions", "argument"),
    [
        (np.zeros((3, 4, 4)), np.arange(4), np.arange(4), "scores"),
        (np.zeros((4, 4)), np.arange(4), np.arange(4), "scores"),
        (np.zeros((2, 4, 4), dtype=int), np.arange(4), np.arange(4), "scores"),
        (np.zeros((2, 4, 4)), np.arange(3), np.arange(4), "q_positions"),
        (np.zeros((2, 4, 4)), np.arange(4), np.arange(9), "k_positions"),
        (np.zeros((2, 4, 4)), np.arange(4), np.full(4, np.nan), "k_positions"),
        (np.zeros((2, 4, 4)), torch.arange(4), np.arange(4), "q_positions"),
    ],
)
def test_scores_and_positions_that_do_not_fit_are_refused_by_name(
    scores, q_positions, k_positions, argument
):
    with pytest.raises(ParameterError) as caught:
        _add(Alibi(n_heads=2), scores, q_positions, k_positions)
    assert caught.value.argument == argument


@pytest.mark.parametrize("rule", ["authors", "geometric"])
@pytest.mark.parametrize("n_heads", [1, 3, 5, 8, 12, 16, 24, 32, 71])
@pytest.mark.parametrize("first", [0, 2**24 - 9, 2**52])
def test_a_bias_in_float32_is_the_float64_bias_rounded(rule, n_heads, first):
    """Also where float32 would be exact no more: no path may lose a digit."""
    at, encoding = torch.arange(first, first + 40), Alibi(n_heads=n_heads, rule=rule)
    for q, k in ((at[-2:], at), (torch.arange(3), at)):
        exact = encoding.bias(q, k)
        for dtype in (torch.float32, torch.bfloat16, torch.float16):
            assert torch.equal(encoding.bias(q, k, dtype=dtype), exact.to(dtype))
        inexact = encoding.bias(q.numpy(), k.numpy(), dtype=np.float32)
        np.testing.assert_array_equal(inexact, exact.float().numpy())


@pytest.mark.parametrize(("n_heads", "repeated"), [(16, 8), (32, 8), (3, 3), (12, 1), (1, 1)])
def test_slopes_repeat_in_octaves(n_heads, repeated):
    """With 32 heads each slope is half of the one four heads before: 28 of them cost a halving."""
    encoding = Alibi(n_heads=n_heads)
    octaves = encoding._octaves
    assert len(octaves) == repeated
    again = np.outer(octaves, encoding.slopes[: n_heads // repeated]).ravel()
    np.testing.assert_array_equal(again, encoding.slopes)


def test_positions_in_bfloat16_which_numpy_does_not_have_are_positions():
    encoding, at = Alibi(n_heads=2), torch.arange(6)
    rounded = at.to(torch.bfloat16)
    assert torch.equal(encoding.bias(rounded, rounded), encoding.bias(at, at))


@pytest.mark.filterwarnings("error")
def test_beyond_float16_a_penalty_is_infinite_without_a_warning():
    bias = Alibi(n_heads=12).bias(np.array([200_000]), np.arange(3), dtype=np.float16)
    exact = Alibi(n_heads=12).bias(np.array([200_000]), np.arange(3))
    np.testing.assert_array_equal(np.isinf(bias), exact < -65_519)
    assert np.isinf(bias).any()
    assert np.isfinite(bias).any()


@pytest.mark.parametrize("relative", [3, None, [0, 1], np.array(2.0), np.zeros((2, 2)), "x"])
def test_relative_positions_that_are_none_are_refused(relative):
    with pytest.raises(ParameterError, match=r"^relative="):
        Alibi().penalties(relative)
