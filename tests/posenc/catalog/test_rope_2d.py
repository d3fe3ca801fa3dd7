"""M-RoPE: complex numbers pair by pair, RoPE for text, and what a shift leaves alone."""

import cmath

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from posenc.attention import attention
from posenc.catalog.rope import Rope
from posenc.catalog.rope_2d import Rope2d, rope_2d
from posenc.errors import ParameterError

from tests.posenc.catalog.small import draw_layer, small

pytestmark = pytest.mark.torch

SECTIONS = st.tuples(st.integers(0, 4), st.integers(1, 4), st.integers(1, 4))
PAIRINGS = st.sampled_from(["adjacent", "half-split"])


def of(sections, **other):
    time, height, width = sections
    return Rope2d(time_pairs=time, height_pairs=height, width_pairs=width, **other)


def rotate_by_complex_numbers(x, positions, sections, base, pairing):
    """Oracle: one complex multiplication for each token and pair."""
    out, pairs = np.empty_like(x), sum(sections)
    followed = [axis for axis, count in enumerate(sections) for _ in range(count)]
    for token, row in enumerate(x):
        for i, axis in enumerate(followed):
            columns = (2 * i, 2 * i + 1) if pairing == "adjacent" else (i, i + pairs)
            angle = float(positions[axis, token]) * base ** (-i / pairs)
            turned = complex(*row[list(columns)]) * cmath.rect(1.0, angle)
            out[token, list(columns)] = turned.real, turned.imag
    return out


@given(SECTIONS, PAIRINGS, st.floats(2, 1e6), st.integers(0, 99))
def test_agrees_with_complex_numbers(sections, pairing, base, seed):
    rng = np.random.default_rng(seed)
    x, positions = rng.normal(size=(5, 2 * sum(sections))), rng.uniform(-50, 500, size=(3, 5))
    actual = of(sections, base=base, pairing=pairing).rotate(x, positions)
    expected = rotate_by_complex_numbers(x, positions, sections, base, pairing)
    np.testing.assert_allclose(actual, expected, rtol=0, atol=1e-11)


@given(SECTIONS, PAIRINGS)
def test_text_is_turned_as_rope_turns_it(sections, pairing):
    ours = of(sections, pairing=pairing)
    x = np.random.default_rng(0).normal(size=(2, 7, ours.head_dim))
    positions = np.arange(7)
    rope = Rope(head_dim=ours.head_dim, pairing=pairing)
    turned = ours.rotate(x, ours.positions_in_text(positions))
    np.testing.assert_array_equal(turned, rope.rotate(x, positions))


@given(SECTIONS, st.tuples(*[st.integers(-99, 99)] * 3))
def test_scores_depend_on_the_offset_in_each_axis_alone(sections, shift):
    ours, rng = of(sections), np.random.default_rng(0)
    x = rng.normal(size=(6, ours.head_dim))
    at = rng.integers(0, 40, size=(3, 6))
    here, there = ours.rotate(x, at), ours.rotate(x, at + np.array(shift)[:, None])
    np.testing.assert_allclose(here @ here.T, there @ there.T, rtol=0, atol=1e-10)
    norms = np.linalg.norm(here, axis=1), np.linalg.norm(x, axis=1)
    np.testing.assert_allclose(*norms, rtol=1e-14)


def test_a_picture_without_time_pairs_does_not_look_at_time():
    ours, rng = of((0, 2, 2)), np.random.default_rng(0)
    x, at = rng.normal(size=(4, 8)), rng.integers(0, 9, size=(3, 4))
    later = at + np.array([[7], [0], [0]])
    np.testing.assert_array_equal(ours.rotate(x, at), ours.rotate(x, later))
    assert not np.allclose(ours.rotate(x, at), ours.rotate(x, at[[0, 2, 1]]))


@given(SECTIONS, st.floats(2, 1e6))
def test_one_ladder_of_frequencies_is_cut_into_time_height_and_width(sections, base):
    """Each axis begins where the axis before it ends; only the first one begins at 1 radian."""
    ours, ladder = of(sections, base=base), []
    for axis, count in enumerate(sections):
        step = np.zeros((3, 1))
        step[axis] = 1
        turned = ours.angles(step)[0]
        assert np.count_nonzero(turned) == count
        ladder.extend(turned[turned != 0])
    expected = [base ** (-pair / len(ladder)) for pair in range(len(ladder))]
    np.testing.assert_allclose(ladder, expected, rtol=1e-12)


def test_each_text_of_a_batch_has_coordinates_of_its_own():
    ours, rng = small(Rope2d), np.random.default_rng(0)
    _, q, k, v = draw_layer(4, batch=(2,))
    at = rng.integers(0, 30, size=(3, 2, 4))
    together = attention(q, k, v, encoding=ours, q_positions=at, k_positions=at, causal=True)
    for text in range(2):
        own = {"q_positions": at[:, text], "k_positions": at[:, text]}
        alone = attention(q[text], k[text], v[text], encoding=ours, causal=True, **own)
        np.testing.assert_allclose(together[text], alone, rtol=0, atol=1e-14)


@pytest.mark.parametrize(
    ("sections", "expected"),
    [((11, 11, 10), "THW" * 10 + "TH"), ((24, 20, 20), "THW" * 20 + "TTTT")],
)
def test_interleaved_axes_take_turns(sections, expected):
    axes = of(sections, interleaved=True).axis_of_pair
    assert "".join("THW"[axis] for axis in axes) == expected


@pytest.mark.parametrize("interleaved", [True, False])
@pytest.mark.parametrize(("share", "sections"), [(0.25, (11, 11, 10)), (1.0, (24, 20, 20))])
def test_equal_coordinates_are_turned_as_rope_turns_them(interleaved, share, sections):
    ours = of(sections, interleaved=interleaved, rotary_share=share, base=1e7)
    assert ours.head_dim == 2 * sum(sections) / share
    x, at = np.random.default_rng(0).normal(size=(2, 7, ours.head_dim)), np.arange(7) * 999
    rope = Rope(head_dim=ours.head_dim, rotary_share=share, base=1e7, pairing="half-split")
    turned = ours.rotate(x, np.tile(at, (3, 1)))
    np.testing.assert_allclose(turned, rope.rotate(x, at), rtol=0, atol=1e-15)


def test_interleaved_pairs_follow_the_axis_that_they_name():
    ours = of((11, 11, 10), interleaved=True)
    at = np.array([[3], [5], [7]])
    followed = np.array([3, 5, 7])[[pair % 3 for pair in range(32)]]
    expected = [10_000 ** (-pair / 32) * followed[pair] for pair in range(32)]
    np.testing.assert_allclose(ours.angles(at)[0], expected, rtol=1e-14)


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ({"time_pairs": 1, "height_pairs": 30, "interleaved": True}, "time_pairs"),
        ({"interleaved": 1}, "interleaved"),
        ({"rotary_share": 0.3}, "rotary_share"),
        ({"rotary_share": 0.0011}, "rotary_share"),
        ({"rotary_share": 0}, "rotary_share"),
    ],
)
def test_axes_that_cannot_share_a_head_are_refused_by_name(arguments, name):
    with pytest.raises(ParameterError) as caught:
        Rope2d(**arguments)
    assert caught.value.argument == name


def test_a_causal_mask_follows_time_then_rows_then_columns():
    ours = small(Rope2d)
    at = np.array([[0, 1, 1, 1, 1, 3], [0, 1, 1, 2, 2, 3], [0, 1, 2, 1, 2, 3]])
    order = ours.order(at)
    assert np.argsort(order).tolist() == [0, 1, 2, 3, 4, 5]
    assert ours.order(torch.from_numpy(at)).tolist() == order.tolist()
    _, q, k, v = draw_layer(6)
    options = {"encoding": ours, "q_positions": at, "k_positions": at, "causal": True}
    before = attention(q, k, v, **options)
    k[:, 3:], v[:, 3:] = 0, 9
    after = attention(q, k, v, **options)
    np.testing.assert_array_equal(before[:, :3], after[:, :3])


def test_its_facts():
    assert Rope2d.hooks() == ("on_queries_and_keys",)
    assert Rope2d().parameter_count() == 0
    assert Rope2d().head_dim == 128
    assert Rope2d.extrapolates


@pytest.mark.parametrize(
    ("x", "positions", "argument"),
    [
        (np.zeros((4, 6)), np.zeros((3, 4)), "x"),
        (np.zeros((4, 8)), np.zeros(4), "positions"),
        (np.zeros((4, 8)), np.zeros((2, 4)), "positions"),
        (np.zeros((4, 8)), np.zeros((3, 5)), "positions"),
        (np.zeros((4, 8)), np.full((3, 4), np.nan), "positions"),
        (np.zeros((4, 8)), torch.zeros(3, 4), "positions"),
    ],
)
def test_arguments_that_do_not_fit_are_refused_by_name(x, positions, argument):
    with pytest.raises(ParameterError) as caught:
        small(Rope2d).rotate(x, positions)
    assert caught.value.argument == argument


@pytest.mark.parametrize("coordinate", [-1, 2**17, 0.5])
def test_an_order_needs_whole_coordinates_that_fit_one_number(coordinate):
    with pytest.raises(ParameterError, match=r"^positions="):
        Rope2d().order(np.full((3, 2), coordinate))


def test_the_view_scores_patches_by_their_offset():
    data = rope_2d.views["patches"].compute(Rope2d(), side=9, row=4, column=6)
    assert data.values[4, 6] == pytest.approx(1)
    assert data.values[3, 6] == pytest.approx(data.values[5, 6])
    pairs = Rope2d().rope.inv_freq
    by_hand = (16 + np.cos(2 * pairs[16:40]).sum() + np.cos(3 * pairs[40:]).sum()) / 64
    assert data.values[2, 3] == pytest.approx(by_hand)
    corner = rope_2d.views["patches"].compute(Rope2d(), side=2, row=60, column=60)
    assert corner.cursor == (1, 1)
