"""What every encoding of the catalogue promises: libraries, dtypes, batches and caches alike."""

import numpy as np
import posenc.catalog  # noqa: F401  (registers every encoding)
import pytest
import torch
from posenc.attention import attention
from posenc.encoding import HOOKS
from posenc.errors import ParameterError
from posenc.registry import REGISTRY

from tests.posenc.catalog.small import draw_layer, layer, small, trained

pytestmark = pytest.mark.torch

ENTRIES = list(REGISTRY.values())
LEARNING = [entry for entry in ENTRIES if small(entry.encoding).parameter_count()]
LOOKING = [entry for entry in ENTRIES if entry.encoding.hooks()]
ON_A_LINE = [entry for entry in ENTRIES if entry.slug != "rope_2d"]  # that has its own test


def each(entries):
    return pytest.mark.parametrize("entry", entries, ids=lambda entry: entry.slug)


every = each(ENTRIES)


def in_torch(arrays, dtype=torch.float64):
    return [torch.from_numpy(array).to(dtype) for array in arrays]


def weights_in_torch(weights, dtype=torch.float64):
    return {name: torch.from_numpy(weight).to(dtype) for name, weight in weights.items()}


def positions_of(entry, length, batch=()):
    """Return positions 0 .. length-1, with three equal coordinates where an encoding wants them."""
    positions = np.arange(length)
    if entry.slug == "rope_2d":
        return np.broadcast_to(positions, (3, *batch, length)).copy()
    return positions


@every
def test_it_states_its_facts(entry):
    encoding = small(entry.encoding)
    assert set(encoding.hooks()) <= set(HOOKS)
    drawn = encoding.init_weights(np.random.default_rng(1))
    assert encoding.parameter_count() == sum(weight.size for weight in drawn.values())
    shapes = {name: weight.shape for name, weight in drawn.items()}
    assert shapes == encoding.weight_shapes
    for name, weight in drawn.items():
        assert weight.dtype == np.float64, name
        assert np.isfinite(weight).all(), name
    assert isinstance(encoding.extrapolates, bool)
    assert encoding.cost
    if encoding.hooks():
        assert encoding.cost != "nothing"


@every
def test_weights_come_from_the_generator_alone(entry):
    one, same, other = (
        small(entry.encoding).init_weights(np.random.default_rng(seed)) for seed in (3, 3, 4)
    )
    for name in one:
        np.testing.assert_array_equal(one[name], same[name])
    if any(np.ptp(weight) for weight in one.values()):
        assert any((one[name] != other[name]).any() for name in one)


@every
@pytest.mark.parametrize("causal", [False, True])
def test_torch_gives_the_numbers_of_numpy(entry, causal):
    encoding, inputs = small(entry.encoding), draw_layer(7, batch=(2,))
    positions, weights = positions_of(entry, 7, (2,)), trained(encoding)
    ours = layer(encoding, *inputs, positions, weights, causal=causal)
    theirs = layer(
        encoding,
        *in_torch(inputs),
        torch.from_numpy(positions),
        weights_in_torch(weights),
        causal=causal,
    )
    assert theirs.dtype == torch.float64
    np.testing.assert_allclose(theirs.numpy(), ours, rtol=0, atol=1e-12)


@every
@pytest.mark.parametrize(
    ("dtype", "tolerance"),
    [(torch.float32, 1e-5), (torch.bfloat16, 0.15), (torch.float16, 0.02)],
    ids=["float32", "bfloat16", "float16"],
)
def test_the_dtype_that_goes_in_comes_out(entry, dtype, tolerance):
    encoding, inputs = small(entry.encoding), draw_layer(6)
    positions, weights = positions_of(entry, 6), trained(encoding)
    exact = layer(encoding, *inputs, positions, weights)
    rough = layer(
        encoding,
        *in_torch(inputs, dtype),
        torch.from_numpy(positions),
        weights_in_torch(weights, dtype),
    )
    assert rough.dtype == dtype
    assert np.abs(rough.double().numpy() - exact).max() < tolerance


@every
def test_numpy_float32_stays_float32_whatever_the_weights_are(entry):
    encoding, inputs = small(entry.encoding), draw_layer(6)
    positions, weights = positions_of(entry, 6), trained(encoding)
    x, q, k, v = (array.astype(np.float32) for array in inputs)
    assert encoding.on_embeddings(x, positions, weights).dtype == np.float32
    turned = encoding.on_queries_and_keys(q, k, positions, positions, weights)
    assert [array.dtype for array in turned] == [np.float32, np.float32]
    scores = q @ np.swapaxes(k, -1, -2)
    scored = encoding.on_scores(scores, q, k, positions, positions, weights)
    assert scored.dtype == np.float32
    assert scored.shape == scores.shape
    mixed = encoding.on_values(scores @ v, scores, positions, positions, weights)
    assert mixed.dtype == np.float32


@every
def test_hooks_leave_their_arguments_alone(entry):
    encoding, inputs = small(entry.encoding), draw_layer(5)
    positions, weights = positions_of(entry, 5), trained(encoding)
    before = [array.copy() for array in (*inputs, positions, *weights.values())]
    layer(encoding, *inputs, positions, weights)
    for kept, array in zip(before, (*inputs, positions, *weights.values()), strict=True):
        np.testing.assert_array_equal(array, kept)


@every
def test_one_new_query_meets_a_cache_of_keys(entry):
    encoding = small(entry.encoding)
    _, q, k, v = draw_layer(9)
    positions, weights = positions_of(entry, 9), trained(encoding)
    options = {"encoding": encoding, "weights": weights, "causal": True, "k_positions": positions}
    whole = attention(q, k, v, q_positions=positions, **options)
    last = attention(q[:, 6:], k, v, q_positions=positions[..., 6:], **options)
    np.testing.assert_allclose(last, whole[:, 6:], rtol=0, atol=1e-12)


@every
def test_keys_may_come_in_any_order(entry):
    encoding, order = small(entry.encoding), np.array([4, 0, 2, 5, 1, 3])
    _, q, k, v = draw_layer(6)
    positions, weights = positions_of(entry, 6), trained(encoding)
    options = {"encoding": encoding, "weights": weights, "q_positions": positions, "causal": True}
    straight = attention(q, k, v, k_positions=positions, **options)
    shuffled = attention(q, k[:, order], v[:, order], k_positions=positions[..., order], **options)
    np.testing.assert_allclose(shuffled, straight, rtol=0, atol=1e-12)


@each(ON_A_LINE)
def test_each_text_of_a_batch_has_positions_of_its_own(entry):
    encoding, weights = small(entry.encoding), trained(small(entry.encoding))
    inputs = draw_layer(4, batch=(2,))
    positions = np.array([[0, 1, 2, 3], [5, 6, 7, 8]])
    together = layer(encoding, *inputs, positions, weights)
    for text in range(2):
        alone = layer(encoding, *(one[text] for one in inputs), positions[text], weights)
        np.testing.assert_allclose(together[text], alone, rtol=0, atol=1e-12)


@each(LEARNING)
def test_gradients_reach_every_weight(entry):
    """In a short text or, where a weight acts on long ones alone, in one of 600 tokens."""
    weights = weights_in_torch(trained(small(entry.encoding)))
    unreached = list(weights)
    for length in (12, 600):
        if unreached:
            unreached = without_gradient(entry, weights, length)
    assert not unreached


def without_gradient(entry, weights, length):
    """Return the names of the weights that a text of this length does not move."""
    inputs = in_torch(draw_layer(length))
    learned = {name: weight.clone().requires_grad_() for name, weight in weights.items()}
    positions = torch.from_numpy(positions_of(entry, length))
    out = layer(small(entry.encoding), *inputs, positions, learned)
    (out**2).sum().backward()
    for name, weight in learned.items():
        assert torch.isfinite(weight.grad).all(), name
    return [name for name, weight in learned.items() if not weight.grad.any()]


@each(LOOKING)
def test_positions_that_are_none_are_refused_by_name(entry):
    encoding, inputs = small(entry.encoding), draw_layer(5)
    weights = trained(encoding)
    bad = positions_of(entry, 5).astype(float)
    bad[..., 2] = np.nan
    with pytest.raises(ParameterError) as caught:
        layer(encoding, *inputs, bad, weights)
    assert "positions" in caught.value.argument


@each(LEARNING)
def test_weights_that_are_missing_are_refused_by_name(entry):
    encoding, inputs = small(entry.encoding), draw_layer(5)
    with pytest.raises(ParameterError, match=r'^weights\["'):
        layer(encoding, *inputs, positions_of(entry, 5), {})
