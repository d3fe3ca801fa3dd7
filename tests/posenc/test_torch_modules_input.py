"""Torch modules given what they cannot use: refused under the name the caller used."""

import numpy as np
import pytest
import torch
from posenc.catalog.alibi import Alibi
from posenc.catalog.learned import Learned
from posenc.catalog.nope import NoPE
from posenc.catalog.rope import Rope
from posenc.catalog.shaw import Shaw
from posenc.catalog.sinusoidal import Sinusoidal
from posenc.catalog.xpos import XPos
from posenc.errors import ParameterError
from posenc.torch_modules import (
    EncodingModule,
    RopeModule,
    SelfAttention,
    SinusoidalModule,
    module_for,
)

pytestmark = pytest.mark.torch


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((64, 2.0, Rope()), "n_heads=2.0: must be a whole number"),
        ((64, 0, Rope()), "n_heads=0: must be between 1 and 64"),
        ((-64, 2, Rope()), "d_model=-64: must be between 1 and 65536"),
        ((64, 2, "rope"), "encoding=rope: must be an encoding, for example Rope()"),
    ],
)
def test_a_layer_that_cannot_be_is_refused_with_the_reason(arguments, message):
    with pytest.raises(ParameterError) as caught:
        SelfAttention(*arguments)
    assert str(caught.value) == message


@pytest.mark.parametrize("rows", [np.ones((2, 5, 8)), "x", torch.ones(8), torch.ones(5, 8).int()])
@pytest.mark.parametrize(
    ("encoding", "names"), [(Sinusoidal(d_model=8), ["x"]), (Rope(head_dim=8), ["q", "k"])]
)
def test_a_module_refuses_anything_but_rows_by_name(encoding, names, rows):
    module = module_for(encoding)
    for name in names:
        given = {other: rows if other == name else torch.ones(2, 5, 8) for other in names}
        with pytest.raises(ParameterError, match=rf"^{name}=.*must be a torch tensor"):
            module(**given)
        given[name] = torch.ones(2, 5, 6)
        with pytest.raises(ParameterError, match=rf"^{name}=.*must be \(..., L, 8\)"):
            module(**given)


def test_a_layer_refuses_embeddings_of_another_width():
    with pytest.raises(ParameterError, match=r"^x=<Tensor .*must be \(B, L, 64\)"):
        SelfAttention(64, 2, Rope(head_dim=32))(torch.ones(1, 5, 60))


def test_heads_that_do_not_divide_are_refused():
    with pytest.raises(ParameterError, match="n_heads=3: must divide d_model=16"):
        SelfAttention(16, 3, Alibi(n_heads=3))


CODED, TURNED, TABLE = Sinusoidal(d_model=16), Rope(head_dim=8), Learned(max_len=4, d_model=16)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: EncodingModule(TABLE, seed=-1), "seed=-1: must be between 0 and 1844674407"),
        (lambda: EncodingModule(CODED, seed=2.5), "seed=2.5: must be a whole number"),
        (lambda: EncodingModule(TABLE, seed="8"), "seed=8: must be a whole number"),
        (lambda: SinusoidalModule(TURNED), "encoding=Rope(head_dim=8, "),
        (lambda: SinusoidalModule(CODED, max_len=-1), "max_len=-1: must be between 0 and"),
        (lambda: SinusoidalModule(CODED, max_len=2**40), "max_len=1099511627776: must be betw"),
        (lambda: SelfAttention(16, 2, TURNED, causal="no"), "causal=no: must be True or False"),
        (lambda: RopeModule(XPos(head_dim=8)), "encoding=XPos(head_dim=8, "),
        (lambda: module_for(NoPE())(torch.ones(1, 5, 16)), "encoding=NoPE: must use one hook to"),
        (
            lambda: module_for(Shaw())(torch.ones(1)),
            "it uses on_scores and on_values: call",
        ),
    ],
)
def test_a_module_that_cannot_be_is_refused_with_the_reason(make, message):
    with pytest.raises(ParameterError) as caught:
        make()
    assert message in str(caught.value)


@pytest.mark.parametrize("encoding", [CODED, TURNED, TABLE])
def test_a_module_stays_that_of_its_encoding(encoding):
    module = module_for(encoding)
    with pytest.raises(AttributeError, match="encoding"):
        module.encoding = Alibi(n_heads=2)
    assert module.encoding is encoding


BROKEN = [torch.arange(4), torch.full((5,), torch.nan), torch.zeros(3, 5), np.arange(5), "x", 3]


@pytest.mark.parametrize("positions", BROKEN, ids=str)
@pytest.mark.parametrize("encoding", [CODED, TURNED, TABLE, Alibi(n_heads=2), NoPE()])
def test_positions_that_a_layer_cannot_use_are_refused_by_that_name(encoding, positions):
    with pytest.raises(ParameterError, match=r"^positions="):
        SelfAttention(16, 2, encoding)(torch.ones(1, 5, 16), positions)
