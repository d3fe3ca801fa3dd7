"""RoPE and xPos against twelve other implementations, and its scaling against transformers."""

import numpy as np
import pytest
from posenc.catalog.rope import Rope
from posenc.catalog.xpos import XPos

from tests.parity.golden_data import load, manifest

POSITIONS = np.arange(32)
THEIRS = 4e-6  # float32 angles up to 31 radians, values up to 4

ADJACENT = Rope(head_dim=16, pairing="adjacent")
HALVES = Rope(head_dim=16, pairing="half-split")


def turn(encoding, golden):
    """Return what the hook makes of the q and k of a golden file."""
    q, k = golden["q"], golden.get("k", golden["q"])
    return encoding.on_queries_and_keys(q, k, POSITIONS, POSITIONS, {})


@pytest.mark.parametrize(
    ("name", "encoding"),
    [
        ("rope_llama_halfsplit", HALVES),
        ("rope_gptj_interleaved", ADJACENT),
        ("rope_roformer_interleaved", ADJACENT),
        ("rope_lucidrains_interleaved", ADJACENT),
        ("rope_esm", HALVES),
        ("xpos_torchscale", XPos(head_dim=16)),
        ("xpos_lucidrains", XPos(head_dim=16)),
    ],
)
def test_queries_and_keys_agree_with(name, encoding):
    golden = load(name)
    q, k = turn(encoding, golden)
    assert q.dtype == k.dtype == np.float32
    np.testing.assert_allclose(q, golden["q_out"], rtol=0, atol=THEIRS)
    np.testing.assert_allclose(k, golden["k_out"], rtol=0, atol=THEIRS)


@pytest.mark.parametrize(
    ("name", "array", "encoding"),
    [
        ("rope_onnx_spec", "q_out_interleaved0_rotdim16", HALVES),
        ("rope_onnx_spec", "q_out_interleaved1_rotdim16", ADJACENT),
        (
            "rope_onnx_spec",
            "q_out_interleaved0_rotdim8",
            Rope(head_dim=16, pairing="half-split", rotary_share=0.5),
        ),
        (
            "rope_onnx_spec",
            "q_out_interleaved1_rotdim8",
            Rope(head_dim=16, pairing="adjacent", rotary_share=0.5),
        ),
        ("rope_mlx", "q_traditional", ADJACENT),
        ("rope_mlx", "q_half", HALVES),
        ("rope_mlx", "q_half_partial8", Rope(head_dim=16, pairing="half-split", rotary_share=0.5)),
        (
            "rope_mlx",
            "q_half_scale05",
            Rope(head_dim=16, pairing="half-split", scaling="linear", factor=2),
        ),
        ("rope_labml", "q_out", HALVES),
        ("rope_labml", "q_out_partial8", Rope(head_dim=16, pairing="half-split", rotary_share=0.5)),
        (
            "rope_neox_partial",
            "q_out_pct25",
            Rope(head_dim=16, pairing="half-split", rotary_share=0.25),
        ),
        (
            "rope_neox_partial",
            "q_out_pct50",
            Rope(head_dim=16, pairing="half-split", rotary_share=0.5),
        ),
    ],
)
def test_queries_agree_with(name, array, encoding):
    golden = load(name)
    np.testing.assert_allclose(turn(encoding, golden)[0], golden[array], rtol=0, atol=THEIRS)


def test_an_offset_is_where_the_positions_start():
    golden = load("rope_mlx")
    turned = HALVES.rotate(golden["q"], POSITIONS + 5)
    np.testing.assert_allclose(turned, golden["q_half_offset5"], rtol=0, atol=THEIRS)


def test_the_original_gpt_j_has_heads_before_the_last_axis():
    golden = load("rope_gptj_original_jax")
    turned = ADJACENT.rotate(golden["q0"], POSITIONS)
    np.testing.assert_allclose(turned, golden["q0_out"], rtol=0, atol=THEIRS)


def test_the_frequencies_and_waves_are_those_of_transformers():
    llama, neox = load("rope_llama_halfsplit"), load("rope_neox_partial")
    np.testing.assert_allclose(HALVES.inv_freq, llama["inv_freq"], rtol=1e-6)
    cos, sin = HALVES.waves(POSITIONS, like=llama["q"])
    np.testing.assert_allclose(np.tile(cos, 2), llama["cos"][0], rtol=0, atol=THEIRS)
    np.testing.assert_allclose(np.tile(sin, 2), llama["sin"][0], rtol=0, atol=THEIRS)
    for share, name in ((0.25, "pct25"), (0.5, "pct50")):
        partial = Rope(head_dim=16, pairing="half-split", rotary_share=share)
        np.testing.assert_allclose(partial.inv_freq, neox[f"inv_freq_{name}"], rtol=1e-6)
        cos, _ = partial.waves(POSITIONS, like=neox["q"])
        np.testing.assert_allclose(np.tile(cos, 2), neox[f"cos_{name}"][0], rtol=0, atol=THEIRS)


def test_the_scales_of_xpos_are_those_of_torchscale():
    np.testing.assert_allclose(XPos(head_dim=16).zeta, load("xpos_torchscale")["scale"], rtol=1e-6)


CONFIGS = manifest()["rope_scaling_hf"]["params"]["configs"]
LONGROPE = {
    "longrope_short": tuple(CONFIGS["longrope"]["short_factor"]),
    "longrope_long": tuple(CONFIGS["longrope"]["long_factor"]),
}


@pytest.mark.parametrize(
    ("name", "config", "arguments", "length"),
    [
        ("linear4", "linear4", {"scaling": "linear", "trained_length": 2048}, 2048),
        ("dynamic2_seq2048", "dynamic2", {"scaling": "dynamic-ntk", "trained_length": 2048}, 2048),
        ("dynamic2_seq4096", "dynamic2", {"scaling": "dynamic-ntk", "trained_length": 2048}, 4096),
        ("dynamic2_seq8192", "dynamic2", {"scaling": "dynamic-ntk", "trained_length": 2048}, 8192),
        ("yarn4", "yarn4", {"scaling": "yarn", "trained_length": 2048}, 2048),
        (
            "llama3_8",
            "llama3_8",
            {
                "scaling": "llama3",
                "trained_length": 8192,
                "base": 500_000.0,
                "llama3_low_factor": 1.0,
                "llama3_high_factor": 4.0,
            },
            8192,
        ),
        ("longrope_seq1024", "longrope", {"trained_length": 4096, **LONGROPE}, 1024),
        ("longrope_seq8192", "longrope", {"trained_length": 4096, **LONGROPE}, 8192),
    ],
)
def test_scaled_frequencies_and_temperatures_agree_with_transformers(
    name, config, arguments, length
):
    theirs, factor = load("rope_scaling_hf"), CONFIGS[config]["factor"]
    ours = Rope(head_dim=16, factor=factor, **arguments)
    np.testing.assert_allclose(ours.inv_freq_for(length), theirs[f"{name}_inv_freq"], rtol=1e-6)
    assert ours.temperature == pytest.approx(float(theirs[f"{name}_attention_factor"]), rel=1e-12)


def test_the_settings_above_are_those_that_were_run():
    assert CONFIGS["yarn4"]["original_max_position_embeddings"] == 2048
    assert CONFIGS["llama3_8"]["rope_theta"] == 500_000.0
    assert CONFIGS["longrope"]["original_max_position_embeddings"] == 4096
