"""RoPE: what the paper promises, checked against an independent oracle."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from posenc.attention import attention
from posenc.catalog.rope import Rope
from posenc.errors import ParameterError

pytestmark = pytest.mark.torch

HEAD_DIMS = st.integers(1, 16).map(lambda pairs: 2 * pairs)
BASES = st.floats(10.0, 1e6)
OFFSETS = st.integers(0, 4096)
PAIRINGS = st.sampled_from(["adjacent", "half-split"])


def rotate_by_complex_numbers(x, positions, base, pairing):
    """Oracle: section 3.4 of the paper read literally, one complex multiplication per pair."""
    out, D = np.empty_like(x), x.shape[1]
    for row, position in enumerate(positions):
        for i in range(D // 2):
            turn = np.exp(1j * position * base ** (-2 * i / D))
            one, two = (2 * i, 2 * i + 1) if pairing == "adjacent" else (i, i + D // 2)
            turned = complex(x[row, one], x[row, two]) * turn
            out[row, one], out[row, two] = turned.real, turned.imag
    return out


def normal(*shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape)


@given(HEAD_DIMS, BASES, OFFSETS, PAIRINGS)
def test_agrees_with_the_complex_number_oracle(head_dim, base, offset, pairing):
    x, positions = normal(5, head_dim), np.arange(offset, offset + 5)
    actual = Rope(head_dim=head_dim, base=base, pairing=pairing).rotate(x, positions)
    expected = rotate_by_complex_numbers(x, positions, base, pairing)
    np.testing.assert_allclose(actual, expected, rtol=0, atol=1e-11)


@given(HEAD_DIMS, st.integers(-500, 500), OFFSETS, PAIRINGS)
def test_scores_depend_on_the_relative_position_alone(head_dim, distance, shift, pairing):
    rope = Rope(head_dim=head_dim, pairing=pairing)
    q, k = normal(2, 1, head_dim, seed=1)

    def score(query_at, key_at):
        turned_q = rope.rotate(q, np.array([query_at]))
        return (turned_q @ rope.rotate(k, np.array([key_at])).T).item()

    near, far = score(distance, 0), score(distance + shift, shift)
    assert near == pytest.approx(far, abs=1e-11 * head_dim)


@pytest.mark.parametrize("pairing", ["adjacent", "half-split"])
def test_scores_differ_for_different_distances(pairing):
    """The test above would pass for an encoding that does nothing."""
    q, k = normal(2, 1, 16, seed=1)
    rope = Rope(head_dim=16, pairing=pairing)
    scores = rope.rotate(np.tile(q, (20, 1)), np.arange(20)) @ k[0]
    assert np.abs(np.subtract.outer(scores, scores))[~np.eye(20, dtype=bool)].min() > 1e-6


@given(HEAD_DIMS, PAIRINGS, st.floats(0, 1e6))
def test_norms_are_kept(head_dim, pairing, position):
    x = normal(1, head_dim)
    turned = Rope(head_dim=head_dim, pairing=pairing).rotate(x, np.array([position]))
    assert np.linalg.norm(turned) == pytest.approx(np.linalg.norm(x), rel=1e-14)


@given(st.sampled_from([0.25, 0.5, 1.0]), st.sampled_from(["none", "linear", "yarn"]), PAIRINGS)
def test_the_temperature_multiplies_the_dimensions_that_turn_alone(share, scaling, pairing):
    rope = Rope(head_dim=16, rotary_share=share, scaling=scaling, factor=16, pairing=pairing)
    x = np.random.default_rng(0).normal(size=(9, 16))
    turned, R = rope.rotate(x, np.arange(9)), rope.turning
    norms = [np.linalg.norm(one[:, :R], axis=1) for one in (turned, x)]
    np.testing.assert_allclose(norms[0], rope.temperature * norms[1], rtol=1e-14)
    np.testing.assert_array_equal(turned[:, R:], x[:, R:])
    assert (rope.temperature > 1) == (scaling == "yarn")


def test_the_pairings_are_one_encoding_up_to_a_permutation_of_dimensions():
    x, positions = normal(6, 8), np.arange(6)
    order = [0, 2, 4, 6, 1, 3, 5, 7]  # the first of each pair, then the second
    adjacent = Rope(head_dim=8, pairing="adjacent").rotate(x, positions)
    halves = Rope(head_dim=8, pairing="half-split").rotate(x[:, order], positions)
    np.testing.assert_allclose(halves, adjacent[:, order], rtol=0, atol=1e-15)


def test_position_zero_leaves_the_vector_alone():
    np.testing.assert_array_equal(Rope(head_dim=8).rotate(np.ones((1, 8)), np.zeros(1)), 1)


@given(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), PAIRINGS)
def test_only_the_first_share_of_the_dimensions_turns(share, pairing):
    rope, x = Rope(head_dim=16, rotary_share=share, pairing=pairing), normal(4, 16)
    turned, part = rope.rotate(x, np.arange(4)), int(16 * share)
    np.testing.assert_array_equal(turned[:, part:], x[:, part:])
    if part:
        alone = Rope(head_dim=part, pairing=pairing).rotate(x[:, :part], np.arange(4))
        np.testing.assert_array_equal(turned[:, :part], alone)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.float16, torch.bfloat16])
@pytest.mark.parametrize("pairing", ["adjacent", "half-split"])
@pytest.mark.parametrize("positions", [torch.arange(7), torch.arange(7.0)], ids=["int", "float"])
def test_torch_gives_the_numbers_of_numpy_in_the_dtype_of_x(dtype, pairing, positions):
    rope, x = Rope(head_dim=8, pairing=pairing), torch.from_numpy(normal(3, 2, 7, 8)).to(dtype)
    actual = rope.rotate(x, positions)
    expected = rope.rotate(x.double().numpy(), positions.numpy())
    assert actual.dtype == dtype
    rounding = {torch.float64: 1e-15, torch.float32: 3e-7}.get(dtype, 0.5 * torch.finfo(dtype).eps)
    error = np.abs(actual.double().numpy() - expected)
    assert (error <= rounding * np.maximum(np.abs(expected), 1) * 1.01).all()


def test_half_precision_is_rounded_once_at_the_end():
    """Rotating with bfloat16 waves rounds thrice: a third of the cells are another number then."""
    x = torch.from_numpy(normal(1, 1, 512, 64)).to(torch.bfloat16)
    rope, positions = Rope(head_dim=64), torch.arange(512)
    rounded = rope.rotate(x.double(), positions).to(torch.bfloat16)
    assert (rope.rotate(x, positions) == rounded).double().mean() > 0.999
    waves = (wave.to(torch.bfloat16) for wave in rope.waves(positions, like=x))
    assert (rope.turn(x, *waves) == rounded).double().mean() < 0.8


def test_float32_is_exact_far_out_where_float32_angles_are_not():
    x, positions = normal(4, 64), np.arange(100_000, 100_004)
    exact = Rope(head_dim=64).rotate(x, positions)
    single = Rope(head_dim=64).rotate(x.astype(np.float32), positions)
    assert single.dtype == np.float32
    assert np.abs(single - exact).max() < 5e-7


def test_a_new_query_meets_cached_keys_at_its_own_position():
    rope = Rope(head_dim=8)
    q, k, v = (normal(2, 9, 8, seed=seed) for seed in range(3))
    positions = np.arange(9)
    fixed = {"encoding": rope, "causal": True, "k_positions": positions}
    whole = attention(q, k, v, q_positions=positions, **fixed)
    last = attention(q[:, -1:], k, v, q_positions=positions[-1:], **fixed)
    np.testing.assert_allclose(last, whole[:, -1:], rtol=0, atol=1e-14)


def test_each_text_of_a_batch_has_positions_of_its_own_and_keys_fewer_heads():
    rope = Rope(head_dim=8)
    q, k = normal(3, 6, 5, 8), normal(3, 2, 5, 8, seed=1)
    positions = np.array([[0, 1, 2, 3, 4], [7, 8, 9, 10, 11], [4, 3, 2, 1, 0]])
    turned_q, turned_k = rope.on_queries_and_keys(q, k, positions, positions, {})
    for text in range(3):
        np.testing.assert_array_equal(turned_q[text], rope.rotate(q[text], positions[text]))
        np.testing.assert_array_equal(turned_k[text], rope.rotate(k[text], positions[text]))


def test_gradients_pass_through():
    x = torch.from_numpy(normal(4, 8)).requires_grad_()
    assert torch.autograd.gradcheck(lambda y: Rope(head_dim=8).rotate(y, torch.arange(4)), x)


def test_equal_vectors_score_as_the_course_says():
    """COURSE: q = k scores 1, 0.97, 0.67, 0.55, 0.48, 0.30, 0.16 at 0, 1, 10, 50, 100 ..."""
    rope, ones = Rope(head_dim=128), np.ones((1, 128))
    distances = np.array([0, 1, 10, 50, 100, 500, 1000])
    scores = rope.rotate(np.ones((7, 128)), distances) @ ones[0] / 128
    assert scores == pytest.approx([1, 0.97, 0.67, 0.55, 0.48, 0.30, 0.16], abs=0.006)


def test_turns_within_the_trained_length_as_the_course_says():
    inv_freq = Rope(head_dim=128).inv_freq
    for length, pairs in ((2048, 41), (8192, 50)):
        assert np.sum(length * inv_freq >= 2 * np.pi) == pairs


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"head_dim": 7}, "head_dim=7: must be even"),
        ({"head_dim": 0}, "head_dim=0: must be between 2 and 65536"),
        ({"head_dim": 64.0}, "head_dim=64.0: must be a whole number"),
        ({"pairing": "interleaved"}, "pairing=interleaved: must be one of adjacent, half-split"),
        ({"head_dim": 6, "rotary_share": 0.5}, "must leave an even number of the 6 dimensions"),
        ({"rotary_share": 1.5}, "rotary_share=1.5: must be between 0 and 1"),
    ],
)
def test_parameters_that_do_not_fit_are_refused_with_the_reason(arguments, message):
    with pytest.raises(ParameterError) as caught:
        Rope(**arguments)
    assert message in str(caught.value)


def test_waves_are_refused_to_another_library():
    with pytest.raises(ParameterError, match=r"^positions=.*same library as like"):
        Rope(head_dim=4).waves(np.arange(3), like=torch.ones(3, 4))
    with pytest.raises(ParameterError, match=r"^like=3: must be a numpy array or torch tensor"):
        Rope(head_dim=4).waves(np.arange(3), like=3)


@pytest.mark.parametrize(
    ("x", "positions", "argument"),
    [
        (np.ones((5, 6)), np.arange(5), "x"),
        (np.ones(8), np.arange(1), "x"),
        (np.ones((5, 8), dtype=int), np.arange(5), "x"),
        (np.ones((5, 8)), np.arange(4), "positions"),
        (np.ones((5, 8)), np.ones((2, 5)), "positions"),
        (np.ones((5, 8)), np.array([0, 1, 2, 3, np.nan]), "positions"),
        (np.ones((5, 8)), torch.arange(5), "positions"),
        (np.ones((5, 8)), list(range(5)), "positions"),
    ],
)
@pytest.mark.parametrize("scaling", ["none", "dynamic-ntk"])
def test_arrays_that_do_not_fit_are_refused_by_name(x, positions, argument, scaling):
    with pytest.raises(ParameterError) as caught:
        Rope(head_dim=8, scaling=scaling).rotate(x, positions)
    assert caught.value.argument == argument
