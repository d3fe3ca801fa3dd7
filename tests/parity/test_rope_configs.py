"""Configs read here against what transformers makes of the same fields, with its own classes."""

import json
from pathlib import Path

import numpy as np
import pytest
from posenc.configs import read_config

from tests.parity.golden_data import load

CONFIGS = json.loads((Path(__file__).parent / "rope_configs.json").read_text(encoding="utf-8"))
THEIRS = 4e-7  # relative, of frequencies in float32
LAYER_TYPES = {
    "full_attention": "full",
    "sliding_attention": "sliding",
    "chunked_attention": "chunked",
    "linear_attention": "recurrent",
    "compressed_sparse_attention": "compressed",
}
OF_LABEL = {"main": "sliding", "compress": "compressed"}  # of DeepSeek-V4


def type_of(layer):
    """Return what a layer is, as transformers tells layers apart."""
    if layer.kind != "attention":
        return layer.kind
    if layer.chunk is not None:
        return "chunked"
    return "full" if layer.window is None else "sliding"


def test_there_are_enough_configs():
    kinds = {config["model_type"] for config in CONFIGS.values()}
    assert len(CONFIGS) >= 20
    assert len(kinds) >= 20


@pytest.mark.parametrize("name", CONFIGS)
def test_frequencies_and_temperatures_agree_with_transformers(name):
    golden, stack = load("rope_configs_hf"), read_config(CONFIGS[name])
    labels = {key.split(".")[1] for key in golden if key.startswith(f"{name}.")} - {"layer_types"}
    compared = 0
    for layer in stack.layers:
        ours = layer.inv_freq()
        for label in labels:
            kind = OF_LABEL.get(label, LAYER_TYPES.get(label))
            if not len(ours) or kind not in (None, type_of(layer)):
                continue
            theirs = golden[f"{name}.{label}.inv_freq"]
            np.testing.assert_allclose(ours, theirs, rtol=THEIRS)
            temperature = getattr(layer.encoding, "temperature", 1.0)
            assert temperature == pytest.approx(float(golden[f"{name}.{label}.factor"]), rel=1e-12)
            compared += 1
    assert compared


@pytest.mark.parametrize("name", CONFIGS)
def test_layers_differ_where_transformers_says(name):
    golden, stack = load("rope_configs_hf"), read_config(CONFIGS[name])
    types = golden.get(f"{name}.layer_types")
    if types is not None:
        expected = [LAYER_TYPES[str(word)] for word in types]
        assert [type_of(layer) for layer in stack.layers] == expected
