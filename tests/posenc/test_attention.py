"""Scaled dot-product attention: against torch's own, a loop in plain Python, and its properties."""

import math
from dataclasses import dataclass

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from posenc.attention import Projections, attention, self_attention, softmax
from posenc.catalog.sinusoidal import Sinusoidal
from posenc.encoding import Encoding
from posenc.errors import ParameterError

pytestmark = pytest.mark.torch

NO_POSITIONS = Encoding()


def draw_heads(length, n_heads=2, head_dim=4, seed=0, batch=()):
    rng = np.random.default_rng(seed)
    return tuple(rng.normal(size=(*batch, n_heads, length, head_dim)) for _ in range(3))


def attend(q, k, v, **options):
    """Attention of tokens 0, 1, 2 ... without an encoding, unless told otherwise."""
    options = {
        "encoding": NO_POSITIONS,
        "q_positions": np.arange(q.shape[-2]),
        "k_positions": np.arange(k.shape[-2]),
        **options,
    }
    return attention(q, k, v, **options)


def attention_by_loops(q, k, v, causal):
    """Oracle: equation 1 for one head, one number at a time."""
    out = []
    for at, query in enumerate(q):
        keys = range(at + 1) if causal else range(len(k))
        scores = [sum(a * b for a, b in zip(query, k[j], strict=True)) for j in keys]
        parts = [math.exp(score / math.sqrt(len(query))) for score in scores]
        share = [part / sum(parts) for part in parts]
        columns = range(v.shape[1])
        out.append([sum(share[j] * v[j][c] for j in keys) for c in columns])
    return np.array(out)


@given(st.integers(1, 6), st.booleans(), st.integers(0, 100))
def test_agrees_with_the_equation_written_as_loops(length, causal, seed):
    q, k, v = draw_heads(length, seed=seed)
    actual = attend(q, k, v, causal=causal)
    for head in range(2):
        expected = attention_by_loops(q[head], k[head], v[head], causal)
        np.testing.assert_allclose(actual[head], expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_agrees_with_torch(causal, dtype):
    q, k, v = (torch.from_numpy(x).to(dtype) for x in draw_heads(7, batch=(3,)))
    theirs = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal)
    positions = torch.arange(7)
    ours = attend(q, k, v, causal=causal, q_positions=positions, k_positions=positions)
    assert ours.dtype == dtype
    tolerance = 1e-12 if dtype == torch.float64 else 1e-6
    torch.testing.assert_close(ours, theirs, rtol=0, atol=tolerance)


def test_one_new_query_meets_a_cache_of_keys():
    q, k, v = draw_heads(9)
    whole = attend(q, k, v, causal=True)
    last = attend(q[:, -1:], k, v, causal=True, q_positions=np.array([8]))
    np.testing.assert_allclose(last, whole[:, -1:], rtol=0, atol=1e-14)


def test_each_text_of_a_batch_has_positions_of_its_own():
    q, k, v = draw_heads(4, batch=(2,))
    positions = np.array([[0, 1, 2, 3], [3, 2, 1, 0]], dtype=np.uint8)  # the second backwards
    both = attend(q, k, v, causal=True, q_positions=positions, k_positions=positions)
    alone = attend(q[1, :, ::-1], k[1, :, ::-1], v[1, :, ::-1], causal=True)
    np.testing.assert_allclose(both[1], alone[:, ::-1], rtol=0, atol=1e-14)


def test_a_query_that_sees_no_key_gets_zeros():
    q, k, v = draw_heads(3)
    out = attend(q, k, v, causal=True, k_positions=np.array([5, 6, 7]))
    np.testing.assert_array_equal(out, np.zeros_like(v))


@given(st.permutations(range(5)))
def test_without_positions_attention_does_not_see_the_order(order):
    """COURSE fact: f(Px) = P f(x), a causal mask breaks it."""
    rng, order = np.random.default_rng(1), np.array(order)
    x, layer = rng.normal(size=(5, 6)), _layer(rng, 6)
    apply = {"encoding": NO_POSITIONS, "positions": np.arange(5)}
    straight = self_attention(x, layer, **apply)
    shuffled = self_attention(x[order], layer, **apply)
    np.testing.assert_allclose(shuffled, straight[order], rtol=0, atol=1e-14)


def test_with_positions_or_a_causal_mask_it_does():
    rng = np.random.default_rng(1)
    x, layer, order = rng.normal(size=(5, 6)), _layer(rng, 6), np.array([1, 0, 2, 3, 4])
    positions = np.arange(5)
    for options in ({"encoding": Sinusoidal(d_model=6)}, {"encoding": Encoding(), "causal": True}):
        straight = self_attention(x, layer, positions=positions, **options)
        shuffled = self_attention(x[order], layer, positions=positions, **options)
        assert np.abs(shuffled - straight[order]).max() > 0.1


def _layer(rng, d_model, n_heads=2):
    return Projections(*rng.normal(size=(3, d_model, d_model)), n_heads=n_heads)


def test_heads_are_the_columns_in_order():
    rng = np.random.default_rng(3)
    x, layer = rng.normal(size=(2, 5, 6)), _layer(rng, 6, n_heads=3)
    out = self_attention(x, layer, encoding=NO_POSITIONS, positions=np.arange(5))
    second = slice(2, 4)
    q, k, v = (x[0] @ m[:, second] for m in (layer.queries, layer.keys, layer.values))
    np.testing.assert_allclose(out[0][:, second], attention_by_loops(q, k, v, causal=False))


HOOKS = ["on_embeddings", "on_queries_and_keys", "on_scores", "on_values"]


def test_every_hook_is_called_in_order_and_its_result_is_used():
    calls = []

    @dataclass(frozen=True)
    class Everywhere(Encoding):
        """Add one, double the queries, let only key 0 be seen, triple the result."""

        def on_embeddings(self, x, positions, weights):
            calls.append(("on_embeddings", weights["name"], positions.tolist()))
            return x + 1

        def on_queries_and_keys(self, q, k, q_positions, k_positions, weights):
            calls.append(("on_queries_and_keys", weights["name"], q.shape, k.shape))
            return 2 * q, k

        def on_scores(self, scores, q, k, q_positions, k_positions, weights):
            calls.append(("on_scores", weights["name"], scores.shape))
            expected = q @ np.swapaxes(k, -1, -2) / math.sqrt(2)
            np.testing.assert_allclose(scores, expected)
            return np.where(k_positions == 0, scores, -np.inf)

        def on_values(self, mixed, attention, q_positions, k_positions, weights):
            calls.append(("on_values", weights["name"], attention[0].tolist()))
            return 3 * mixed

    assert Everywhere.hooks() == tuple(HOOKS)
    assert Encoding.hooks() == ()
    rng = np.random.default_rng(5)
    x, layer = rng.normal(size=(3, 4)), _layer(rng, 4)
    out = self_attention(
        x, layer, encoding=Everywhere(), positions=np.arange(3), weights={"name": "learned"}
    )
    first_value = (x[0] + 1) @ layer.values
    np.testing.assert_allclose(out, np.tile(3 * first_value, (3, 1)))
    assert [call[0] for call in calls] == HOOKS
    assert {call[1] for call in calls} == {"learned"}
    assert calls[3][2] == [[1, 0, 0]] * 3


def test_half_precision_is_summed_in_float32():
    q, k, v = (torch.from_numpy(x).to(torch.bfloat16) for x in draw_heads(64))
    exact = attend(*(x.double() for x in (q, k, v)), **_torch_positions(64))
    half = attend(q, k, v, **_torch_positions(64))
    assert half.dtype == torch.bfloat16
    assert (half.double() - exact).abs().max() < 0.02


def _torch_positions(length):
    return {"q_positions": torch.arange(length), "k_positions": torch.arange(length)}


def test_softmax_of_huge_scores_is_finite_and_sums_to_one():
    shares = softmax(np.array([[1e4, 1e4 - 1, -np.inf], [-1e4, -1e4, -1e4]]))
    np.testing.assert_allclose(shares.sum(axis=-1), 1, rtol=1e-15)
    assert shares[0, 2] == 0


def test_keys_may_have_fewer_heads_each_serving_a_group_of_queries():
    q, k, v = draw_heads(5, n_heads=6)
    grouped = attend(q, k[:2], v[:2], causal=True)
    repeated = attend(q, np.repeat(k[:2], 3, axis=0), np.repeat(v[:2], 3, axis=0), causal=True)
    np.testing.assert_array_equal(grouped, repeated)
    tensors = [torch.from_numpy(x)[None] for x in (q, k[:2], v[:2])]
    theirs = torch.nn.functional.scaled_dot_product_attention(
        *tensors, is_causal=True, enable_gqa=True
    )
    np.testing.assert_allclose(grouped, theirs[0].numpy(), rtol=0, atol=1e-12)
    with pytest.raises(ParameterError, match=r"divides the 6 of q"):
        attend(q, k[:4], v[:4])


FOUR, FIVE = np.ones((2, 4, 8)), np.ones((2, 5, 8))


@pytest.mark.parametrize(
    ("q", "k", "v", "options", "argument"),
    [
        (FOUR, np.ones((2, 4, 6)), FOUR, {}, "k"),
        (FOUR, FIVE, FOUR, {}, "v"),
        (FOUR.astype(int), FOUR, FOUR, {}, "q"),
        (FOUR, FOUR.tolist(), FOUR, {}, "k"),
        (FOUR, FOUR, np.ones(4), {}, "v"),
        (FOUR, FIVE, FIVE, {"k_positions": np.arange(4)}, "k_positions"),
        (FOUR, FOUR, FOUR, {"q_positions": np.zeros((2, 2, 4, 4))}, "q_positions"),
        (FOUR, FOUR, FOUR, {"q_positions": torch.arange(4)}, "q_positions"),
        (FOUR, FOUR, FOUR, {"q_positions": np.array(["a"] * 4)}, "q_positions"),
    ],
)
def test_shapes_that_do_not_fit_are_refused_by_name(q, k, v, options, argument):
    fixed = {"q_positions": np.arange(4), "k_positions": np.arange(np.asarray(k).shape[-2])}
    with pytest.raises(ParameterError) as caught:
        attention(q, k, v, encoding=NO_POSITIONS, **{**fixed, **options})
    assert caught.value.argument == argument


@pytest.mark.parametrize("scale", [0.0, -1, float("nan"), float("inf"), 10**400, True, "1"])
def test_a_scale_that_is_none_is_refused(scale):
    with pytest.raises(ParameterError, match=r"^scale=.*must be a finite number above 0"):
        attend(*draw_heads(3), scale=scale)


def test_anything_but_an_encoding_is_refused():
    with pytest.raises(ParameterError, match=r"^encoding=None: must be an encoding"):
        attend(*draw_heads(3), encoding=None)


def test_keys_of_another_library_are_refused():
    q, k, v = draw_heads(3)
    with pytest.raises(ParameterError, match=r"^k=.*must be from the same library as q"):
        attend(q, torch.from_numpy(k), v)


def test_heads_that_do_not_divide_are_refused():
    layer = _layer(np.random.default_rng(0), 6, n_heads=4)
    with pytest.raises(ParameterError, match="n_heads=4: must divide the 6 columns"):
        self_attention(np.ones((3, 6)), layer, encoding=NO_POSITIONS, positions=np.arange(3))
