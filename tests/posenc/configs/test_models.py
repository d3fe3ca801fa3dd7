"""43 families and eight released files: the frequencies that were recomputed without a library."""

import math

import numpy as np
import pytest
from posenc.catalog.rope import Rope
from posenc.configs import read_config
from posenc.stack import Layer, Stack

from tests.posenc.configs.data import MODELS, RELEASED, expected_of

WITHIN = 1e-9
NAMES = [model["name"] for model in MODELS]


def close(inv_freq, expected):
    """Check frequencies at the pairs that were recomputed; 0 must be exactly 0."""
    for pair, value in expected.items():
        assert inv_freq[int(pair)] == pytest.approx(value, rel=WITHIN, abs=0)


def rope_from(facts, kind):
    """Return the Rope that the facts of one model describe."""
    width = facts.get("head_dim", facts.get("rotary"))
    numbers = {"head_dim": width, "base": facts["base"]}
    if "share" in facts:
        numbers |= {"rotary_share": facts["share"], "share": "proportional"}
        return Rope(pairing="half-split", **numbers)
    numbers["rotary_share"] = facts["rotary"] / width
    for scaling in ("linear", "yarn", "llama3"):
        if scaling in kind.split() and "factor" in facts:
            numbers |= {"scaling": scaling, "factor": facts["factor"]}
    names = {"original": "trained_length", "low": "llama3_low_factor", "high": "llama3_high_factor"}
    names |= {"beta_fast": "yarn_many_turns", "beta_slow": "yarn_few_turns"}
    names |= {"truncate": "yarn_truncate"}
    numbers |= {ours: facts[theirs] for theirs, ours in names.items() if theirs in facts}
    if numbers.get("scaling") == "yarn":
        numbers["attention_factor"] = facts["attention_factor"]
    return Rope(**numbers)


def test_there_are_43_families():
    assert len(MODELS) == len({*NAMES}) == 43
    assert all(model["source"] for model in MODELS)
    assert all(isinstance(model["first_party"], bool) for model in MODELS)


@pytest.mark.parametrize("model", MODELS, ids=NAMES)
def test_rope_and_stack_have_the_expected_frequencies(model):
    rope = rope_from(model["facts"], model["kind"])
    table = Stack((Layer(rope),)).frequencies()
    assert table.shape == (1, model["pairs"])
    close(table[0], model["inv_freq"])
    assert np.count_nonzero(table == 0) == model["still"]


@pytest.mark.parametrize("spelling", ["old", "new"])
@pytest.mark.parametrize("model", MODELS, ids=NAMES)
def test_minimal_configs_have_the_expected_frequencies(model, spelling):
    if model[spelling] is None:
        assert model["name"].startswith("Gemma 4"), "only its file has no old spelling"
        return
    row = read_config(model[spelling]).frequencies()[model["layer"]]
    inv_freq = row[~np.isnan(row)]
    assert len(inv_freq) == model["pairs"]
    close(inv_freq, model["inv_freq"])
    assert np.count_nonzero(inv_freq == 0) == model["still"]
    slowest = 2 * math.pi / inv_freq[inv_freq > 0].min()
    assert slowest == pytest.approx(model["slowest_period"], abs=0.051)


@pytest.mark.parametrize("model", MODELS, ids=NAMES)
def test_both_spellings_say_the_same(model):
    if model["old"] is not None:
        old, new = read_config(model["old"]), read_config(model["new"])
        assert old.layers == new.layers
        assert old.context == new.context


@pytest.mark.parametrize("model", RELEASED, ids=[model["name"] for model in RELEASED])
def test_released_files_have_the_expected_frequencies(model):
    inv_freq = read_config(model["config"]).layers[model["layer"]].inv_freq()
    if "like" in model:
        close(inv_freq, expected_of(model["like"]))
        return
    plain = model["plain"]
    for pair, value in enumerate(inv_freq):
        exact = plain["base"] ** (-2 * pair / plain["head_dim"]) / plain["divisor"]
        assert value == pytest.approx(exact, rel=WITHIN)


def test_eight_files_have_every_field():
    assert len(RELEASED) >= 8
    assert all(model["source"] and model["verified"] for model in RELEASED)


def test_the_scale_of_deepseek_is_that_of_its_code():
    layer = read_config(next(m["old"] for m in MODELS if m["name"] == "DeepSeek-V3")).layers[0]
    assert layer.encoding.temperature == 1
    assert layer.score_scale == pytest.approx(1.873854, abs=1e-6)
    assert layer.unturned == 128
    kimi = read_config(next(m["new"] for m in MODELS if m["name"].startswith("Kimi"))).layers[0]
    assert kimi.score_scale == pytest.approx(2.00474, abs=1e-5)
