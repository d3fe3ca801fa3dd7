"""The references of the exercises on today's models do what the engine does."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from posenc.catalog.rope import Rope
from posenc.stack import Layer, Stack

from tests.shipped_exercises.folders import definition_of


def reference_of(slug: str) -> Callable[..., Any]:
    definition = definition_of(slug)
    names: dict[str, Any] = {}
    exec(definition.reference, names)
    function: Callable[..., Any] = names[definition.name]
    return function


@pytest.mark.parametrize("kind", ["partial", "proportional"])
@pytest.mark.parametrize("share", [0.25, 0.5, 1.0])
def test_part_of_the_pairs_turns_as_rope_does(kind: Any, share: float) -> None:
    rng = np.random.default_rng(3)
    x, positions = rng.normal(size=(5, 16)), np.array([2, 3, 9, 40, 41])
    rope = Rope(head_dim=16, base=500.0, pairing="half-split", rotary_share=share, share=kind)
    heads = x[None, None]
    turned, _ = rope.on_queries_and_keys(heads, heads, positions, positions, {})
    rotated = reference_of("partial-or-proportional")(
        x=x, positions=positions, base=500.0, share=share, kind=kind
    )
    np.testing.assert_allclose(rotated, turned[0, 0], atol=1e-12)


@pytest.mark.parametrize("window", [1, 3, 9])
@pytest.mark.parametrize(("queries", "keys"), [(1, 1), (1, 6), (4, 7), (7, 7)])
def test_sliding_mask_is_that_of_a_layer(queries: int, keys: int, window: int) -> None:
    stack = Stack((Layer(encoding=Rope(), window=window),))
    positions = np.arange(keys)
    expected = stack.mask_at(0, positions[-queries:], positions)
    mask = reference_of("sliding-mask")(Lq=queries, Lk=keys, window=window)
    assert np.array_equal(mask, expected)
