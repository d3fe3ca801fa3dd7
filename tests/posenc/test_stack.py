"""Layers of a model: masks pair by pair, attention written out, the reach of windows."""

import math
import tracemalloc

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from posenc.attention import attention, softmax
from posenc.catalog.alibi import Alibi
from posenc.catalog.nope import NoPE
from posenc.catalog.rope import Rope
from posenc.catalog.rope_2d import AxialRope, Rope2d
from posenc.errors import ParameterError
from posenc.stack import Layer, Stack, Temperature, as_runs, describe_encoding

pytestmark = pytest.mark.torch

ROPE = Rope(head_dim=8)
WINDOWS = st.one_of(st.none(), st.integers(1, 9))


def normal(*shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape)


def sees(layer, query, key):
    """Oracle: one pair."""
    if layer.causal and key > query:
        return False
    if layer.chunk is not None:
        return query // layer.chunk == key // layer.chunk
    if layer.window is None:
        return True
    if layer.causal:
        return query - key < layer.window
    return abs(query - key) <= layer.window // 2


@given(
    WINDOWS,
    WINDOWS,
    st.booleans(),
    st.lists(st.integers(0, 40), min_size=1, max_size=6),
    st.lists(st.integers(0, 40), min_size=1, max_size=6),
)
def test_masks_are_those_pair_by_pair(window, chunk, causal, queries, keys):
    layer = Layer(ROPE, window=window, chunk=None if window else chunk, causal=causal)
    q_at, k_at = np.array(queries), np.array(keys)
    expected = [[sees(layer, query, key) for key in keys] for query in queries]
    ours = Stack((layer,)).mask_at(0, q_at, k_at)
    assert ours.tolist() == expected
    theirs = Stack((layer,)).mask_at(0, torch.from_numpy(q_at), torch.from_numpy(k_at))
    assert theirs.tolist() == expected


def test_a_window_counts_the_query_itself():
    mask = Stack((Layer(NoPE(), window=3),)).mask_at(0, np.array([7]), np.arange(9))
    assert np.flatnonzero(mask).tolist() == [5, 6, 7]


@given(st.lists(st.integers(1, 5), min_size=1, max_size=4))
def test_the_reach_is_what_products_of_masks_say(windows):
    stack = Stack(tuple(Layer(NoPE(), window=window) for window in windows))
    at = np.arange(24)
    parts = np.eye(24, dtype=bool)
    for layer in range(len(windows)):
        parts = stack.mask_at(layer, at, at) @ parts
    assert stack.reach() == parts[-1].sum()


@given(
    st.lists(
        st.tuples(st.sampled_from(["window", "chunk"]), st.integers(1, 5), st.booleans()),
        min_size=1,
        max_size=3,
    )
)
def test_no_output_reaches_farther_than_reach(kinds):
    layers = (Layer(NoPE(), causal=causal, **{kind: size}) for kind, size, causal in kinds)
    stack, at, parts = Stack(tuple(layers)), np.arange(48), np.eye(48, dtype=bool)
    for layer in range(len(kinds)):
        parts = stack.mask_at(layer, at, at) @ parts
    assert parts.sum(axis=1).max() <= stack.reach()


def test_two_sided_windows_and_equal_chunks_count_once():
    assert Stack((Layer(NoPE(), window=8, causal=False),)).reach() == 9
    assert Stack((Layer(NoPE(), window=9, causal=False),) * 2).reach() == 17
    assert Stack((Layer(NoPE(), chunk=4), Layer(ROPE, chunk=4), Layer(ROPE, window=2))).reach() == 5


def test_a_full_or_recurrent_layer_reaches_everything_and_chunks_their_chunk():
    assert Stack((Layer(ROPE, window=4), Layer(NoPE()))).reach() is None
    assert Stack((Layer(ROPE, window=4), Layer(NoPE(), kind="recurrent"))).reach() is None
    assert Stack((Layer(ROPE, chunk=8),) * 5).reach() == 8
    assert Stack((Layer(ROPE, window=4096),) * 32).reach() == 32 * 4095 + 1


@pytest.mark.parametrize("library", [np.asarray, torch.asarray], ids=["numpy", "torch"])
def test_attention_has_the_window_temperature_and_sink_of_its_layer(library):
    warm, rope = Temperature("llama4", 0.5, 4), Rope(head_dim=8, pairing="half-split")
    stack = Stack((Layer(NoPE()), Layer(rope, window=3, temperature=warm, sink=True)))
    q, k, v, sink, at = normal(2, 9, 8), normal(2, 9, 8, seed=1), normal(2, 9, 8, seed=2), 0, 0
    sink, at = np.array([0.3, -0.7]), np.arange(9)
    scores = rope.rotate(q, at) @ np.swapaxes(rope.rotate(k, at), -1, -2) / math.sqrt(8)
    scores = scores * warm.at(at)[:, None]
    far = (at[:, None] - at >= 3) | (at > at[:, None])
    powers = np.exp(np.where(far, -np.inf, scores))
    weights = powers / (powers.sum(-1, keepdims=True) + np.exp(sink)[:, None, None])
    arrays = [library(array) for array in (q, k, v)]
    positions = {"q_positions": library(at), "k_positions": library(at)}
    ours = stack.attention_at(1, *arrays, **positions, sink=library(sink))
    np.testing.assert_allclose(np.asarray(ours), weights @ v, rtol=0, atol=1e-13)


def test_texts_of_a_batch_have_masks_of_their_own():
    stack = Stack((Layer(ROPE, window=2),))
    q, at = normal(2, 3, 5, 8), np.array([[0, 1, 2, 3, 4], [0, 0, 0, 1, 2]])
    together = stack.attention_at(0, q, q, q, q_positions=at, k_positions=at)
    for text in range(2):
        own = {"q_positions": at[text], "k_positions": at[text]}
        alone = stack.attention_at(0, q[text], q[text], q[text], **own)
        np.testing.assert_allclose(together[text], alone, rtol=0, atol=1e-14)


def test_the_decoupled_part_alone_turns_and_scores_have_their_scale():
    rope = Rope(
        head_dim=4, scaling="yarn", factor=40, trained_length=16, mscale=1, mscale_all_dim=1
    )
    stack = Stack((Layer(rope, unturned=6),))
    q, k, v, at = normal(2, 5, 10), normal(2, 5, 10, seed=1), normal(2, 5, 3), np.arange(5)
    scores = q[..., :6] @ np.swapaxes(k[..., :6], -1, -2)
    scores = scores + rope.rotate(q[..., 6:], at) @ np.swapaxes(rope.rotate(k[..., 6:], at), -1, -2)
    scores = scores * (0.1 * math.log(40) + 1) ** 2 / math.sqrt(10)
    weights = softmax(np.where(at > at[:, None], -np.inf, scores))
    ours = stack.attention_at(0, q, k, v, q_positions=at, k_positions=at)
    np.testing.assert_allclose(ours, weights @ v, rtol=0, atol=1e-13)


def test_a_layer_without_anything_is_plain_attention():
    q, k, v, at = *normal(3, 2, 5, 8), np.arange(5)
    positions = {"q_positions": at, "k_positions": at}
    for encoding in (ROPE, Alibi(n_heads=2)):
        ours = Stack((Layer(encoding),)).attention_at(0, q, k, v, **positions)
        plain = attention(q, k, v, encoding=encoding, causal=True, **positions)
        np.testing.assert_array_equal(ours, plain)


def test_pictures_have_layers_too():
    picture = Rope2d(time_pairs=1, height_pairs=2, width_pairs=1)
    at = np.array([[0, 1, 1, 2], [0, 1, 1, 2], [0, 1, 2, 2]])
    q, k, v = normal(3, 2, 4, 8)
    positions = {"q_positions": at, "k_positions": at}
    ours = Stack((Layer(picture),)).attention_at(0, q, k, v, **positions)
    plain = attention(q, k, v, encoding=picture, causal=True, **positions)
    np.testing.assert_array_equal(ours, plain)
    with pytest.raises(ParameterError, match=r"^layer=0: must have no window"):
        Stack((Layer(picture, window=2),)).mask_at(0, at, at)


def test_frequencies_are_a_row_for_each_layer():
    still = Rope(head_dim=8, rotary_share=0.5, share="proportional", pairing="half-split")
    stack = Stack((Layer(Rope(head_dim=4)), Layer(NoPE()), Layer(still), Layer(AxialRope())))
    table = stack.frequencies()
    assert table.shape == (4, 64)
    assert table[0, :2].tolist() == [1, 0.01]
    assert np.isnan(table[0, 2:]).all()
    assert np.isnan(table[1]).all()
    np.testing.assert_allclose(table[2, :4], [1, 0.1, 0, 0], rtol=1e-15)
    assert not np.isnan(table[3]).any()


def test_frequencies_follow_the_length_where_they_depend_on_it():
    dynamic = Rope(head_dim=8, scaling="dynamic-ntk", factor=2, trained_length=16)
    stack = Stack((Layer(dynamic),))
    np.testing.assert_array_equal(stack.frequencies(64)[0], dynamic.inv_freq_for(64))
    assert (stack.frequencies(64)[0, 1:] < stack.frequencies()[0, 1:]).all()


def test_too_large_table_is_refused_unmade():
    stack = Stack((Layer(Rope(head_dim=65_536)),) * 129)
    tracemalloc.start()
    with pytest.raises(ParameterError, match=r"^layers=129: must have at most 128 layers"):
        stack.frequencies()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 100_000


def test_layers_alike_are_a_group():
    local, full = Layer(ROPE, window=4), Layer(NoPE())
    groups = Stack((local, local, full, local)).groups()
    assert groups == ((local, (0, 1, 3)), (full, (2,)))
    assert as_runs(groups[0][1]) == "0–1, 3"


def test_encodings_are_described_in_words():
    words = describe_encoding(Rope(head_dim=64, scaling="yarn", factor=4, rotary_share=0.5))
    expected = "base 10 000, 32 of 64 dimensions, yarn by 4, temperature 1.13863, adjacent pairs"
    assert words.replace("\N{NARROW NO-BREAK SPACE}", " ") == f"RoPE, {expected}"
    assert describe_encoding(NoPE()) == "no position"
    assert describe_encoding(Alibi()) == "Alibi"


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: Layer(Rope), "encoding"),
        (lambda: Layer(ROPE, window=0), "window"),
        (lambda: Layer(ROPE, window=2.0), "window"),
        (lambda: Layer(ROPE, window=2, chunk=2), "chunk"),
        (lambda: Layer(ROPE, temperature=1.2), "temperature"),
        (lambda: Layer(Rope2d(), temperature=Temperature("llama4", 0.1, 8)), "temperature"),
        (lambda: Layer(ROPE, causal=1), "causal"),
        (lambda: Layer(ROPE, sink=None), "sink"),
        (lambda: Layer(ROPE, unturned=-1), "unturned"),
        (lambda: Layer(ROPE, kind="windy"), "kind"),
        (lambda: Stack(()), "layers"),
        (lambda: Stack((ROPE,)), "layers[0]"),
        (lambda: Stack((Layer(ROPE),) * 1025), "layers"),
        (lambda: Stack((Layer(ROPE),), context=0), "context"),
    ],
)
def test_layers_that_cannot_be_are_refused_by_name(call, name):
    with pytest.raises(ParameterError) as caught:
        call()
    assert caught.value.argument == name


@pytest.mark.parametrize(
    ("layer", "number", "changed", "name"),
    [
        (Layer(ROPE), 1, {}, "layer"),
        (Layer(ROPE), True, {}, "layer"),
        (Layer(NoPE(), kind="recurrent"), 0, {}, "layer"),
        (Layer(ROPE, sink=True), 0, {}, "sink"),
        (Layer(ROPE), 0, {"sink": np.ones(2)}, "sink"),
        (Layer(ROPE, unturned=8), 0, {}, "q"),
        (Layer(ROPE), 0, {"q_positions": np.arange(3)}, "q_positions"),
        (Layer(ROPE), 0, {"k_positions": np.array([np.nan] * 4)}, "k_positions"),
    ],
)
def test_attention_that_cannot_be_is_refused_by_name(layer, number, changed, name):
    q, at = normal(2, 4, 8), np.arange(4)
    options = {"q_positions": at, "k_positions": at, **changed}
    with pytest.raises(ParameterError) as caught:
        Stack((layer,)).attention_at(number, q, q, q, **options)
    assert caught.value.argument == name
