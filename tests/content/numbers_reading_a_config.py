"""The numbers of the lesson "Reading a config"."""

import json
from pathlib import Path

import numpy as np
from posenc.catalog.rope import Rope
from posenc.configs import read_config
from posenc.number_format import grouped

LESSON = "reading-a-config"
CITED = {"2025", "2026", "5.24", "8192"}  # of reports, a version, the trained length of Llama 3.1
RELEASED = Path(__file__).parents[1] / "posenc/configs/released.json"
FILES = {model["name"]: model["config"] for model in json.loads(RELEASED.read_text())["models"]}


def alike(right: Rope, wrong: Rope, position: int) -> float:
    """Return the cosine of a key with equal lengths in all pairs, turned rightly and wrongly."""
    return float(np.cos(position * (right.inv_freq - wrong.inv_freq)).mean())


def score(base: float, distance: int) -> float:
    """Return the score of two equal vectors of 128 columns, 1 at distance 0."""
    return float(np.cos(distance * Rope(head_dim=128, base=base).inv_freq).mean())


def said() -> dict[str, list[str]]:
    """Return the words of each step that carry numbers."""
    llama = FILES["Llama 3.1 8B Instruct"]
    (layer, *_) = read_config(llama).layers
    assert isinstance(layer.encoding, Rope)
    base = layer.encoding.base
    plain = Rope(head_dim=128, base=base)
    ratio = plain.inv_freq / layer.encoding.inv_freq
    right, fast = np.flatnonzero(ratio < 1 + 1e-9), np.flatnonzero(ratio > 8 - 1e-9)
    assert (right[0], fast[-1]) == (0, 63)
    rope = llama["rope_scaling"]
    trained, stated = rope["original_max_position_embeddings"], llama["max_position_embeddings"]
    assert (8192 * plain.inv_freq[fast] < 2 * np.pi).all()
    smollm = FILES["SmolLM3-3B"]
    flags = smollm["no_rope_layers"]
    default = 2_000_000
    released = Rope(head_dim=128, base=smollm["rope_theta"])
    too_fast = Rope(head_dim=128, base=default).inv_freq[-1] / released.inv_freq[-1]
    wrong = Rope(head_dim=128, base=10_000)
    assert f"{alike(plain, wrong, 1):.3f}" == "0.999"
    scaled = layer.encoding
    return {
        "fields": [
            f"The base is {grouped(base)}.",
            f"it is {llama['hidden_size']}, the width of the model (`hidden_size`), divided by"
            f" {llama['num_attention_heads']} heads.",
        ],
        "spellings": [f"So {grouped(10_000)} was used"],
        "unread": [
            f"if the base is {grouped(10_000)} and not {grouped(base)}?",
            "At 1000, little of the right key is left.",
            f"from 800 to 1000 tokens on. The file of such a model has {grouped(base)}.",
            f"class default {grouped(default)}; two public copies of the model's file have"
            f" {grouped(smollm['rope_theta'])}. With the default, the slowest pair is too fast by a"
            f" factor of {too_fast:.2f}.",
        ],
        "scaling": [
            f"`factor` {rope['factor']:.0f}, `low_freq_factor` {rope['low_freq_factor']:.0f},"
            f" `high_freq_factor` {rope['high_freq_factor']:.0f} and"
            f" `original_max_position_embeddings` {trained}",
            f"Pairs 0 to {right[-1]} are right, and pairs {fast[0]} to {fast[-1]} are eight times"
            " too fast.",
            f"measured as before, is {alike(plain, scaled, 1000):.2f} at position 1000, and"
            f" {alike(plain, scaled, trained):.2f} at {trained}.",
            f"in Llama 3.1 it is {grouped(stated)}, {stated // trained} times {trained}"
            f" and not {rope['factor']:.0f} times",
        ],
        "layers": [
            f"SmolLM3 has {len(flags)} layers, and its list goes 1, 1, 1, 0 and on like that:"
            f" {sum(flags)} turn, {flags.count(0)} do not.",
        ],
        "whole-file": [],
    }


SAID = said()
