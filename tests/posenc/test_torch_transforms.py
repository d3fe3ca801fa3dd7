"""Modules under torch's transforms: gradients of each text, tracing, tensors without values."""

import numpy as np
import posenc.catalog  # noqa: F401  (fills the registry)
import pytest
import torch
from posenc.catalog.learned import Learned
from posenc.catalog.rope.encoding import Rope
from posenc.encoding import Encoding
from posenc.registry import REGISTRY
from posenc.torch_modules import EncodingModule, SelfAttention
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.func import functional_call, grad, vmap
from torch.fx.experimental.proxy_tensor import make_fx

from tests.posenc.catalog.small import HEAD_DIM, N_HEADS, small

pytestmark = pytest.mark.torch

ENTRIES = [pytest.param(entry, id=slug) for slug, entry in REGISTRY.items()]
WIDTH = N_HEADS * HEAD_DIM


def layer_of(entry):
    """Return a layer and what it is called with behind x: nothing, or coordinates."""
    encoding = small(entry.encoding)
    layer = SelfAttention(WIDTH, N_HEADS, encoding, causal=True)
    counted = type(encoding).order is Encoding.order
    return layer, () if counted else (torch.arange(6).expand(3, 6).clone(),)


@pytest.mark.covering(most=4)
@pytest.mark.parametrize("entry", ENTRIES)
def test_the_gradients_of_each_text_equal_those_of_backward(entry):
    layer, positions = layer_of(entry)
    texts = torch.randn(2, 6, WIDTH)
    parameters = {name: one.detach() for name, one in layer.named_parameters()}

    def loss(parameters, text):
        return functional_call(layer, parameters, (text[None], *positions)).square().sum()

    alone = grad(loss)(parameters, texts[1])
    together = vmap(grad(loss), in_dims=(None, 0))(parameters, texts)
    without = vmap(lambda text: layer(text[None], *positions)[0])(texts)
    torch.testing.assert_close(without, layer(texts, *positions), rtol=1e-4, atol=1e-5)
    layer(texts[1:], *positions).square().sum().backward()
    for name, parameter in layer.named_parameters():
        torch.testing.assert_close(alone[name], parameter.grad, rtol=1e-4, atol=1e-5)
        torch.testing.assert_close(together[name][1], parameter.grad, rtol=1e-4, atol=1e-5)


@pytest.mark.covering(most=4)
@pytest.mark.parametrize("entry", ENTRIES)
def test_a_layer_on_the_meta_device_has_shapes_and_takes_a_state(entry, monkeypatch):
    layer, positions = layer_of(entry)
    x = torch.randn(2, 6, WIDTH)
    with torch.device("meta"), monkeypatch.context() as patched:
        patched.setattr(np.random, "default_rng", None)  # nothing is drawn
        empty, _ = layer_of(entry)
    assert all(one.is_meta for one in (*empty.parameters(), *empty.buffers()))
    given = torch.arange(6, device="meta")
    for some in [positions, positions or (given,)]:
        out = empty(x.to("meta"), *(one.to("meta") for one in some))
        assert out.shape == x.shape
    empty.to_empty(device="cpu").load_state_dict(layer.state_dict())
    torch.testing.assert_close(empty(x, *positions), layer(x, *positions))


@pytest.mark.covering(most=3)
@pytest.mark.parametrize("entry", ENTRIES)
def test_fake_tensors_pass_through_a_layer(entry):
    with FakeTensorMode():
        layer, positions = layer_of(entry)
        out = layer(torch.empty(2, 6, WIDTH), *positions)
    assert out.shape == (2, 6, WIDTH)


def test_weights_are_made_on_the_default_device_and_dtype():
    encoding = Learned(max_len=8, d_model=4)
    with torch.device("meta"):
        assert EncodingModule(encoding).learned["table"].is_meta
    drawn = EncodingModule(encoding, seed=3).learned["table"]
    torch.set_default_dtype(torch.float64)
    try:
        exact = EncodingModule(encoding, seed=3).learned["table"]
    finally:
        torch.set_default_dtype(torch.float32)
    assert exact.dtype == torch.float64
    assert torch.equal(exact.float(), drawn)


@pytest.mark.covering(most=3)
@pytest.mark.parametrize("entry", ENTRIES)
def test_an_exported_layer_gives_the_numbers_of_the_layer(entry):
    layer, positions = layer_of(entry)
    x, other = torch.randn(2, 2, 6, WIDTH)
    exported = torch.export.export(layer, (x, *positions), strict=False).module()
    torch.testing.assert_close(exported(other, *positions), layer(other, *positions))


@pytest.mark.parametrize("pre_dispatch", [False, True])
def test_recorded_rotation_takes_other_positions(pre_dispatch):
    def rotate(x, at):
        return Rope(head_dim=8).rotate(x, at)

    (x, other), at = torch.randn(2, 5, 8), torch.arange(3, 8)
    recorded = make_fx(rotate, pre_dispatch=pre_dispatch)(x, torch.arange(5))
    torch.testing.assert_close(recorded(other, at), rotate(other, at))


@pytest.mark.soak  # the gate compiles a module: test_layouts.py
@pytest.mark.parametrize("slug", ["alibi", "rope"])
def test_a_layer_is_compiled_in_one_graph_for_texts_of_every_length(slug):
    torch.compiler.reset()
    layer, _ = layer_of(REGISTRY[slug])
    compiled = torch.compile(layer, backend="eager", fullgraph=True)
    for length in (6, 9, 5):
        x = torch.randn(1, length, WIDTH)
        torch.testing.assert_close(compiled(x), layer(x))
