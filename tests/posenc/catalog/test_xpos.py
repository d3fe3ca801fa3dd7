"""xPos: scores fade with distance alone, wherever a text stands, as far as the dtype can tell."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from posenc.attention import attention
from posenc.catalog.xpos import XPos
from posenc.errors import ParameterError

pytestmark = pytest.mark.torch

XPOS = XPos(head_dim=8)
FARTHEST = 35_127  # tokens from the middle in float32: log(2^124) / log(1.4 / 0.4) * 512


def normal(*shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape)


def score_by_complex_numbers(q, k, distance, xpos=XPOS):
    """Oracle: one complex product for each pair, times what has faded over the distance."""
    q, k = (one[0::2] + 1j * one[1::2] for one in (q, k))
    zeta = (np.arange(0, xpos.head_dim, 2) / xpos.head_dim + xpos.gamma) / (1 + xpos.gamma)
    faded = np.exp(distance / xpos.scale_base * np.log(zeta))
    return (q * k.conj() * np.exp(1j * distance * xpos.rope.inv_freq) * faded).real.sum()


@given(st.integers(0, 200), st.integers(-(10**6), 10**6))
def test_scores_fade_and_depend_on_the_distance_alone(distance, shift):
    q, k = normal(2, 8, seed=2)
    turned_q, turned_k = XPOS.on_queries_and_keys(
        q[None], k[None], np.array([shift + distance]), np.array([shift]), {}
    )
    expected = score_by_complex_numbers(q, k, distance)
    assert (turned_q @ turned_k.T).item() == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("dtype", "start", "tolerance"),
    [
        (torch.float16, 10_000, 0.01),
        (torch.float32, 100_000, 2e-6),
        (torch.bfloat16, 10**6, 0.06),
        (torch.float64, 10**6, 1e-9),
    ],
    ids=str,
)
def test_a_short_text_at_a_high_position_is_encoded_as_at_the_start(dtype, start, tolerance):
    q, k, v = (torch.from_numpy(normal(1, 2, 10, 8, seed=seed)).to(dtype) for seed in range(3))
    at = torch.arange(10)
    there = attention(
        q, k, v, encoding=XPOS, q_positions=at + start, k_positions=at + start, causal=True
    )
    exact = attention(
        q.double(),
        k.double(),
        v.double(),
        encoding=XPOS,
        q_positions=at,
        k_positions=at,
        causal=True,
    )
    assert (there.double() - exact).abs().max() < tolerance


def test_each_text_of_a_batch_has_a_middle_of_its_own():
    q, k = normal(2, 3, 6, 8).astype(np.float32), normal(2, 1, 6, 8, seed=1).astype(np.float32)
    at = np.array([[0, 1, 2, 3, 4, 5], [10**6 + one for one in (2, 3, 5, 7, 11, 13)]])
    together = XPOS.on_queries_and_keys(q, k, at, at, {})
    for text in range(2):
        alone = XPOS.on_queries_and_keys(q[text], k[text], at[text], at[text], {})
        for ours, theirs in zip(together, alone, strict=True):
            np.testing.assert_array_equal(ours[text], theirs)


def test_no_keys_at_all_are_no_mistake():
    nothing, at = np.empty((1, 0, 8)), np.arange(0)
    q, k = XPOS.on_queries_and_keys(normal(1, 1, 8), nothing, np.array([10**6]), at, {})
    assert (q.shape, k.shape) == ((1, 1, 8), (1, 0, 8))


@pytest.mark.parametrize("library", [np.asarray, torch.from_numpy], ids=["numpy", "torch"])
def test_turned_keys_may_be_kept_once_the_middle_is(library):
    """Each key is turned when it comes, and meets every later query."""
    q, k = (library(normal(1, 9, 8, seed=seed).astype(np.float32)) for seed in range(2))
    at = library(np.arange(100, 109))
    kept = [XPOS.rotate_keys(k[:, [i]], at[i : i + 1], middle=90) for i in range(9)]
    last = XPOS.rotate_queries(q[:, -1:], at[-1:], middle=90)
    scores = [float((last[0, 0] * one[0, 0]).sum()) for one in kept]
    pairs = [(np.asarray(q[0, -1]), np.asarray(one)) for one in k[0]]
    expected = [score_by_complex_numbers(*pair, 8 - i) for i, pair in enumerate(pairs)]
    np.testing.assert_allclose(scores, expected, rtol=0, atol=2e-6)


def test_a_text_as_long_as_float32_can_tell_is_exact_at_both_ends():
    at = np.array([0, 1, 2 * FARTHEST - 1, 2 * FARTHEST])
    q, k = (3 * normal(4, 8, seed=seed).astype(np.float32) for seed in range(2))
    turned_q, turned_k = XPOS.on_queries_and_keys(q, k, at, at, {})
    for i, j in [(0, 0), (1, 0), (1, 1), (2, 0), (2, 2), (3, 1), (3, 2), (3, 3)]:
        actual = turned_q[i].astype(float) @ turned_k[j].astype(float)
        assert actual == pytest.approx(
            score_by_complex_numbers(q[i], k[j], at[i] - at[j]), abs=1e-4
        )


@pytest.mark.parametrize(
    ("q_at", "k_at", "message"),
    [
        (
            [40_000],
            [0, 2 * FARTHEST + 2],
            "k_positions=70256: must be at most 70255: in float32 xPos",
        ),
        ([9], [100_000, 100_003], "q_positions=9: must be at least 64875: in float32 xPos reaches"),
    ],
)
def test_positions_beyond_float32_are_refused_with_the_limit(q_at, k_at, message):
    q, k = (np.ones((len(at), 8), dtype=np.float32) for at in (q_at, k_at))
    with pytest.raises(ParameterError) as caught:
        XPOS.on_queries_and_keys(q, k, np.array(q_at), np.array(k_at), {})
    assert str(caught.value).startswith(message)
    assert str(FARTHEST) in str(caught.value)


@pytest.mark.parametrize(
    ("dtype", "farthest"),
    [(torch.float16, 3399), (torch.bfloat16, 35_125), (torch.float32, FARTHEST)],
    ids=str,
)
def test_how_far_a_dtype_can_tell(dtype, farthest):
    ones, middle = torch.ones(1, 8, dtype=dtype), 10**6
    last = XPOS.rotate_keys(ones, torch.tensor([middle + farthest]), middle=middle)
    first = XPOS.rotate_queries(ones, torch.tensor([middle - farthest]), middle=middle)
    assert torch.isfinite(10 * last).all()
    assert torch.isfinite(10 * first).all()
    for turn, beyond in ((XPOS.rotate_keys, 1), (XPOS.rotate_queries, -1)):
        with pytest.raises(ParameterError, match=rf"reaches {farthest} tokens from the middle"):
            turn(ones, torch.tensor([middle + beyond * (farthest + 1)]), middle=middle)


WITHOUT_MASK = [(torch.float16, 2266), (torch.bfloat16, 33_992), (torch.float32, 33_994)]


@pytest.mark.parametrize(("dtype", "farthest"), WITHOUT_MASK, ids=str)
def test_without_a_mask_a_later_key_is_in_reach_or_refused(dtype, farthest):
    """Scores of 256 before they grow are finite at the very end; a mask has the whole reach."""
    q = torch.zeros(1, 2, 8, dtype=dtype)
    q[..., 0] = 16
    at = torch.tensor([10**6, 10**6 + farthest])
    turned = {"q_positions": at, "k_positions": at}
    assert torch.isfinite(attention(q, q, q, encoding=XPOS, **turned)).all()
    at[1] += 1
    expected = rf"k_positions=.* at most {farthest} after .* is {farthest + 1} after"
    with pytest.raises(ParameterError, match=expected):
        attention(q, q, q, encoding=XPOS, **turned)
    assert torch.isfinite(attention(q, q, q, encoding=XPOS, causal=True, **turned)).all()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("dtype", "positions"),
    [(torch.float16, torch.arange(4000)), (torch.float32, torch.tensor([0, 40_000]))],
    ids=str,
)
def test_a_mask_hides_overflowing_scores_also_from_the_gradient(dtype, positions):
    """The same text is refused without one."""
    q, k, v = (
        torch.from_numpy(normal(1, len(positions), 8, seed=seed)).to(dtype).requires_grad_()
        for seed in range(3)
    )
    at = {"q_positions": positions, "k_positions": positions}
    mixed = attention(q, k, v, encoding=XPOS, causal=True, **at)
    mixed.sum().backward()
    assert all(torch.isfinite(one).all() for one in (mixed, q.grad, k.grad, v.grad))
    with pytest.raises(ParameterError, match="without a causal mask"):
        attention(q, k, v, encoding=XPOS, **at)


def test_without_a_mask_every_text_of_a_batch_and_no_earlier_key_is_looked_at():
    q = normal(2, 1, 2, 8).astype(np.float32)
    at = np.array([[0, 1], [0, 40_000]])
    with pytest.raises(ParameterError, match="without a causal mask"):
        attention(q, q, q, encoding=XPOS, q_positions=at, k_positions=at)
    late = at + 40_000
    assert np.isfinite(attention(q, q, q, encoding=XPOS, q_positions=late, k_positions=at)).all()


def test_a_query_far_behind_all_keys_sees_nothing_of_them():
    ones = np.ones((1, 8), dtype=np.float32)
    q, k = XPOS.on_queries_and_keys(ones, ones, np.array([10**7]), np.array([0]), {})
    assert (q @ k.T).item() == 0


@pytest.mark.parametrize("middle", [None, 0.5, "8", True, 2**60, np.nan])
def test_a_middle_that_is_none_is_refused(middle):
    with pytest.raises(ParameterError, match=r"^middle="):
        XPOS.rotate_keys(normal(1, 1, 8), np.arange(1), middle=middle)


@pytest.mark.parametrize("turn", [XPOS.rotate_keys, XPOS.rotate_queries])
def test_arguments_that_do_not_fit_are_refused_by_name(turn):
    with pytest.raises(ParameterError, match=r"^[kq]=<ndarray of shape \(1, 1, 6\)"):
        turn(normal(1, 1, 6), np.arange(1), middle=0)
    with pytest.raises(ParameterError, match=r"^positions="):
        turn(normal(1, 1, 8), np.arange(2), middle=0)


def test_queries_and_keys_of_unlike_batches_are_refused():
    at = np.arange(5)
    with pytest.raises(ParameterError, match=r"^k=<ndarray of shape \(3, 1, 5, 8\)"):
        XPOS.on_queries_and_keys(
            normal(2, 1, 5, 8), normal(3, 1, 5, 8), at, np.tile(at, (3, 1)), {}
        )
