"""Configs that cannot be honoured are refused by the name of a field, before any array is made."""

import copy
import tracemalloc
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from posenc.configs import read_config
from posenc.errors import ParameterError

from tests.posenc.configs.data import MODELS
from tests.posenc.refusing import NOTHING

LLAMA = {
    "model_type": "llama",
    "num_hidden_layers": 2,
    "hidden_size": 512,
    "num_attention_heads": 4,
    "rope_theta": 10000.0,
    "max_position_embeddings": 4096,
}
YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 4096}
LLAMA3 = {**YARN, "rope_type": "llama3", "low_freq_factor": 1.0, "high_freq_factor": 4.0}
LONGROPE = {
    "rope_type": "longrope",
    "original_max_position_embeddings": 1024,
    "short_factor": [1.0] * 64,
    "long_factor": [4.0] * 64,
}
OF = {
    name: next(m["old"] or m["new"] for m in MODELS if (m["old"] or m["new"])["model_type"] == name)
    for name in (
        "mistral",
        "qwen3",
        "gpt_neox",
        "deepseek_v4",
        "olmo3",
        "phi",
        "gemma3_text",
        "gemma4_text",
        "llama4_text",
        "deepseek_v3",
        "smollm3",
        "qwen3_5_text",
        "ministral3",
        "gpt_oss",
        "cohere2",
        "muse_glimmer_text",
    )
}
GEMMA3, LLAMA4, DEEPSEEK = OF["gemma3_text"], OF["llama4_text"], OF["deepseek_v3"]


def without(config, *names):
    return {name: value for name, value in config.items() if name not in names}


def scaled(**scaling):
    return {**LLAMA, "rope_scaling": scaling}


SLIDING = ["sliding_attention", "full_attention"]
DEEPSEEK_V4 = next(m["new"] for m in MODELS if m["new"]["model_type"] == "deepseek_v4")
QWEN3 = {**OF["qwen3"], "num_hidden_layers": 2, "sliding_window": 64}

MALFORMED = {
    "no dictionary": ([1, 2], "config"),
    "names that are no texts": ({1: 2}, "config"),
    "no type of model": (without(LLAMA, "model_type"), "model_type"),
    "an unknown type of model": ({**LLAMA, "model_type": "llama9"}, "model_type"),
    "a type that is no text": ({**LLAMA, "model_type": 3}, "model_type"),
    "no layers": (without(LLAMA, "num_hidden_layers"), "num_hidden_layers"),
    "too many layers": ({**LLAMA, "num_hidden_layers": 1025}, "num_hidden_layers"),
    "half a layer": ({**LLAMA, "num_hidden_layers": 2.5}, "num_hidden_layers"),
    "layers in words": ({**LLAMA, "num_hidden_layers": "2"}, "num_hidden_layers"),
    "true layers": ({**LLAMA, "num_hidden_layers": True}, "num_hidden_layers"),
    "too many dimensions": ({**LLAMA, "hidden_size": 65_537}, "hidden_size"),
    "heads that do not divide": ({**LLAMA, "num_attention_heads": 3}, "hidden_size"),
    "a head too wide": ({**LLAMA, "head_dim": 10**9}, "head_dim"),
    "an odd head": ({**LLAMA, "head_dim": 7}, "head_dim"),
    "no base": (without(LLAMA, "rope_theta"), "rope_theta"),
    "an infinite base": ({**LLAMA, "rope_theta": float("inf")}, "rope_theta"),
    "a base that is no number": ({**LLAMA, "rope_theta": float("nan")}, "rope_theta"),
    "a huge whole base": ({**LLAMA, "rope_theta": 10**400}, "rope_theta"),
    "two bases": ({**LLAMA, "rope_scaling": {**YARN, "rope_theta": 5.0}}, "rope_theta"),
    "both spellings": (
        {**LLAMA, "rope_scaling": YARN, "rope_parameters": YARN},
        "rope_scaling",
    ),
    "an unknown scaling": (scaled(rope_type="ntk-by-parts"), 'rope_scaling["rope_type"]'),
    "scaling without a type": (scaled(factor=2.0), 'rope_scaling["rope_type"]'),
    "two types": (scaled(**YARN, type="linear"), 'rope_scaling["type"]'),
    "scaling in a list": ({**LLAMA, "rope_scaling": ["yarn"]}, "rope_scaling"),
    "no factor": (scaled(**without(YARN, "factor")), 'rope_scaling["factor"]'),
    "a factor below 1": (scaled(**{**YARN, "factor": 0.5}), 'rope_scaling["factor"]'),
    "no trained length": (
        scaled(**without(YARN, "original_max_position_embeddings")),
        'rope_scaling["original_max_position_embeddings"]',
    ),
    "a field that YaRN has not": (
        scaled(**YARN, attn_factor=0.88),
        'rope_scaling["attn_factor"]',
    ),
    "many turns below few": (scaled(**YARN, beta_fast=0.5), 'rope_scaling["beta_fast"]'),
    "mscale alone": (scaled(**YARN, mscale=0.7), 'rope_scaling["mscale"]'),
    "llama3 without a bound": (
        scaled(**without(LLAMA3, "low_freq_factor")),
        'rope_scaling["low_freq_factor"]',
    ),
    "llama3 upside down": (
        scaled(**{**LLAMA3, "low_freq_factor": 8.0}),
        'rope_scaling["low_freq_factor"]',
    ),
    "divisors for other pairs": (
        scaled(
            rope_type="longrope",
            short_factor=[1.0],
            long_factor=[1.0],
            original_max_position_embeddings=4096,
        ),
        'rope_scaling["short_factor"]',
    ),
    "a window of a type without": ({**LLAMA, "sliding_window": 128}, "sliding_window"),
    "another way of chunks": (
        {**LLAMA, "dual_chunk_attention_config": {"chunk_size": 262144}},
        "dual_chunk_attention_config",
    ),
    "logarithms of n": ({**LLAMA, "use_logn_attn": True}, "use_logn_attn"),
    "a window by default": (without(OF["mistral"], "sliding_window"), "sliding_window"),
    "a share by default": (without(OF["phi"], "partial_rotary_factor"), "partial_rotary_factor"),
    "a share above 1": ({**OF["phi"], "partial_rotary_factor": 1.5}, "partial_rotary_factor"),
    "an odd share": ({**LLAMA, "partial_rotary_factor": 0.43}, "partial_rotary_factor"),
    "two shares": ({**OF["phi"], "rotary_pct": 0.25}, "rotary_pct"),
    "a share that the code of llama does not read": (
        {**LLAMA, "partial_rotary_factor": 0.5},
        "partial_rotary_factor",
    ),
    "columns that the code of llama does not read": ({**LLAMA, "rotary_dim": 64}, "rotary_dim"),
    "a share that the code of Phi does not read": ({**OF["phi"], "rotary_pct": 0.4}, "rotary_pct"),
    "a share of MLA": ({**DEEPSEEK, "partial_rotary_factor": 0.5}, "partial_rotary_factor"),
    "layers of no type": (without(GEMMA3, "layer_types"), "layer_types"),
    "a layer too few": ({**GEMMA3, "layer_types": ["full_attention"]}, "layer_types"),
    "an unknown type of layer": ({**GEMMA3, "layer_types": ["wavy_attention"] * 6}, "layer_types"),
    "types that the code of llama does not read": (
        {**LLAMA, "layer_types": SLIDING, "sliding_window": 128},
        "layer_types",
    ),
    "types that the code of mistral does not read": (
        {**OF["mistral"], "num_hidden_layers": 2, "layer_types": SLIDING, "sliding_window": 64},
        "layer_types",
    ),
    "types that the code of ministral3 does not read": (
        {**OF["ministral3"], "layer_types": SLIDING, "sliding_window": 64},
        "layer_types",
    ),
    "types that slide with the flag off": (
        {**QWEN3, "use_sliding_window": False, "layer_types": SLIDING},
        "layer_types",
    ),
    "types of SmolLM3 that slide with the flag off": (
        {
            **OF["smollm3"],
            "num_hidden_layers": 2,
            "sliding_window": 64,
            "use_sliding_window": False,
            "layer_types": SLIDING,
        },
        "layer_types",
    ),
    "types and another first layer with a window": (
        {**QWEN3, "use_sliding_window": True, "max_window_layers": 0, "layer_types": SLIDING[::-1]},
        "max_window_layers",
    ),
    "types and another pattern": (
        {**GEMMA3, "sliding_window_pattern": 2},
        "sliding_window_pattern",
    ),
    "a type of layer of other models": ({**GEMMA3, "layer_types": ["mamba"] * 6}, "layer_types"),
    "a pattern in a type without": (
        {**LLAMA, "sliding_window_pattern": 6},
        "sliding_window_pattern",
    ),
    "a switch in a type without": ({**LLAMA, "use_sliding_window": True}, "use_sliding_window"),
    "a switch that the code does not read": (
        {**OF["mistral"], "sliding_window": 64, "use_sliding_window": False},
        "use_sliding_window",
    ),
    "an interval in a type without": (
        {**LLAMA, "no_rope_layer_interval": 4},
        "no_rope_layer_interval",
    ),
    "an interval and other layers": (
        {**OF["smollm3"], "num_hidden_layers": 3, "no_rope_layers": [0, 1, 1]},
        "no_rope_layer_interval",
    ),
    "sliding without a window": (without(GEMMA3, "sliding_window"), "sliding_window"),
    "no base of sliding layers": (
        without(GEMMA3, "rope_local_base_freq"),
        "rope_local_base_freq",
    ),
    "no width of full heads": (without(OF["gemma4_text"], "global_head_dim"), "global_head_dim"),
    "a last layer that the code changes": (
        {**OF["gemma4_text"], "layer_types": ["full_attention"] + ["sliding_attention"] * 5},
        "layer_types",
    ),
    "no width of heads": (without(OF["gpt_oss"], "head_dim"), "head_dim"),
    "EXAONE 4 without a window or its null": (
        {
            **without(OF["cohere2"], "sliding_window", "sliding_window_pattern"),
            "model_type": "exaone4",
            "layer_types": ["full_attention"] * 4,
        },
        "sliding_window",
    ),
    "M-RoPE in a type without it": (
        {**LLAMA, "rope_scaling": {"type": "mrope"}},
        'rope_scaling["type"]',
    ),
    "M-RoPE next to the default in a type without it": (
        {**LLAMA, "rope_scaling": {"rope_type": "default", "type": "mrope"}},
        'rope_scaling["type"]',
    ),
    "a factor of LongRoPE that the context denies": (
        {**LLAMA, "rope_scaling": {**LONGROPE, "factor": 8.0}},
        'rope_scaling["factor"]',
    ),
    "full layers first in Cohere 2": (
        {**OF["cohere2"], "order_of_interleaved_layers": "global_attn_first"},
        "order_of_interleaved_layers",
    ),
    "no interval without RoPE": (
        without(OF["smollm3"], "no_rope_layer_interval"),
        "no_rope_layer_interval",
    ),
    "layers that half turn": ({**OF["smollm3"], "no_rope_layers": [2] * 36}, "no_rope_layers"),
    "no chunk": (without(LLAMA4, "attention_chunk_size"), "attention_chunk_size"),
    "no temperature": (without(LLAMA4, "attn_temperature_tuning"), "attn_temperature_tuning"),
    "no step of the temperature": (without(LLAMA4, "floor_scale"), "floor_scale"),
    "no unturned columns": (without(DEEPSEEK, "qk_nope_head_dim"), "qk_nope_head_dim"),
    "no turning columns": (without(DEEPSEEK, "qk_rope_head_dim"), "qk_rope_head_dim"),
    "another share of DeepSeek-V4": (
        {**OF["deepseek_v4"], "partial_rotary_factor": 0.5},
        "partial_rotary_factor",
    ),
    "another share in a dictionary of DeepSeek-V4": (
        {
            **DEEPSEEK_V4,
            "rope_parameters": {
                **DEEPSEEK_V4["rope_parameters"],
                "main": {"rope_theta": 1e4, "partial_rotary_factor": 0.5},
            },
        },
        'rope_parameters["main"]["partial_rotary_factor"]',
    ),
    "no temperature in a dictionary of DeepSeek-V4": (
        {
            **DEEPSEEK_V4,
            "rope_parameters": {
                **DEEPSEEK_V4["rope_parameters"],
                "compress": {**YARN, "rope_theta": 1.6e5},
            },
        },
        'rope_parameters["compress"]["attention_factor"]',
    ),
    "no bases of layers": (
        without(OF["muse_glimmer_text"], "layer_rope_theta"),
        "layer_rope_theta",
    ),
    "a base of a layer in words": (
        {**OF["muse_glimmer_text"], "layer_rope_theta": [500000.0, "x", 500000.0, 0]},
        "layer_rope_theta",
    ),
    "another base of a layer": (
        {**OF["muse_glimmer_text"], "layer_rope_theta": [500000.0, 1e4, 500000.0, 0]},
        "layer_rope_theta",
    ),
    "sections that do not add up": (
        {
            **OF["qwen3_5_text"],
            "rope_scaling": {"rope_type": "default", "mrope_section": [11, 11, 11]},
        },
        'rope_scaling["mrope_section"]',
    ),
    "blocks for interleaved pairs": (
        {
            **OF["qwen3_5_text"],
            "rope_scaling": {
                "rope_type": "default",
                "mrope_section": [11, 11, 10],
                "mrope_interleaved": False,
            },
        },
        'rope_scaling["mrope_interleaved"]',
    ),
    "sections in a type without": (
        scaled(rope_type="default", mrope_section=[24, 20, 20]),
        'rope_scaling["mrope_section"]',
    ),
    "a dictionary of an unknown layer": (
        {
            **without(GEMMA3, "rope_theta", "rope_scaling", "rope_local_base_freq"),
            "rope_parameters": {"wavy_attention": {"rope_theta": 1e4}},
        },
        'rope_parameters["wavy_attention"]',
    ),
    "a dictionary for layers that differ": (
        {
            **without(OF["olmo3"], "rope_theta", "rope_scaling"),
            "rope_parameters": {**YARN, "rope_theta": 5e5},
        },
        "rope_parameters",
    ),
    "a dictionary for layers of two bases": (
        {
            **without(GEMMA3, "rope_theta", "rope_scaling", "rope_local_base_freq"),
            "rope_parameters": {"rope_type": "default", "rope_theta": 1e6},
        },
        "rope_parameters",
    ),
    "another base of sliding layers": (
        {
            **without(GEMMA3, "rope_theta", "rope_scaling"),
            "rope_local_base_freq": 5e4,
            "rope_parameters": {
                "sliding_attention": {"rope_type": "default", "rope_theta": 1e4},
                "full_attention": {"rope_type": "default", "rope_theta": 1e6},
            },
        },
        "rope_local_base_freq",
    ),
    "text that sees later text": (
        {**GEMMA3, "use_bidirectional_attention": True},
        "use_bidirectional_attention",
    ),
    "a false that is a statement": ({**LLAMA, "is_causal": False}, "is_causal"),
    "no RoPE by a flag": ({**LLAMA, "use_rope": False}, "use_rope"),
    "no RoPE by Falcon's flag": (
        {**LLAMA, "model_type": "falcon", "alibi": False, "rotary": False},
        "rotary",
    ),
    "Falcon's ALiBi, which is divided": (
        {"model_type": "falcon", "num_hidden_layers": 2, "num_attention_heads": 71, "alibi": True},
        "alibi",
    ),
    "a false in the dictionary": (
        scaled(rope_type="linear", factor=2.0, truncate=False),
        'rope_scaling["truncate"]',
    ),
    "other attention in some layers": ({**LLAMA, "attn_type_list": [0, 1]}, "attn_type_list"),
    **{
        f"a field named {name}": ({**LLAMA, name: value}, name)
        for name, value in {
            "attention_sink_size": 4,
            "use_attention_sinks": True,
            "scalable_softmax": True,
            "attention_types": [[["global", "local"], 1]],
            "pos_emb": "alibi",
            "use_absolute_position_embeddings": True,
            "attn_config": {"alibi": True},
        }.items()
    },
    "too many heads in Bloom": (
        {"model_type": "bloom", "n_layer": 1, "num_attention_heads": 5000},
        "num_attention_heads",
    ),
    "a text model in a text model": (
        {"model_type": "gemma3", "text_config": {**LLAMA, "text_config": {"rope_theta": 5}}},
        'text_config["text_config"]',
    ),
    "YaRN with M-RoPE": (
        {
            **OF["qwen3_5_text"],
            "rope_scaling": {**without(YARN, "rope_type"), "type": "yarn"},
        },
        'rope_scaling["type"]',
    ),
    "RoPE in Bloom": (
        {"model_type": "bloom", "n_layer": 1, "n_head": 8, "rope_theta": 1e4},
        "rope_theta",
    ),
    "a window in Bloom": (
        {"model_type": "bloom", "n_layer": 1, "n_head": 8, "layer_types": ["sliding_attention"]},
        "layer_types",
    ),
    "a window in Granite": (
        {
            "model_type": "granitemoehybrid",
            "num_hidden_layers": 1,
            "layer_types": ["attention"],
            "position_embedding_type": "nope",
            "sliding_window": 64,
        },
        "sliding_window",
    ),
    "a layer of Granite with a window": (
        {
            "model_type": "granitemoehybrid",
            "num_hidden_layers": 1,
            "layer_types": ["sliding_attention"],
            "position_embedding_type": "nope",
        },
        "layer_types",
    ),
    "chunks in a type without": (
        {**OF["smollm3"], "attention_chunk_size": 64},
        "attention_chunk_size",
    ),
    "BERT as a decoder": (
        {
            "model_type": "bert",
            "num_hidden_layers": 1,
            "hidden_size": 8,
            "max_position_embeddings": 8,
            "is_decoder": True,
        },
        "is_decoder",
    ),
    "two bases of GPT-NeoX": ({**OF["gpt_neox"], "rotary_emb_base": 1e6}, "rotary_emb_base"),
    "a learned table in llama": (
        {**LLAMA, "position_embedding_type": "absolute"},
        "position_embedding_type",
    ),
    "distances in BERT": (
        {
            "model_type": "bert",
            "num_hidden_layers": 1,
            "hidden_size": 8,
            "max_position_embeddings": 8,
            "position_embedding_type": "relative_key",
        },
        "position_embedding_type",
    ),
}


@pytest.mark.parametrize("what", MALFORMED)
def test_a_malformed_config_is_refused_by_name(what):
    config, field = MALFORMED[what]
    before = copy.deepcopy(config)
    tracemalloc.start()
    try:
        with pytest.raises(ParameterError) as caught:
            read_config(config)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert caught.value.argument == field, str(caught.value)
    assert len(caught.value.expected) > 5
    assert peak < 4 * NOTHING
    assert repr(config) == repr(before)  # NaN is not equal to itself


def test_there_are_enough_malformed_configs():
    assert len(MALFORMED) >= 20


def test_switch_off_is_as_if_absent():
    off = {
        "rotary_pct": 1.0,
        "alibi": False,
        "use_mrope": False,
        "use_sliding_window": False,
        "is_causal": True,
    }
    assert read_config({**LLAMA, **off}) == read_config(LLAMA)


def test_a_list_of_a_million_layers_costs_nothing():
    config = {**GEMMA3, "layer_types": ["full_attention"] * 1_000_000}
    with pytest.raises(ParameterError, match="layer_types"):
        read_config(config)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=4,
)
STARTS = [model[spelling] for model in MODELS for spelling in ("old", "new") if model[spelling]]


@given(st.data())
def test_no_value_of_a_field_leads_to_another_error(data):
    config = copy.deepcopy(data.draw(st.sampled_from(STARTS)))
    inner = [field for field in config.values() if isinstance(field, dict)]
    place = data.draw(st.sampled_from([config, *inner]))
    place[data.draw(st.sampled_from(sorted(place)))] = data.draw(VALUES)
    with suppress(ParameterError):
        stack = read_config(config)
        assert stack.frequencies().shape[0] == len(stack.layers)
