"""Heads after tokens: layout="BLHD" is layout="BHLD" with two axes exchanged, bit for bit."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from posenc.catalog.nope import NoPE
from posenc.catalog.rope import Rope
from posenc.catalog.rope_2d import Rope2d
from posenc.catalog.xpos import XPos
from posenc.errors import ParameterError
from posenc.rotation import turn_pairs
from posenc.torch_modules import module_for

pytestmark = pytest.mark.torch

PAIRINGS = ["adjacent", "half-split"]
DTYPES = [torch.float16, torch.bfloat16, torch.float32, torch.float64]


@st.composite
def encodings(draw):
    """Draw any encoding that turns queries and keys, with few pairs."""
    kind, pairing = draw(st.sampled_from([Rope, Rope2d, XPos])), draw(st.sampled_from(PAIRINGS))
    if kind is XPos:
        return XPos(head_dim=2 * draw(st.integers(1, 8)))
    if kind is Rope2d:
        time, height, width = (draw(st.integers(least, 4)) for least in (0, 1, 1))
        return Rope2d(time_pairs=time, height_pairs=height, width_pairs=width, pairing=pairing)
    return Rope(
        head_dim=4 * draw(st.integers(1, 5)),
        pairing=pairing,
        rotary_share=draw(st.sampled_from([0.0, 0.5, 1.0])),
        scaling=draw(st.sampled_from(["none", "yarn", "dynamic-ntk"])),
        factor=4,
        trained_length=4,
    )


@st.composite
def layers(draw):
    """Draw an encoding with queries and keys (..., L, H, D), and positions for both."""
    encoding, texts = draw(encodings()), draw(st.sampled_from([(), (1,), (2,), (2, 3)]))
    rng = np.random.default_rng(draw(st.integers(0, 999)))
    batched = len(texts) == 1 and draw(st.booleans())
    coordinates = (3,) if isinstance(encoding, Rope2d) else ()
    arrays, positions = [], []
    for _ in ("queries", "keys, which may have fewer heads"):
        tokens, heads = draw(st.integers(0, 6)), draw(st.integers(1, 4))
        arrays.append(rng.normal(size=(*texts, tokens, heads, encoding.head_dim)))
        shape = (*coordinates, *(texts if batched else ()), tokens)
        positions.append(rng.integers(0, 30, size=shape))
    return encoding, arrays, positions


def exchanged(arrays):
    """Return views with the axes of tokens and heads exchanged."""
    return [one.swapaxes(-2, -3) for one in arrays]


@given(layers(), st.sampled_from([np.float16, np.float32, np.float64]))
def test_numpy_arrays_get_the_numbers_of_the_exchanged_axes(drawn, dtype):
    encoding, arrays, positions = drawn
    q, k = (one.astype(dtype) for one in arrays)
    expected = exchanged(encoding.on_queries_and_keys(*exchanged((q, k)), *positions, {}))
    actual = encoding.on_queries_and_keys(q, k, *positions, {}, layout="BLHD")
    for mine, its in zip(actual, expected, strict=True):
        assert mine.dtype == dtype
        np.testing.assert_array_equal(mine, its)


@given(layers(), st.sampled_from(DTYPES), st.booleans())
def test_tensors_get_the_numbers_and_gradients_of_the_exchanged_axes(drawn, dtype, wanted):
    encoding, arrays, positions = drawn
    at = [torch.from_numpy(one) for one in positions]
    turned, gradients = {}, {}
    for layout in ("BHLD", "BLHD"):
        leaves = [torch.from_numpy(one).to(dtype).requires_grad_(wanted) for one in arrays]
        heads = exchanged(leaves) if layout == "BHLD" else leaves
        out = encoding.on_queries_and_keys(*heads, *at, {}, layout=layout)
        turned[layout] = exchanged(out) if layout == "BHLD" else out
        if wanted:
            weighted = (one * torch.arange(one.numel()).view(one.shape) for one in turned[layout])
            gradients[layout] = torch.autograd.grad(sum(one.sum() for one in weighted), leaves)
    for made in (turned, gradients) if wanted else (turned,):
        for mine, its in zip(made["BLHD"], made["BHLD"], strict=True):
            assert mine.dtype == dtype
            assert torch.equal(mine, its)


@pytest.mark.parametrize("pairing", PAIRINGS)
@pytest.mark.parametrize("library", [np.asarray, torch.from_numpy], ids=["numpy", "torch"])
def test_result_lies_in_memory_as_queries_do(pairing, library):
    rope, x = Rope(head_dim=8, pairing=pairing), np.random.default_rng(0).normal(size=(2, 5, 3, 8))
    x, at = library(x), library(np.arange(5))
    turned = rope.rotate(x, at, layout="BLHD")
    turned.reshape(-1)[0] = 7  # a copy would not be written to
    assert float(turned[0, 0, 0, 0]) == 7


@pytest.mark.parametrize("pairing", PAIRINGS)
@pytest.mark.parametrize("of_waves", [(4,), (5, 4), (1, 4), (3, 5, 4), (2, 1, 5, 4), (2, 3, 5, 2)])
def test_waves_are_those_of_heads_before_tokens(pairing, of_waves):
    x = np.random.default_rng(0).normal(size=(2, 5, 3, 8))
    angles = np.random.default_rng(1).uniform(-9, 9, size=of_waves)
    waves = np.cos(angles), np.sin(angles)
    expected = turn_pairs(np.swapaxes(x, 1, 2), *waves, pairing=pairing)
    turned = turn_pairs(x, *waves, pairing=pairing, layout="BLHD")
    np.testing.assert_array_equal(turned, np.swapaxes(expected, 1, 2))


def test_xpos_turns_cached_keys_in_either_layout():
    xpos, x = XPos(head_dim=8), np.random.default_rng(0).normal(size=(2, 5, 3, 8))
    at = np.array([np.arange(5), np.arange(5) + 7])
    for rotate in (xpos.rotate_queries, xpos.rotate_keys):
        expected = rotate(np.swapaxes(x, 1, 2), at, middle=3)
        turned = rotate(x, at, middle=3, layout="BLHD")
        np.testing.assert_array_equal(turned, np.swapaxes(expected, 1, 2))


ENCODINGS = {
    "rope": Rope(head_dim=8),
    "dynamic rope": Rope(head_dim=8, scaling="dynamic-ntk", factor=2, trained_length=4),
    "xpos": XPos(head_dim=8),
    "nope": NoPE(),
}


@pytest.mark.parametrize("slug", ENCODINGS)
def test_a_module_counts_tokens_by_the_layout(slug):
    module = module_for(ENCODINGS[slug])
    q, k = torch.randn(2, 6, 4, 8), torch.randn(2, 9, 2, 8)
    at = {"q_positions": torch.arange(3, 9), "k_positions": torch.arange(9)}
    for positions in ({}, at):
        turned = module.on_queries_and_keys(q, k, **positions, layout="BLHD")
        expected = module.on_queries_and_keys(*exchanged((q, k)), **positions)
        assert all(map(torch.equal, turned, exchanged(expected)))
    if slug != "nope":  # calling it calls its one hook
        expected = exchanged(module(*exchanged((q, k))))
        assert all(map(torch.equal, module(q, k, layout="BLHD"), expected))


def test_a_module_is_compiled_in_one_graph():
    torch.compiler.reset()
    module = module_for(Rope(head_dim=8))
    compiled = torch.compile(module, backend="eager", fullgraph=True)
    for length in (6, 9, 5):
        q = torch.randn(1, length, 2, 8)
        turned, _ = compiled(q, q, layout="BLHD")
        torch.testing.assert_close(turned, module(q, q, layout="BLHD")[0])


def test_each_text_of_vmap_is_turned():
    rope, x = Rope(head_dim=8), torch.randn(3, 5, 2, 8)
    turned = torch.func.vmap(lambda text: rope.rotate(text, torch.arange(5), layout="BLHD"))(x)
    torch.testing.assert_close(turned, rope.rotate(x, torch.arange(5), layout="BLHD"))


X, AT = np.zeros((2, 9, 4, 8)), np.arange(9)  # batch, tokens, heads, columns


@pytest.mark.parametrize(
    ("layout", "x"), [("BLHD", X), ("BHLD", np.swapaxes(X, 1, 2))], ids=["BLHD", "BHLD"]
)
@pytest.mark.parametrize("rope", [Rope(head_dim=8), XPos(head_dim=8)], ids=["rope", "xpos"])
def test_positions_that_fit_the_axis_of_heads_name_the_layout(rope, layout, x):
    """The arrays have one layout, the call says the other."""
    other = "BHLD" if layout == "BLHD" else "BLHD"
    order = "L, H" if layout == "BLHD" else "H, L"
    hint = rf'if q is \(\.\.\., {order}, D\), give layout="{layout}"'
    with pytest.raises(ParameterError, match=rf"^q_positions=.*must be \(4,\).*{hint}"):
        rope.on_queries_and_keys(x, x, AT, AT, {}, layout=other)
    rope.on_queries_and_keys(x, x, AT, AT, {}, layout=layout)


def test_coordinates_and_waves_that_fit_the_axis_of_heads_name_the_layout():
    hint = r'if x is \(\.\.\., L, H, D\), give layout="BLHD"'
    grid = np.stack([AT, AT, AT])
    with pytest.raises(ParameterError, match=rf"^positions=.*{hint}"):
        Rope2d(time_pairs=1, height_pairs=2, width_pairs=1).rotate(X, grid)
    with pytest.raises(ParameterError, match=rf"^cos=.*{hint}"):
        Rope(head_dim=8).turn(X, *np.ones((2, 9, 4)))
    module, x = module_for(Rope(head_dim=8)), torch.from_numpy(X)
    with pytest.raises(ParameterError, match=r'^q_positions=.*give layout="BLHD"'):
        module(x, x, q_positions=torch.arange(9), k_positions=torch.arange(9))


def test_positions_that_fit_neither_axis_get_no_hint():
    with pytest.raises(ParameterError, match=r"one for each row of x$"):
        Rope(head_dim=8).rotate(X, np.arange(5))


@pytest.mark.parametrize("layout", ["bshd", "BHL", "", None, 3, ["BHLD"]])
@pytest.mark.parametrize("encoding", [*map(ENCODINGS.get, ("rope", "xpos"))], ids=["rope", "xpos"])
def test_an_unknown_layout_is_refused(encoding, layout):
    x = torch.from_numpy(X)
    for call in (
        lambda: encoding.on_queries_and_keys(X, X, AT, AT, {}, layout=layout),
        lambda: module_for(encoding)(x, x, layout=layout),
        lambda: turn_pairs(X, *np.ones((2, 9, 4)), pairing="adjacent", layout=layout),
    ):
        with pytest.raises(ParameterError, match=r"^layout=.*must be BHLD or BLHD"):
            call()


def test_heads_after_tokens_need_three_axes():
    for call in (
        lambda x: Rope(head_dim=8).rotate(x, AT, layout="BLHD"),
        lambda x: turn_pairs(x, *np.ones((2, 9, 4)), pairing="adjacent", layout="BLHD"),
    ):
        with pytest.raises(ParameterError, match=r"^x=.*must be \(\.\.\., L, H, D\)"):
            call(np.zeros((9, 8)))
