"""Modules under torch's transforms: gradients of each text, tracing, tensors without values."""

import posenc.catalog  # noqa: F401  (fills the registry)
import pytest
import torch
from posenc.encoding import Encoding
from posenc.registry import REGISTRY
from posenc.torch_modules import SelfAttention
from torch.func import functional_call, grad, vmap

from tests.posenc.catalog.small import HEAD_DIM, N_HEADS, small

ENTRIES = [pytest.param(entry, id=slug) for slug, entry in REGISTRY.items()]
WIDTH = N_HEADS * HEAD_DIM


def layer_of(entry):
    """Return a layer and what it is called with behind x: nothing, or coordinates."""
    encoding = small(entry.encoding)
    layer = SelfAttention(WIDTH, N_HEADS, encoding, causal=True)
    counted = type(encoding).order is Encoding.order
    return layer, () if counted else (torch.arange(6).expand(3, 6).clone(),)


@pytest.mark.parametrize("entry", ENTRIES)
def test_the_gradients_of_each_text_are_those_of_backward(entry):
    layer, positions = layer_of(entry)
    texts = torch.randn(2, 6, WIDTH)
    parameters = {name: one.detach() for name, one in layer.named_parameters()}

    def loss(parameters, text):
        return functional_call(layer, parameters, (text[None], *positions)).square().sum()

    alone = grad(loss)(parameters, texts[1])
    together = vmap(grad(loss), in_dims=(None, 0))(parameters, texts)
    layer(texts[1:], *positions).square().sum().backward()
    for name, parameter in layer.named_parameters():
        torch.testing.assert_close(alone[name], parameter.grad, rtol=1e-4, atol=1e-5)
        torch.testing.assert_close(together[name][1], parameter.grad, rtol=1e-4, atol=1e-5)
