"""Encodings as torch modules: parameters, buffers, dtypes, state, gradients, same values."""

import copy

import numpy as np
import posenc.catalog  # noqa: F401  (fills the registry)
import pytest
import torch
from posenc.attention import Projections, self_attention
from posenc.catalog.alibi import Alibi
from posenc.catalog.rope import Rope
from posenc.catalog.sinusoidal import Sinusoidal
from posenc.catalog.xpos import XPos
from posenc.encoding import Encoding
from posenc.errors import ParameterError
from posenc.registry import REGISTRY
from posenc.torch_modules import (
    EncodingModule,
    RopeModule,
    SelfAttention,
    SinusoidalModule,
    module_for,
)
from posenc.torch_modules.layer import _Hooks

from tests.posenc.catalog.small import HEAD_DIM, N_HEADS, small

pytestmark = pytest.mark.torch

ENTRIES = [pytest.param(entry, id=slug) for slug, entry in REGISTRY.items()]
WIDTH = N_HEADS * HEAD_DIM


def positions_of(encoding, length):
    """Return None, for 0, 1, 2 ..., or coordinates for an encoding that needs them."""
    if type(encoding).order is Encoding.order:
        return None
    return torch.arange(length).expand(3, length).clone()


@pytest.mark.parametrize("entry", ENTRIES)
def test_the_parameters_of_a_module_are_the_learned_weights(entry):
    encoding = small(entry.encoding)
    module, drawn = (
        EncodingModule(encoding, seed=5),
        encoding.init_weights(np.random.default_rng(5)),
    )
    assert sum(one.numel() for one in module.parameters()) == encoding.parameter_count()
    assert set(module.state_dict()) == {f"weights.{name}" for name in drawn}
    for name, array in drawn.items():
        np.testing.assert_allclose(module.learned[name].detach(), array, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("entry", ENTRIES)
def test_attention_through_a_module_is_that_of_the_library(entry):
    encoding = small(entry.encoding)
    layer = SelfAttention(WIDTH, N_HEADS, encoding, causal=True).double()
    x = torch.randn(2, 6, WIDTH, dtype=torch.float64)
    positions = positions_of(encoding, 6)
    expected = self_attention(
        x,
        Projections(layer.queries, layer.keys, layer.values, N_HEADS),
        encoding=encoding,
        positions=torch.arange(6) if positions is None else positions,
        weights={name: one.double() for name, one in layer.position.learned.items()},
        causal=True,
    )
    torch.testing.assert_close(layer(x, positions), expected @ layer.out, rtol=0, atol=1e-6)


@pytest.mark.parametrize("entry", ENTRIES)
def test_gradients_reach_every_parameter_and_the_state_moves_to_another_module(entry):
    encoding = small(entry.encoding)
    layer = SelfAttention(WIDTH, N_HEADS, encoding, causal=True)
    x = torch.randn(2, 6, WIDTH, requires_grad=True)
    positions = positions_of(encoding, 6)
    layer(x, positions).square().sum().backward()
    assert x.grad.isfinite().all()
    for name, parameter in layer.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.isfinite().all(), name
    other = SelfAttention(WIDTH, N_HEADS, encoding, causal=True)
    other.load_state_dict(layer.state_dict())
    torch.testing.assert_close(other(x, positions), layer(x, positions))
    torch.testing.assert_close(copy.deepcopy(layer)(x, positions), layer(x, positions))


@pytest.mark.parametrize("entry", ENTRIES)
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float64])
def test_a_module_moves_to_another_dtype(entry, dtype):
    encoding = small(entry.encoding)
    layer = SelfAttention(WIDTH, N_HEADS, encoding, causal=True).to(dtype)
    x = torch.randn(1, 6, WIDTH, dtype=dtype)
    out = layer(x, positions_of(encoding, 6))
    assert out.dtype == dtype
    assert out.isfinite().all()


@pytest.mark.parametrize("entry", ENTRIES)
def test_a_text_without_tokens_stays_one(entry):
    encoding = small(entry.encoding)
    layer = SelfAttention(WIDTH, N_HEADS, encoding, causal=True)
    assert layer(torch.ones(2, 0, WIDTH), positions_of(encoding, 0)).shape == (2, 0, WIDTH)


def test_two_modules_begin_differently_and_follow_torch_s_seed():
    def table():
        return module_for(REGISTRY["learned"].encoding()).learned["table"]

    torch.manual_seed(3)
    first, second = table(), table()
    torch.manual_seed(3)
    assert not torch.equal(first, second)
    assert torch.equal(table(), first)


@pytest.mark.parametrize("entry", ENTRIES)
def test_layers_of_one_seed_differ_in_the_weights_of_their_encoding_alone(entry):
    torch.manual_seed(0)
    torch.randint(2**62, ())  # the seed of what an encoding learns, or would
    queries = torch.empty(WIDTH, WIDTH).uniform_(-(WIDTH**-0.5), WIDTH**-0.5)
    torch.manual_seed(0)
    layer = SelfAttention(WIDTH, N_HEADS, small(entry.encoding))
    torch.testing.assert_close(layer.queries.detach(), queries)


def test_calling_a_module_calls_its_one_hook():
    q, k = torch.randn(2, 2, 3, 5, HEAD_DIM).unbind(0)
    rope = Rope(head_dim=HEAD_DIM)
    turned, _ = module_for(rope)(q, k)
    torch.testing.assert_close(turned, rope.rotate(q, torch.arange(5)))
    scores = q[:, :2] @ k[:, :2].mT
    biased = module_for(Alibi(n_heads=2))(scores, q[:, :2], k[:, :2])
    assert (biased <= scores).all()


def test_the_table_is_a_buffer_that_moves_and_is_not_in_the_state():
    module = module_for(Sinusoidal(d_model=16))
    assert isinstance(module, SinusoidalModule)
    assert [name for name, _ in module.named_buffers()] == ["table"]
    assert list(module.parameters()) == []
    assert module.state_dict() == {}
    assert module.half().table.dtype == torch.float16


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
@pytest.mark.parametrize("moved", [False, True], ids=["module as made", "module moved"])
def test_embeddings_get_the_code_in_their_own_dtype(dtype, moved):
    encoding = Sinusoidal(d_model=16)
    module = SinusoidalModule(encoding, max_len=8)
    module = module.to(dtype) if moved else module
    for length in (5, 8, 20):
        x = torch.zeros(2, length, 16, dtype=dtype)
        exact = encoding.table(length, xp=torch)
        error = (module(x).double() - exact).abs().max()
        assert module(x).dtype == dtype
        assert error <= 0.51 * torch.finfo(dtype).eps + 1e-13
    positions = torch.tensor([7, 3])
    far = module(torch.zeros(1, 2, 16, dtype=dtype), positions)
    torch.testing.assert_close(far[0], encoding.encode(positions, dtype=dtype))


@pytest.mark.filterwarnings("ignore:Complex modules")
@pytest.mark.parametrize("through", [torch.complex64, torch.complex128])
def test_a_table_goes_through_complex_numbers_and_comes_back(through):
    encoding = Sinusoidal(d_model=16)
    module, x = SinusoidalModule(encoding, max_len=8), torch.zeros(1, 5, 16)
    expected = module(x)
    module.to(through)
    assert module.table.dtype == through
    torch.testing.assert_close(module(x), expected)
    assert torch.equal(module.float()(x), expected)


HALVES = [torch.float16, torch.bfloat16]


@pytest.mark.parametrize("through", HALVES)
@pytest.mark.parametrize("layout", ["interleaved", "concatenated"])
def test_the_table_is_exact_again_after_any_way_a_module_went(through, layout):
    encoding = Sinusoidal(d_model=15, layout=layout)
    module = SinusoidalModule(encoding, max_len=300).to(through)
    assert torch.equal(module.table, encoding.encode(torch.arange(300), dtype=through))
    exact = encoding.table(300, xp=torch)
    assert (module.float().table - exact).abs().max() <= 3.1e-8
    assert (module.half().double().table - exact).abs().max() <= 1e-13
    with torch.device("meta"):
        empty = SinusoidalModule(encoding, max_len=300)
        assert empty.table.is_meta
        module.half()
    assert torch.equal(module.table, encoding.encode(torch.arange(300), dtype=torch.float16))
    empty.to_empty(device="cpu").load_state_dict(module.state_dict())
    assert (empty.table - exact).abs().max() <= 3.1e-8


@pytest.mark.parametrize(("of", "given"), [HALVES, HALVES[::-1]])
def test_a_table_of_another_half_precision_is_not_rounded_twice(of, given):
    encoding, x = Sinusoidal(d_model=16), torch.zeros(1, 2048, 16, dtype=given)
    module = SinusoidalModule(encoding).to(of)
    assert torch.equal(module(x)[0], encoding.encode(torch.arange(2048), dtype=given))


ITS_OWN = {"weight_shapes", "draw", "init_weights", "parameter_count", "hooks"}  # of learning
ITS_OWN |= {"batch_positions"}  # made by positions_in_text, which is passed on


@pytest.mark.parametrize("entry", ENTRIES)
def test_the_hooks_of_a_layer_pass_on_every_member_of_the_encoding(entry):
    encoding, positions = small(entry.encoding), torch.arange(3)
    told = _Hooks(module_for(encoding))
    said = {name for name in vars(Encoding) if name[0] != "_"} - ITS_OWN
    for fact in ("extrapolates", "relative", "cost"):
        assert getattr(told, fact) == getattr(encoding, fact)
        said.remove(fact)
    assert said <= set(vars(_Hooks))
    expected = encoding.positions_in_text(positions)
    assert torch.equal(told.positions_in_text(positions), expected)


def test_a_layer_without_a_mask_refuses_keys_that_its_encoding_refuses():
    positions = torch.tensor([0, 40_000])
    layer = SelfAttention(16, 2, XPos(head_dim=8))
    with pytest.raises(ParameterError, match="without a causal mask"):
        layer(torch.ones(1, 2, 16), positions)


def test_a_layer_runs_the_table_and_the_waves_that_its_module_keeps():
    x = torch.randn(1, 6, 16)
    coded, turned = (
        SelfAttention(16, 2, encoding) for encoding in (Sinusoidal(d_model=16), Rope(head_dim=8))
    )
    before = coded(x)
    coded.position.table.fill_(0.5)
    assert not torch.allclose(coded(x), before)
    before = turned(x)
    ((cos, sin),) = turned.position._kept.values()
    torch.testing.assert_close(turned(x, torch.arange(6)), before)
    cos.copy_(1.0)
    sin.copy_(0.0)
    assert not torch.allclose(turned(x), before)
    torch.testing.assert_close(turned(x), turned(x, torch.zeros(6)))


def test_rope_keeps_its_waves_and_half_precision_does_not_round_them():
    rope = Rope(head_dim=64)
    module = module_for(rope).to(torch.bfloat16)
    assert isinstance(module, RopeModule)
    q = torch.randn(1, 2, 512, 64, dtype=torch.bfloat16)
    turned, shorter = module(q, q[:, :, :100])
    exact = rope.rotate(q, torch.arange(512))
    assert torch.equal(turned, exact)
    assert torch.equal(shorter, exact[:, :, :100])
    longer = torch.cat([q, q], dim=2)
    torch.testing.assert_close(module(longer, q)[0], rope.rotate(longer, torch.arange(1024)))
    assert all(wave.dtype == torch.float32 for waves in module._kept.values() for wave in waves)


def test_rope_that_scales_by_length_keeps_nothing():
    rope = Rope(head_dim=8, scaling="dynamic-ntk", factor=2, trained_length=4)
    module, q = module_for(rope), torch.randn(1, 1, 12, 8)
    assert torch.equal(module(q, q)[0], rope.rotate(q, torch.arange(12)))
    assert torch.equal(
        module(q[:, :, :3], q[:, :, :3])[0], rope.rotate(q[:, :, :3], torch.arange(3))
    )


def test_rope_that_kept_its_waves_in_inference_mode_can_be_trained():
    module, q = RopeModule(Rope(head_dim=8)), torch.randn(1, 2, 5, 8)
    with torch.inference_mode():
        module(q, q)
    q.requires_grad_()
    turned, _ = module(q, q)
    turned.square().sum().backward()
    torch.testing.assert_close(q.grad, 2 * q.detach())  # a rotation keeps lengths


def test_printing_a_model_names_the_encoding():
    assert "Rope(head_dim=8" in repr(SelfAttention(16, 2, Rope(head_dim=8)))
