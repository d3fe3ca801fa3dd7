"""The questions of "Layers that differ": what is seen, what turns and what is weighed, computed."""

import math

import numpy as np
import pytest
from posenc import read_config
from posenc.attention import attention
from posenc.catalog.nope import NoPE
from posenc.catalog.rope import Rope
from posenc.number_format import grouped
from posenc.stack import Layer, Stack, Temperature

from tests.content.test_batch_questions import key_of, numbers_of

SMOLLM3 = {
    "model_type": "smollm3",
    "num_hidden_layers": 4,
    "hidden_size": 64,
    "num_attention_heads": 2,
    "rope_theta": 2e6,
    "max_position_embeddings": 32_768,
    "no_rope_layers": [1, 1, 1, 0],
}


def seen(layer: Layer, queries: list[int], keys: int) -> np.ndarray:
    """Return the mask of one layer, (queries, keys)."""
    return np.asarray(Stack((layer,)).mask_at(0, np.array(queries), np.arange(keys)))


def outputs(encodings: list[NoPE | Rope], x: np.ndarray) -> np.ndarray:
    """Return the tokens (L, D) after causal attention layers without learned matrices."""
    at = np.arange(len(x))
    for encoding in encodings:
        heads = x[None]
        x = attention(
            heads, heads, heads, encoding=encoding, q_positions=at, k_positions=at, causal=True
        )[0]
    return x


def test_flags_say_which_layers_turn() -> None:
    turning = [
        place
        for place, layer in enumerate(read_config(SMOLLM3).layers)
        if isinstance(layer.encoding, Rope)
    ]
    assert turning == [0, 1, 2]
    assert key_of("flags-of-layers") == str(36 // 4 * (4 - len(turning)))


def test_second_layer_without_position_sees_order() -> None:
    x = np.random.default_rng(0).normal(size=(6, 4))
    exchanged = x[[0, 2, 1, 3, 4, 5]]
    one, two = (
        np.abs(outputs([NoPE()] * layers, x) - outputs([NoPE()] * layers, exchanged))[-1].max()
        for layers in (1, 2)
    )
    assert one < 1e-12
    assert two > 1e-3
    assert key_of("all-layers-nope") == "Yes, from the second layer on"


def test_exchange_changes_what_lies_between() -> None:
    x = np.random.default_rng(0).normal(size=(9, 4))
    exchanged = x[[0, 1, 5, 3, 4, 2, 6, 7, 8]]
    changed = np.abs(outputs([NoPE()], x) - outputs([NoPE()], exchanged)).max(axis=1) > 1e-9
    assert np.flatnonzero(changed).tolist() == [2, 3, 4, 5]
    assert key_of("last-output-swapped") == "Those at positions 2 to 5"


def test_window_ends_at_its_oldest_key() -> None:
    row = seen(Layer(NoPE(), window=4), [9], 10)[0]
    assert key_of("oldest-key") == f"Position {int(np.argmax(row))}"


def test_chunk_begins_with_one_key() -> None:
    row = seen(Layer(NoPE(), chunk=8192), [8192], 8193)[0]
    assert key_of("first-of-a-chunk").startswith(f"{int(row.sum())}:")


def test_flash_counts_the_keys_before() -> None:
    row = seen(Layer(NoPE(), window=128), [500], 501)[0]
    assert key_of("window-for-flash") == f"`({int(row[:500].sum())}, 0)`"


def test_six_windows_reach_what_is_said() -> None:
    assert key_of("reach-of-six") == str(Stack((Layer(NoPE(), window=5),) * 6).reach())


def test_global_layer_reaches_all() -> None:
    local = seen(Layer(NoPE(), window=4), list(range(1000)), 1000)
    rows = seen(Layer(NoPE()), [999], 1000)
    for _ in range(5):
        rows = rows @ local
    assert key_of("one-global-layer") == f"All {grouped(int((rows > 0).sum()))} so far"


def test_layers_for_a_distance_are_the_fewest() -> None:
    def covers(layers: int, window: int = 5) -> bool:
        return (Stack((Layer(NoPE(), window=window),) * layers).reach() or 0) > 40

    fewest = next(layers for layers in range(1, 50) if covers(layers))
    right, *near = numbers_of("layers-for-a-distance")
    assert right == fewest
    one_more = next(layers for layers in range(1, 50) if covers(layers, 6))
    assert near[:2] == [one_more, fewest - 1]


@pytest.mark.parametrize("distance", [1, 5, 700])
def test_one_base_for_all_is_wrong_at_every_distance(distance: int) -> None:
    small, large = (Rope(head_dim=128, base=base).inv_freq * distance for base in (1e4, 1e6))
    assert not np.allclose(np.cos(small), np.cos(large), atol=1e-3)
    assert key_of("one-base-for-all") == "The global ones alone"


@pytest.mark.parametrize(("share", "partner"), [("proportional", 256), ("partial", 64)])
def test_partner_is_what_moves(share: str, partner: int) -> None:
    rope = Rope(head_dim=512, rotary_share=0.25, share=share, pairing="half-split")
    unit = np.zeros((1, 1, 512))
    unit[..., 0] = 1
    turned, _ = rope.on_queries_and_keys(unit, unit, np.array([1]), np.array([1]), {})
    assert np.flatnonzero(turned[0, 0]).tolist() == [0, partner]
    if share == "proportional":
        assert key_of("pairs-of-a-share") == f"Number {partner}"


def test_third_frequency_is_by_the_whole_head() -> None:
    by_rule = [
        Rope(head_dim=16, rotary_share=0.5, share=share, pairing="half-split").inv_freq
        for share in ("proportional", "partial")
    ]
    right, partial, still, fourth = numbers_of("third-proportional-frequency")
    assert [right, partial] == pytest.approx([frequencies[2] for frequencies in by_rule])
    assert still == by_rule[0][4]
    assert fourth == pytest.approx(by_rule[0][3])


def test_sink_of_equal_scores_keeps_a_quarter() -> None:
    assert key_of("sink-of-equal-scores") == "3/4"
    assert 3 * math.exp(0) / (3 * math.exp(0) + math.exp(0)) == 3 / 4


def test_temperature_of_layers_without_rope_alone() -> None:
    llama_4 = Temperature("llama4", 0.1, 8192).at(np.array([100_000]))[0]
    assert llama_4 == pytest.approx(1 + 0.1 * math.log(13))
    assert round(float(llama_4), 2) == 1.26
    assert round(100_001 / 8192, 1) == 12.2
    assert key_of("temperature-of-a-query") == "By none"


def test_short_text_does_not_show_a_window() -> None:
    short = list(range(10))
    assert (
        seen(Layer(NoPE(), window=512), short, 10) == seen(Layer(NoPE(), window=513), short, 10)
    ).all()
    assert key_of("what-a-layer-sees") == "Its window becomes 513"
