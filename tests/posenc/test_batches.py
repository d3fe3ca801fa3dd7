"""Positions of a batch: token by token, and what padding, documents and a cache may not change."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from posenc import encoding as encoding_module
from posenc.attention import attention
from posenc.catalog.rope import Rope
from posenc.catalog.rope_2d import AxialRope, Rope2d
from posenc.encoding import Encoding
from posenc.errors import ParameterError

pytestmark = pytest.mark.torch

ROPE = Rope(head_dim=8)
MASKS = arrays.arrays(bool, arrays.array_shapes(min_dims=1, max_dims=2, min_side=0, max_side=9))


def by_hand(mask, documents, offset):
    """Oracle: one text, token by token."""
    positions, count, earlier, begun = [], offset, None, False
    for token, document in zip(mask, documents, strict=True):
        if earlier is not None and document != earlier and begun:
            count = 0
        earlier, begun = document, begun or bool(token)
        positions.append(count if token else 0)
        count += bool(token)
    return positions


@given(MASKS, st.integers(0, 9), st.randoms(use_true_random=False))
def test_positions_are_those_counted_token_by_token(mask, offset, random):
    documents = np.array([random.randint(0, 2) for _ in range(mask.size)], int).reshape(mask.shape)
    rows = [(mask, documents)] if mask.ndim == 1 else list(zip(mask, documents, strict=True))
    expected = [by_hand(*row, offset) for row in rows]
    ours = ROPE.batch_positions(mask, documents, offset)
    assert ours.tolist() == (expected[0] if mask.ndim == 1 else expected)
    theirs = ROPE.batch_positions(torch.from_numpy(mask), torch.from_numpy(documents), offset)
    assert theirs.tolist() == ours.tolist()
    assert theirs.dtype == torch.int64


def test_the_examples_of_batch_positions_are_true():
    import doctest

    assert doctest.testmod(encoding_module).attempted >= 3
    assert doctest.testmod(encoding_module).failed == 0


def test_a_number_that_comes_again_is_a_new_document():
    documents = np.array([7, 7, 2, 7, 7])
    assert ROPE.batch_positions(documents=documents).tolist() == [0, 1, 0, 0, 1]


def test_padding_is_neither_counted_nor_left_without_a_position():
    mask = np.array([[0, 0, 1, 1], [1, 1, 1, 0], [1, 0, 1, 1]])
    assert ROPE.batch_positions(mask).tolist() == [[0, 0, 0, 1], [0, 1, 2, 0], [0, 0, 1, 2]]


def test_an_offset_is_what_the_cache_has_of_each_text():
    mask = np.array([[1, 1], [0, 1]])
    offsets = np.array([5, 3])
    assert ROPE.batch_positions(mask, offset=offsets).tolist() == [[5, 6], [0, 3]]
    documents = np.array([[4, 4, 9], [4, 9, 9]])
    packed = ROPE.batch_positions(documents=documents, offset=offsets)
    assert packed.tolist() == [[5, 6, 0], [3, 0, 1]]


def test_cache_is_of_first_document_with_tokens():
    mask, documents = np.array([0, 0, 1, 1, 1]), np.array([0, 0, 7, 7, 8])
    assert ROPE.batch_positions(mask, documents, 5).tolist() == [0, 0, 5, 6, 0]


def test_pictures_get_three_equal_coordinates_and_flux_zeros():
    mask = np.array([[0, 1, 1]])
    assert Rope2d().batch_positions(mask).tolist() == [[[0, 0, 1]]] * 3
    assert AxialRope().batch_positions(mask).tolist() == [[[0, 0, 0]]] * 3


def test_left_padding_changes_no_score_of_the_tokens():
    q, k, v = np.random.default_rng(0).normal(size=(3, 1, 2, 5, 8))
    padded = [np.concatenate([np.full((1, 2, 3, 8), 9.0), array], axis=2) for array in (q, k, v)]
    mask = np.array([[False] * 3 + [True] * 5])
    at, own = ROPE.batch_positions(mask), np.arange(5)
    seen = np.tril(np.ones((8, 8), bool)) & mask[0]
    options = {"encoding": ROPE, "q_positions": at, "k_positions": at, "mask": seen}
    together = attention(*padded, **options)[:, :, 3:]
    alone = attention(q, k, v, encoding=ROPE, q_positions=own, k_positions=own, causal=True)
    np.testing.assert_allclose(together, alone, rtol=0, atol=1e-14)


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ({}, "mask"),
        ({"mask": [1, 1]}, "mask"),
        ({"mask": np.array(True)}, "mask"),
        ({"mask": np.array([0.0, -np.inf])}, "mask"),
        ({"mask": np.array([0, 2])}, "mask"),
        ({"mask": torch.tensor([0, -1])}, "mask"),
        ({"documents": np.array([0.5])}, "documents"),
        ({"mask": np.array([1, 1]), "documents": np.array([1])}, "documents"),
        ({"mask": np.array([1]), "documents": torch.tensor([1])}, "documents"),
        ({"mask": np.array([1]), "offset": -1}, "offset"),
        ({"mask": np.array([1]), "offset": 1.5}, "offset"),
        ({"mask": np.array([1]), "offset": True}, "offset"),
        ({"mask": np.array([[1]]), "offset": np.array([1, 2])}, "offset"),
        ({"mask": np.array([[1]]), "offset": np.array([-1])}, "offset"),
        ({"mask": np.array([[1]]), "offset": torch.tensor([1])}, "offset"),
    ],
)
def test_arguments_that_cannot_be_used_are_refused_by_name(arguments, name):
    with pytest.raises(ParameterError) as caught:
        Encoding().batch_positions(**arguments)
    assert caught.value.argument == name
