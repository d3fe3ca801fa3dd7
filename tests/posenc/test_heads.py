"""Attention refuses by name what does not fit together, and takes what does: types, no keys."""

import re

import numpy as np
import pytest
import torch
from posenc.attention import Projections, attention, self_attention, softmax
from posenc.catalog.nope import NoPE
from posenc.catalog.rope import Rope
from posenc.catalog.rope_2d import Rope2d
from posenc.errors import ParameterError

pytestmark = pytest.mark.torch

HEADS = np.random.default_rng(0).normal(size=(2, 6, 5, 8))  # batch, heads, tokens, columns
FITTING = {"q": HEADS, "k": HEADS, "v": HEADS}
AT = np.arange(5)


NO_POSITIONS = NoPE()


def attend(encoding=NO_POSITIONS, **changed):
    given = {**FITTING, "q_positions": AT, "k_positions": AT, **changed}
    return attention(**given, encoding=encoding)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"q": HEADS[[0, 1, 1]]}, "k=.* must have a batch of 3, as q or k"),
        ({"k": HEADS[[0, 1, 1]]}, "k=.* must have a batch of 2, as q or k"),
        ({"q": HEADS[:1], "v": HEADS[[0, 1, 1]]}, "v=.* must have a batch of 2, as q or k"),
        ({"k": HEADS[:, :4]}, "k=.* must have a number of heads that divides the 6 of q"),
        ({"v": HEADS[:, :4]}, "v=.* must have a number of heads that divides the 6 of q"),
        ({"k": HEADS[:, :0], "v": HEADS[:, :0]}, "k=.* number of heads that divides"),
        ({"q": HEADS[:, :0]}, "k=.* number of heads that divides the 0"),
        ({"q": HEADS[..., :0], "k": HEADS[..., :0]}, "q=.* must have at least one column"),
        ({"causal": "no"}, "causal=no: must be True or False"),
        ({"causal": 1}, "causal=1: must be True or False"),
        ({"q_positions": None}, "q_positions=None: must be a numpy array or torch tensor"),
    ],
)
def test_attention_names_the_argument_that_does_not_fit(changed, message):
    with pytest.raises(ParameterError, match=f"^{message}"):
        attend(**changed)


def test_keys_on_another_device_are_refused():
    there = {"k": torch.empty(2, 6, 5, 8, device="meta"), "v": torch.from_numpy(HEADS)}
    at = {"q_positions": torch.from_numpy(AT), "k_positions": torch.from_numpy(AT)}
    with pytest.raises(ParameterError, match=r"^k=.*must be on cpu, as q is"):
        attend(q=torch.from_numpy(HEADS), **there, **at)


def test_coordinates_are_named_as_the_caller_names_them():
    encoding = Rope2d(time_pairs=1, height_pairs=2, width_pairs=1)
    with pytest.raises(ParameterError, match=r"^k_positions=.*must be \(3, ..., L\)"):
        attend(encoding, q_positions=np.stack([AT] * 3))


@pytest.mark.parametrize("library", [np, torch], ids=["numpy", "torch"])
@pytest.mark.parametrize("causal", [False, True])
def test_without_keys_every_query_gets_zeros(library, causal):
    q, none = library.asarray(HEADS), library.asarray(HEADS[:, :, :0])
    at = {"q_positions": library.asarray(AT), "k_positions": library.asarray(AT[:0])}
    for encoding in (NoPE(), Rope(head_dim=8)):
        out = attend(encoding, q=q, k=none, v=none, causal=causal, **at)
        assert tuple(out.shape) == HEADS.shape
        assert not np.asarray(out).any()


@pytest.mark.parametrize("wide_one", ["q", "k"])
@pytest.mark.parametrize("library", [np, torch], ids=["numpy", "torch"])
def test_queries_meet_keys_of_another_type_in_the_wider_of_both(library, wide_one):
    narrow, wide = library.float16, library.float32
    given = {
        name: library.asarray(HEADS, dtype=wide if name == wide_one else narrow) for name in "qkv"
    }
    at = {"q_positions": library.asarray(AT), "k_positions": library.asarray(AT)}
    mixed = attend(Rope(head_dim=8), **given, **at)
    assert mixed.dtype == narrow
    exact = {name: library.asarray(np.asarray(one), dtype=wide) for name, one in given.items()}
    expected = attend(Rope(head_dim=8), **exact, **at)
    np.testing.assert_allclose(np.asarray(mixed), np.asarray(expected), atol=2e-3)


X = np.random.default_rng(1).normal(size=(2, 5, 12))
SQUARE = np.eye(12)


def look(x=X, matrices=(SQUARE, SQUARE, SQUARE), n_heads=2, positions=AT):
    layer = Projections(*matrices, n_heads=n_heads)
    return self_attention(x, layer, encoding=NoPE(), positions=positions)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"n_heads": 0}, "n_heads=0: must be between 1 and 65536"),
        ({"n_heads": -1}, "n_heads=-1: must be between 1 and 65536"),
        ({"n_heads": "8"}, "n_heads=8: must be a whole number"),
        ({"n_heads": True}, "n_heads=True: must be a whole number"),
        ({"n_heads": 5}, "n_heads=5: must divide the 12 columns"),
        ({"matrices": (SQUARE[:5], SQUARE, SQUARE)}, "queries=.*(12, columns), as x has 12"),
        ({"matrices": (SQUARE, SQUARE[0], SQUARE)}, "keys=.*(12, columns), as x has 12"),
        ({"matrices": (SQUARE, SQUARE, None)}, "values=None: must be a numpy array or"),
        ({"matrices": (SQUARE, SQUARE > 0, SQUARE)}, "keys=.*must hold floating-point numbers"),
        ({"matrices": (SQUARE, torch.eye(12), SQUARE)}, "keys=.*from the same library as x"),
        ({"matrices": (SQUARE, SQUARE[:, :6], SQUARE)}, "k=.*must have 6 columns, as q has"),
        ({"x": X[0, 0]}, "x=.*must be (..., L, d_model)"),
        ({"x": [1.0]}, "x=.*must be a numpy array or torch tensor"),
        ({"positions": AT[:3]}, "positions=.*one for each row"),
        ({"positions": "x"}, "positions=x: must be a numpy array"),
    ],
)
def test_self_attention_names_the_argument_that_does_not_fit(changed, message):
    pattern = re.escape(message).replace(r"\.\*", ".*")
    with pytest.raises(ParameterError, match=f"^{pattern}"):
        look(**changed)


def test_projections_must_be_projections():
    with pytest.raises(ParameterError, match=r"^projections=None"):
        self_attention(X, None, encoding=NoPE(), positions=AT)


@pytest.mark.parametrize("scores", [3, None, [1.0], np.arange(3), np.array(1.0)])
def test_softmax_is_of_floating_point_numbers_along_an_axis(scores):
    with pytest.raises(ParameterError, match=r"^scores="):
        softmax(scores)


@pytest.mark.parametrize("shape", [(3, 0), (0, 3), (0,), (2, 0, 0)])
def test_softmax_of_nothing_is_nothing(shape):
    assert softmax(np.zeros(shape)).shape == shape
