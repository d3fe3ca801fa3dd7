"""What a config says besides frequencies: layers that differ, windows, temperatures, sinks."""

import doctest

import posenc
import pytest
from posenc.catalog.alibi import Alibi
from posenc.catalog.learned import Learned
from posenc.catalog.nope import NoPE
from posenc.catalog.rope import Rope
from posenc.catalog.rope_2d import Rope2d
from posenc.configs import read_config, reader
from posenc.stack import Temperature

from tests.posenc.configs.data import MODELS, RELEASED


def old(name):
    model = next(layer for layer in MODELS if layer["name"].startswith(name))
    return model["old"] or model["new"]


def released(name):
    return next(layer["config"] for layer in RELEASED if layer["name"] == name)


def test_the_example_of_read_config_is_true():
    assert doctest.testmod(reader).attempted >= 2
    assert doctest.testmod(reader).failed == 0


def test_the_package_has_read_config():
    assert posenc.read_config is read_config
    with pytest.raises(AttributeError, match="no attribute 'read_configs'"):
        _ = posenc.read_configs


def test_smollm3_turns_27_of_36_layers():
    stack = read_config(released("SmolLM3-3B"))
    turning = [isinstance(layer.encoding, Rope) for layer in stack.layers]
    assert turning.count(True) == 27
    assert [place for place, turns in enumerate(turning) if not turns] == [*range(3, 36, 4)]
    assert stack.context == 65_536


def test_gemma3_has_two_bases_and_five_windows_for_one_full_layer():
    stack = read_config(released("Gemma 3 1B"))
    local, full = stack.groups()
    assert (local[0].window, local[0].encoding.base) == (512, 10_000)
    assert (full[0].window, full[0].encoding.base) == (None, 1_000_000)
    assert full[1] == (5, 11, 17, 23)
    assert len(local[1]) == 22


def test_bases_at_top_are_of_their_layers():
    config = {**old("Gemma 3 27B"), "rope_local_base_freq": 5e4, "rope_theta": 1e6}
    scaling = config.pop("rope_scaling")
    config["rope_parameters"] = {
        "sliding_attention": {"rope_type": "default"},
        "full_attention": scaling,
    }
    local, full = read_config(config).groups()
    assert local[0].encoding.base == 5e4
    assert (full[0].encoding.base, full[0].encoding.factor) == (1e6, 8)


def test_plain_dictionary_is_for_all_layers():
    config = {**old("OLMo 3"), "rope_parameters": {"rope_type": "default", "rope_theta": 5e5}}
    del config["rope_theta"], config["rope_scaling"]
    assert {layer.encoding.scaling for layer in read_config(config).layers} == {"none"}


def test_a_text_config_is_read_and_the_vision_config_named():
    stack = read_config(released("Gemma 3 12B"))
    assert len(stack.layers) == 48
    assert stack.notes == ("vision_config is a model of its own and is not read.",)


def test_llama4_has_chunks_where_it_turns_and_temperatures_elsewhere():
    with_rope, without = read_config(old("Llama 4 Scout")).groups()
    assert (with_rope[0].chunk, with_rope[0].temperature) == (8192, None)
    assert with_rope[0].encoding.pairing == "adjacent"
    assert isinstance(without[0].encoding, NoPE)
    assert without[0].temperature == Temperature("llama4", 0.1, 8192)
    assert (without[1], without[0].chunk) == ((3,), None)


def test_a_released_number_for_true_turns_temperatures_on():
    config = {**old("Llama 4 Scout"), "attn_temperature_tuning": 4}
    assert read_config(config).layers[3].temperature is not None
    assert read_config({**config, "attn_temperature_tuning": 0}).layers[3].temperature is None


def test_ministral3_has_temperatures_everywhere_and_scores_as_usual():
    for layer in read_config(old("Ministral 3")).layers:
        assert layer.temperature == Temperature("ministral3", 0.1, 16_384)
        assert (layer.encoding.temperature, layer.score_scale) == (1, 1)


def test_gpt_oss_has_sinks_and_every_other_layer_slides():
    stack = read_config(released("gpt-oss-120b"))
    assert all(layer.sink for layer in stack.layers)
    assert [layer.window for layer in stack.layers] == [128, None] * 18


def test_cohere2_and_exaone4_turn_sliding_layers_alone():
    for kind in ("cohere2", "exaone4"):
        stack = read_config({**old("Command R7B"), "model_type": kind})
        assert [isinstance(layer.encoding, Rope) for layer in stack.layers] == [True] * 3 + [False]
        assert [layer.window for layer in stack.layers] == [4096] * 3 + [None]


def test_exaone4_turns_without_windows_cohere2_does_not():
    full = {**old("Command R7B"), "layer_types": ["full_attention"] * 4, "sliding_window": None}
    del full["sliding_window_pattern"]
    for kind, turns in (("cohere2", False), ("exaone4", True)):
        layers = read_config({**full, "model_type": kind}).layers
        assert [isinstance(layer.encoding, Rope) for layer in layers] == [turns] * 4
    still = read_config({**full, "model_type": "exaone4", "sliding_window": 4096}).layers
    assert not any(isinstance(layer.encoding, Rope) for layer in still)


def test_modernbert_sees_64_keys_on_each_side():
    stack = read_config(released("ModernBERT base"))
    assert [layer.window for layer in stack.layers[:4]] == [None, 129, 129, None]
    assert not any(layer.causal for layer in stack.layers)


def test_qwen3_5_interleaves_and_has_recurrent_layers():
    stack = read_config(old("Qwen3.5"))
    assert [layer.kind for layer in stack.layers] == ["recurrent"] * 3 + ["attention"]
    encoding = stack.layers[3].encoding
    assert isinstance(encoding, Rope2d)
    assert (encoding.sections, encoding.interleaved, encoding.head_dim) == ((11, 11, 10), True, 256)


def test_qwen2_windows_only_behind_their_flag():
    config = {**old("Qwen2.5-7B"), "use_sliding_window": True, "max_window_layers": 1}
    assert [layer.window for layer in read_config(config).layers] == [None, 131_072]
    assert read_config(old("Qwen2.5-7B")).layers[1].window is None


def test_qwen3_moe_windows_follow_its_switch():
    config = {**old("Qwen3-8B"), "model_type": "qwen3_moe", "sliding_window": 4096}
    windows = [layer.window for layer in read_config(config).layers]
    assert windows == [None] * len(windows)
    on = {**config, "use_sliding_window": True}
    assert [layer.window for layer in read_config(on).layers] == [4096] * len(windows)


def test_agreeing_layer_types_are_read():
    mistral = {**old("Mistral 7B v0.1"), "num_hidden_layers": 2}
    listed = read_config({**mistral, "layer_types": ["sliding_attention"] * 2})
    assert listed == read_config(mistral)
    gemma = {**old("Gemma 3 1B"), "sliding_window_pattern": 6}
    assert read_config(gemma) == read_config(old("Gemma 3 1B"))
    qwen = {**old("Qwen3-8B"), "num_hidden_layers": 2, "use_sliding_window": True}
    qwen |= {"sliding_window": 64, "max_window_layers": 1}
    qwen["layer_types"] = ["full_attention", "sliding_attention"]
    assert [layer.window for layer in read_config(qwen).layers] == [None, 64]
    exaone = {**old("Command R7B"), "model_type": "exaone4", "sliding_window_pattern": "LLLG"}
    exaone["layer_types"] = ["sliding_attention"] * 3 + ["full_attention"]
    assert [layer.window for layer in read_config(exaone).layers] == [4096] * 3 + [None]


def test_no_rope_layers_are_1_where_rope_is():
    config = {**old("SmolLM3"), "num_hidden_layers": 3, "no_rope_layers": [0, 1, 1]}
    del config["no_rope_layer_interval"]
    turning = [isinstance(layer.encoding, Rope) for layer in read_config(config).layers]
    assert turning == [False, True, True]


def test_rope_interleave_says_how_pairs_lie():
    config = old("DeepSeek-V3")
    assert read_config(config).layers[0].encoding.pairing == "adjacent"
    other = read_config({**config, "rope_interleave": False})
    assert other.layers[0].encoding.pairing == "half-split"


def test_deepseek_v4_share_is_of_head_dim():
    config = old("DeepSeek-V4")
    stated = read_config({**config, "partial_rotary_factor": 0.125})
    assert stated == read_config(config)
    assert stated.layers[0].encoding.turning == 64


def test_deepseek_v4_yarn_changes_no_temperature():
    config = old("DeepSeek-V4")
    scaling = {**config["rope_scaling"]}
    del scaling["attention_factor"]
    assert read_config({**config, "rope_scaling": scaling}) == read_config(config)


def test_list_of_usual_attention_changes_nothing():
    config = {**old("Llama 2 7B"), "attention_softmax_in_fp32": True}
    assert read_config({**config, "attn_type_list": [1, 1]}) == read_config(config)


def test_words_of_released_files_are_read():
    modernbert = read_config(released("ModernBERT base"))
    assert "position_embedding_type is absolute" in modernbert.notes[0]
    cohere = {**old("Command R7B"), "position_embedding_type": "rope_gptj"}
    assert read_config(cohere) == read_config(old("Command R7B"))
    pythia = {**old("Pythia"), "rotary_emb_base": 10000}
    assert read_config(pythia) == read_config(old("Pythia"))
    del pythia["rope_theta"]
    assert read_config(pythia) == read_config(old("Pythia"))
    wrapped = {"model_type": "mistral3", "text_config": old("Ministral 3")}
    assert read_config(wrapped) == read_config(old("Ministral 3"))


def test_turning_columns_are_not_rounded_away():
    config = {"model_type": "minimax_m2", "num_hidden_layers": 1, "head_dim": 44, "rotary_dim": 30}
    assert read_config({**config, "rope_theta": 1e4}).layers[0].encoding.turning == 30


@pytest.mark.parametrize(
    ("factor", "trained", "context"), [(3.33333, 3000, 10_000), (2.0, 1024, 512)]
)
def test_longrope_factor_may_be_rounded(factor, trained, context):
    """A shorter context says nothing of the factor, which is at least 1."""
    longrope = {
        "rope_type": "longrope",
        "factor": factor,
        "original_max_position_embeddings": trained,
        "short_factor": [1.0] * 64,
        "long_factor": [4.0] * 64,
    }
    config = {**old("Llama 2 7B"), "max_position_embeddings": context, "rope_scaling": longrope}
    assert read_config(config).layers[0].encoding.factor == factor


def test_turns_that_are_not_stated_are_noted():
    yarn = {"type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768}
    notes = read_config({**old("Qwen2.5-7B"), "rope_scaling": yarn}).notes
    assert notes == (
        "beta_fast is not in the file; 32 is the YaRN paper's number.",
        "beta_slow is not in the file; 1 is the YaRN paper's number.",
        "truncate is not in the file; true is what programs have.",
    )


def test_bloom_has_slopes_and_no_base():
    bloom = {"model_type": "bloom", "n_layer": 3, "n_head": 16}
    assert read_config(bloom).layers[2].encoding == Alibi(n_heads=16)


def test_gpt2_and_bert_have_a_learned_table():
    gpt2 = {"model_type": "gpt2", "n_layer": 12, "n_positions": 1024, "n_embd": 768}
    assert read_config(gpt2).layers[0].encoding == Learned(max_len=1024, d_model=768)
    bert = {"model_type": "bert", "num_hidden_layers": 12, "hidden_size": 768}
    bert |= {"max_position_embeddings": 512, "position_embedding_type": "absolute"}
    assert not read_config(bert).layers[0].causal
    assert len(read_config(bert).notes) == 1
    del bert["position_embedding_type"]
    assert read_config(bert).notes[1].startswith("position_embedding_type is not in the file")


def test_granite_hybrids_say_that_they_have_no_position():
    config = {"model_type": "granitemoehybrid", "num_hidden_layers": 2}
    config |= {"layer_types": ["mamba", "attention"], "position_embedding_type": "nope"}
    stack = read_config({**config, "rope_theta": 10000.0})
    assert [layer.kind for layer in stack.layers] == ["recurrent", "attention"]
    assert all(isinstance(layer.encoding, NoPE) for layer in stack.layers)


def test_pictures_that_see_both_ways_are_noted():
    stack = read_config({**old("Gemma 4"), "use_bidirectional_attention": "vision"})
    assert stack.notes == ("Tokens of one picture see each other, whatever the masks here say.",)


def test_a_leftover_type_beside_dictionaries_of_layers_is_no_layer():
    model = next(layer for layer in MODELS if layer["name"].startswith("Gemma 4"))["new"]
    parameters = {**model["rope_parameters"], "rope_type": "default", "rope_theta": None}
    same = read_config({**model, "rope_parameters": parameters})
    assert same.layers == read_config(model).layers
