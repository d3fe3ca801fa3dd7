"""Positions are looked at in every dtype; only a tensor without values is let through unseen."""

from contextlib import nullcontext
from types import SimpleNamespace

import posenc.catalog  # noqa: F401  (fills the registry)
import pytest
import torch
from posenc import ends
from posenc.catalog.alibi import Alibi
from posenc.catalog.rope import Rope
from posenc.encoding import Encoding
from posenc.errors import ParameterError
from posenc.registry import REGISTRY
from posenc.torch_modules import EncodingModule, SelfAttention

from tests.posenc.catalog.small import HEAD_DIM, N_HEADS, small

pytestmark = pytest.mark.torch

# Torch has no minimum of these.
RARE = [torch.uint16, torch.uint32, torch.uint64, torch.float8_e4m3fn, torch.float8_e5m2]


@pytest.mark.parametrize("dtype", RARE)
@pytest.mark.parametrize("slug", REGISTRY)
def test_positions_of_every_dtype_give_the_numbers_of_int64(slug, dtype):
    encoding = small(REGISTRY[slug].encoding)
    layer = SelfAttention(N_HEADS * HEAD_DIM, N_HEADS, encoding, causal=True)
    x, positions = torch.randn(1, 3, N_HEADS * HEAD_DIM), torch.tensor([0, 1, 3])
    if type(encoding).order is not Encoding.order:
        positions = positions.expand(3, 3)
    assert torch.equal(layer(x, positions.to(dtype)), layer(x, positions))


@pytest.mark.parametrize("far", [2**53 + 2, 2**60 + 1, 2**63 + 7, 2**64 - 1])
@pytest.mark.parametrize("slug", ["rope", "alibi", "sinusoidal"])
def test_unsigned_positions_beyond_the_whole_numbers_of_float64_are_refused(slug, far):
    encoding = small(REGISTRY[slug].encoding)
    layer = SelfAttention(N_HEADS * HEAD_DIM, N_HEADS, encoding)
    positions = torch.tensor([0, 1, far], dtype=torch.uint64)
    with pytest.raises(ParameterError, match=r"positions=.*at most 2\*\*53"):
        layer(torch.randn(1, 3, N_HEADS * HEAD_DIM), positions)


def test_a_text_s_length_is_read_from_unsigned_positions():
    rope = Rope(head_dim=4, scaling="dynamic-ntk", factor=2, trained_length=2)
    q, positions = torch.randn(1, 1, 3, 4), torch.tensor([0, 1, 9])
    assert torch.equal(rope.rotate(q, positions.to(torch.uint64)), rope.rotate(q, positions))


def test_a_machine_that_fails_is_not_a_tensor_without_values(monkeypatch):
    def fail(_):
        raise RuntimeError("CUDA error: out of memory")

    monkeypatch.setattr(ends, "array_namespace", lambda _: SimpleNamespace(min=fail, max=fail))
    with pytest.raises(RuntimeError, match="out of memory"):
        ends.lowest_and_highest(torch.tensor([3, 1]))
    assert ends.lowest_and_highest(torch.empty(2, device="meta")) is None


class EverySecond(Alibi):
    """A user's own: keys stand two apart, written in place."""

    def on_scores(self, scores, q, k, q_positions, k_positions, weights):
        k_positions *= 2
        k_positions[0] = 1
        return super().on_scores(scores, q, k, q_positions, k_positions, weights)


MODES = [nullcontext, torch.no_grad, torch.inference_mode]


@pytest.mark.parametrize("mode", MODES)
def test_positions_written_to_in_place_no_longer_count_from_zero(mode):
    scores, rows = torch.randn(1, 2, 5, 5), torch.randn(1, 2, 5, 4)
    with mode():
        own = EncodingModule(EverySecond(n_heads=2)).on_scores(scores, rows, rows)
        keys = torch.tensor([1, 2, 4, 6, 8])
        said = Alibi(n_heads=2).on_scores(scores, rows, rows, torch.arange(5), keys, {})
    assert torch.equal(own, said)


@pytest.mark.parametrize("mode", MODES)
def test_positions_counted_by_a_module_are_known_to_count_from_zero_until_written_to(mode):
    with mode():
        module = EncodingModule(Alibi(n_heads=2))
        positions = module.positions_or_all("positions", None, "x", torch.ones(5, 4))
        assert ends.counts_from_zero(positions)
        assert ends.ends_of_a_row(positions) == (0, 4)
        positions += 1
        assert not ends.counts_from_zero(positions)
        assert ends.ends_of_a_row(positions) == (1, 5)
