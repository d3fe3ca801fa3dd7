"""The figures of layers: products of masks, and a softmax written out."""

import math

import numpy as np
import pytest
from posenc.catalog.nope import NoPE, nope
from posenc.stack import Layer, Stack

WINDOWS, WEIGHTS = (nope.views[name] for name in ("windows", "weights"))


@pytest.mark.parametrize(("tokens", "window"), [(12, 4), (9, 1), (10, 2), (7, 30), (20, 5)])
@pytest.mark.parametrize("layers", [1, 2, 3, 6])
def test_windows_figure_is_products_of_masks(tokens, window, layers):
    data = WINDOWS.compute(NoPE(), tokens=tokens, window=window, layers=layers)
    at = np.arange(tokens)
    stack = Stack((Layer(NoPE(), window=window),) * layers)
    mask = np.asarray(stack.mask_at(0, at, at)).astype(int)
    expected = np.full((tokens, tokens), np.nan)
    reached = np.eye(tokens, dtype=int)
    for layer in range(1, layers + 1):
        reached = np.minimum(reached @ mask, 1)
        expected[np.isnan(expected) & (reached > 0)] = layer
    np.testing.assert_array_equal(data.values, expected)
    assert data.summary["reach"] == stack.reach()
    assert data.summary["last"] == np.count_nonzero(reached[-1]) == min(tokens, stack.reach())
    assert data.summary["pairs"] == np.count_nonzero(reached)


@pytest.mark.parametrize(
    ("settings", "title", "finding"),
    [
        (
            {},
            "A query sees at most 4 keys",
            "The query at position 11 sees 4 keys, 8 to 11.",
        ),
        (
            {"layers": 3},
            "Through 3 layers, an output can depend on 10 tokens",
            "The output at position 11 depends on 10 tokens, 2 to 11.",
        ),
        (
            {"window": 1},
            "A query sees at most 1 key",
            "The query at position 11 sees itself alone.",
        ),
        (
            {"window": 1, "layers": 2},
            "Through 2 layers, an output can depend on 1 token",
            "The output at position 11 depends on itself alone.",
        ),
        (
            {"window": 16},
            "A query sees at most 16 keys",
            "The query at position 11 sees 12 keys, 0 to 11.",
        ),
    ],
)
def test_windows_figure_says_what_it_shows(settings, title, finding):
    data = WINDOWS.compute(NoPE(), **settings)
    assert (data.title, data.finding) == (title, finding)


@pytest.mark.parametrize("keys", [2, 3, 16])
@pytest.mark.parametrize("temperature", [0.0, 1.0, 1.283321])
@pytest.mark.parametrize("sink_score", [None, 0.0, 1.0, 90.0])
def test_weights_figure_is_a_softmax_written_out(keys, temperature, sink_score):
    has_sink = sink_score is not None
    data = WEIGHTS.compute(
        NoPE(), keys=keys, sink=has_sink, sink_score=sink_score or 0.0, temperature=temperature
    )
    scores = [2.0, 1.0, *[0.0] * (keys - 2)]
    plain = [math.exp(score) for score in scores]
    changed = [math.exp(temperature * score) for score in scores]
    more = math.exp(sink_score) if has_sink else 0.0
    total = sum(changed) + more
    upper = [power / sum(plain) for power in plain] + [math.nan] * has_sink
    lower = [power / total for power in changed] + [more / total] * has_sink
    np.testing.assert_allclose(data.values, [upper, lower], rtol=1e-12, atol=1e-15)
    assert data.summary["plain"] == pytest.approx(upper[0], rel=1e-12)
    assert data.summary["first"] == pytest.approx(lower[0], rel=1e-12)
    assert data.summary["total"] == pytest.approx(sum(changed) / total, rel=1e-12)
    assert data.column_names == (*map(str, range(keys)), *(["sink"] if has_sink else []))
    assert data.x.tick_labels[-1] == "sink" or not has_sink


@pytest.mark.parametrize(
    ("settings", "title", "subtitle", "finding"),
    [
        (
            {},
            "A sink takes weight from every key",
            "3 keys with the scores 2, 1 and 0, a sink of 1.",
            "The first key has the weight 0.665, and then 0.534. The weights of the keys then add"
            " up to 0.803.",
        ),
        (
            {"keys": 16, "sink": False, "temperature": 1.25},
            "A temperature above 1 sharpens the weights",
            "16 keys with the scores 2, 1, and 0 for all others, temperature 1.25.",
            "The first key has the weight 0.307, and then 0.411.",
        ),
        (
            {"keys": 2, "sink_score": 0.5, "temperature": 2.0},
            "A temperature sharpens the weights, and a sink takes some",
            "2 keys with the scores 2, 1, a sink of 0.5, temperature 2.",
            "The first key has the weight 0.731, and then 0.858. The weights of the keys then add"
            " up to 0.974.",
        ),
        (
            {"sink": False, "temperature": 0.5},
            "A temperature below 1 flattens the weights",
            "3 keys with the scores 2, 1 and 0, temperature 0.5.",
            "The first key has the weight 0.665, and then 0.506.",
        ),
        (
            {"sink": False},
            "The weights of one query",
            "3 keys with the scores 2, 1 and 0.",
            "The first key has the weight 0.665, and then 0.665.",
        ),
    ],
)
def test_weights_figure_says_what_it_shows(settings, title, subtitle, finding):
    data = WEIGHTS.compute(NoPE(), **settings)
    assert (data.title, data.subtitle, data.finding) == (title, subtitle, finding)
