"""The numbers of the lesson "Layers that differ": those of models are facts of models.yaml."""

import math

import numpy as np
import yaml
from posenc.catalog.nope import NoPE
from posenc.catalog.rope import Rope
from posenc.number_format import grouped
from posenc.stack import Layer, Stack, Temperature

from tests.course_folders import POSITIONAL

LESSON = "layers"
# Years and months of papers, reports and releases, and numbers of versions.
CITED = {"2023", "2024", "2025", "2026", "5.24"}
MODELS = {
    model["slug"]: model
    for model in yaml.safe_load((POSITIONAL / "models.yaml").read_text())["models"]
}


def kinds(slug: str) -> list[tuple[int, str, int | None, int | None]]:
    """Return the layers, what they see, the keys and the base of each part of a model's pattern."""
    pattern = MODELS[slug]["pattern"]
    return [(part["layers"], part["sees"], part.get("keys"), part.get("base")) for part in pattern]


def reach(window: int, layers: int) -> int:
    """Return the reach of so many layers with a window."""
    found = Stack((Layer(NoPE(), window=window),) * layers).reach()
    assert found is not None
    return found


def said() -> dict[str, list[str]]:
    """Return the words of each step that carry numbers."""
    (turning, chunk, size, base), (still, all_keys, _, none) = kinds("llama-4-scout")
    assert (turning, chunk, still, all_keys, none) == (3, "chunk", 1, "all", None)
    assert base == 500_000
    assert kinds("smollm3-3b") == [(3, "all", None, 2_000_000), (1, "all", None, None)]
    assert "9 of 36" in MODELS["smollm3-3b"]["layers"]
    (turning, window, keys, _), (still, all_keys, _, none) = kinds("command-r7b-command-a-cohere2")
    assert (turning, window, still, all_keys, none) == (3, "window", 1, "all", None)
    assert MODELS["exaone-4-32b"]["layers"] == "LLLG: RoPE in local layers only"
    for slug in ("smollm3-3b", "command-r7b-command-a-cohere2", "modernbert-base"):
        assert MODELS[slug]["verified"] == "class-default"
    ((_, _, mistral, _),) = kinds("mistral-7b-v0-1")
    (_, _, gpt_oss, _), (full, _, all_seen, _) = kinds("gpt-oss-20b-120b")
    assert (full, all_seen) == (1, None)
    assert "learned sink logit a head" in MODELS["gpt-oss-20b-120b"]["layers"]
    (_, _, _, global_base), (two, _, both_sides, local_base) = kinds("modernbert-base")
    assert (two, both_sides) == (2, 128)
    (five, _, gemma, small), (_, _, _, large) = kinds("gemma-3-27b-global")
    context = MODELS["gemma-3-27b-global"]["context"]
    rope = MODELS["gemma-3-27b-global"]["rope"]
    assert (five, rope["head_dim"], rope["factor"]) == (5, 128, 8)
    assert kinds("gemma-3-1b-global")[0] == (5, "window", 512, 10_000)
    assert reach(mistral, 32) == 1 + 32 * (mistral - 1)
    gemma_4 = Rope(
        head_dim=512, rotary_share=0.25, share="proportional", pairing="half-split", base=1e6
    )
    moving = int(np.count_nonzero(gemma_4.inv_freq))
    assert MODELS["gemma-4-31b-global"]["rope"] == {"head_dim": 512, "share": 0.25, "base": 10**6}
    ministral = MODELS["ministral-3-8b"]
    assert ministral["verified"] == "class-default"
    assert ministral["more"]["temperature"] == "1+0.1 ln(1+floor(p/16384))"
    temperature = Temperature("llama4", 0.1, size)
    assert temperature.at(np.array([size - 2]))[0] == 1 < temperature.at(np.array([size - 1]))[0]
    share = 1 - math.e / (math.e + sum(math.exp(score) for score in (2, 1, 0)))
    return {
        "without-position": [
            f"| Llama 4 Scout | 3 of 4: chunks of {spaced(size)} | 1 of 4 |",
            "| SmolLM3-3B | 27 of 36: see all | 9 of 36 |",
            f"| Command R7B | 3 of 4: a window of {spaced(keys)} | 1 of 4 |",
            "| EXAONE 4 32B | 3 of 4: a window | 1 of 4 |",
        ],
        "windows": [
            f"Mistral 7B v0.1: a window of {spaced(mistral)} in all layers.",
            f"gpt-oss: {gpt_oss} in every other layer.",
            f"{both_sides // 2} keys on each side, in two of three layers. Its class says"
            f" {both_sides}",
            f"positions 0 to {spaced(size - 1)} sees its chunk up to itself, then"
            f" {spaced(size)} to {spaced(2 * size - 1)}",
        ],
        "reach": [
            f"has 32 layers with a window of {spaced(mistral)}. The paper says that it reaches"
            f" about {reach(mistral, 32) // 1000} thousand tokens.",
            f"$1 + 32 \\cdot {mistral - 1} = {{{{ value 1 + 32 * {mistral - 1} }}}}$",
            f"Gemma 3 27B: a window of {spaced(gemma)},",
            f"and texts of up to {spaced(context)} tokens.",
        ],
        "two-bases": [
            f"Gemma 3 has {spaced(small)} in local layers and {spaced(large)} in global ones.",
            f"heads have {rope['head_dim']} numbers, and global layers also divide"
            f" frequencies by {rope['factor']}.",
            f"{small**-0.5 / (large**-0.5 / rope['factor']):.0f} times.",
            f"{spaced(local_base)}, and {spaced(global_base)} in global layers",
            f"base {spaced(small)}:",
            f"all {moving} frequencies of Gemma 4 were right, but their pairs were in the first"
            f" {2 * moving} numbers.",
        ],
        "sinks": [
            f"it is {share:.2f} times that without a sink",
            f"A local layer with a window of {gpt_oss} no longer",
        ],
        "temperatures": [
            f"All queries of the first {spaced(size - 1)} tokens are left as they are",
            f"\\frac{{p + 1}}{{{size}}}",
            f"chunks of at most {spaced(size)} keys",
            "$1 + 0.1 \\ln(1 + \\lfloor p / 16384 \\rfloor)$",
        ],
    }


def spaced(number: int | None) -> str:
    """Return 8\N{NARROW NO-BREAK SPACE}192, which never breaks a line."""
    assert number is not None
    return grouped(number)


SAID = said()
