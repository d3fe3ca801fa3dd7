"""What is said of a config: each number computed here in another way, from the file alone."""

import math
import re

import pytest
from posenc.catalog.rope import Rope
from posenc.configs import findings, read_config, turning_of
from posenc.stack import Layer, Stack

from tests.posenc.configs.data import MODELS, RELEASED

CONFIGS = {model["name"]: model.get("old") or model["new"] for model in MODELS}
CONFIGS |= {model["name"]: model["config"] for model in RELEASED}
SPACE = "\N{NARROW NO-BREAK SPACE}"


def said_of(name):
    return [sentence.replace(SPACE, "") for sentence in findings(read_config(CONFIGS[name]))]


def plain(base, columns):
    """Return radians per token of plain RoPE, one pair after the other."""
    return [base ** (-2 * pair / columns) for pair in range(columns // 2)]


def llama3(base, columns, factor, low, high, trained):
    """Return the frequencies by the three cases of Llama's own code."""
    scaled = []
    for omega in plain(base, columns):
        wavelength = 2 * math.pi / omega
        if wavelength < trained / high:
            scaled.append(omega)
        elif wavelength > trained / low:
            scaled.append(omega / factor)
        else:
            smooth = (trained / wavelength - low) / (high - low)
            scaled.append((1 - smooth) * omega / factor + smooth * omega)
    return scaled


def test_llama_3_names_its_first_slowed_pair():
    ratios = [
        fast / slow
        for fast, slow in zip(plain(5e5, 128), llama3(5e5, 128, 8, 1, 4, 8192), strict=True)
    ]
    first = next(pair for pair, ratio in enumerate(ratios) if ratio > 8 - 1e-6)
    assert said_of("Llama 3.1 8B Instruct")[0] == (
        f"This file says llama3. Code that reads rope_theta alone turns pair {first}"
        " eight times too fast."
    )


def test_the_slowest_pair_is_compared_with_stated_length():
    period = 2 * math.pi * 1e6 ** (126 / 128)
    few = sum(40_960 * omega < 2 * math.pi for omega in plain(1e6, 128))
    assert said_of("Qwen3-8B") == [
        f"The slowest pair needs {round(period)} tokens for one turn:"
        f" {round(period / 40_960)} times the stated 40960.",
        f"{few} of 64 pairs never go round once in the stated 40960 tokens.",
    ]


def test_layers_without_position_come_first():
    flags = CONFIGS["SmolLM3-3B"]["no_rope_layers"]
    bare = [place for place, flag in enumerate(flags) if not flag]
    first = said_of("SmolLM3-3B")[0]
    assert first.startswith(f"{len(bare)} of {len(flags)} layers have no position: ")
    assert first.endswith(f"{', '.join(map(str, bare[:3]))}, …, {bare[-1]}.")


def test_recurrent_layers_are_said_first():
    assert said_of("Qwen3.5 (all sizes)")[0] == (
        "Only 1 of 4 layers has attention that turns; 3 are recurrent."
    )


def test_partial_and_still_pairs_are_told_apart():
    assert "Only 24 of 96 dimensions turn." in said_of("GPT-NeoX-20B")[0]
    gemma = said_of("Gemma 4 31B global")[0]
    assert gemma.startswith("192 of 256 pairs never turn in layer 5.")


def test_two_bases_are_said():
    config = CONFIGS["Gemma 3 1B"]
    bases = sorted((config["rope_local_base_freq"], config["rope_theta"]))
    assert f"Two bases: {bases[0]:.0f} in 22 layers, {bases[1]:.0f} elsewhere." in " ".join(
        said_of("Gemma 3 1B")
    )


def test_factors_of_scores_are_said():
    mscale = 0.1 * math.log(40) + 1
    assert f"All scores are multiplied by {mscale**2:.6g} as well." in said_of("DeepSeek-V3")
    yarn = 0.1 * math.log(32) + 1
    words = f"The part of a score that turns is multiplied by {yarn**2:.5g}."
    assert words in said_of("gpt-oss-20b/120b")


@pytest.mark.parametrize(
    ("config", "first"),
    [
        (
            {"model_type": "gpt2", "n_layer": 2, "n_positions": 1024, "n_embd": 8},
            "Nothing turns: a table has 1024 rows, so position 1024 does not exist.",
        ),
        (
            {"model_type": "bloom", "n_layer": 2, "n_head": 8},
            "Nothing turns: each of 8 heads takes its own slope off every score, per token of"
            " distance.",
        ),
        (
            {
                "model_type": "granitemoehybrid",
                "num_hidden_layers": 3,
                "layer_types": ["mamba", "mamba", "attention"],
                "position_embedding_type": "nope",
            },
            "No layer turns anything: 1 of 3 have attention without position, the others are"
            " recurrent.",
        ),
    ],
)
def test_models_without_rope_have_a_sentence(config, first):
    assert findings(read_config(config))[0].replace(SPACE, "") == first


@pytest.mark.parametrize("name", CONFIGS)
def test_sentences_are_short_and_each_is_there_once(name):
    said = said_of(name)
    assert len(said) == len(set(said)) >= 1
    for sentence in re.split(r"(?<=\.) ", " ".join(said)):
        assert len(sentence.split()) <= 20, sentence


def test_a_factor_of_one_is_no_finding():
    rope = Rope(head_dim=64, scaling="yarn", factor=1.0, trained_length=4096)
    assert not any("rope_theta" in sentence for sentence in findings(Stack((Layer(rope),), 4096)))


def test_layers_with_equal_rope_are_one_way():
    (way,) = turning_of(read_config(CONFIGS["gpt-oss-120b"]))
    assert way.places == tuple(range(36))
    assert way.trained == 4096
