"""The sinusoidal encoding against fourteen other implementations and 50-digit arithmetic."""

import numpy as np
import pytest
from posenc.catalog.sinusoidal import Sinusoidal

from tests.parity.golden_data import load

FLOAT32 = 6e-8  # one unit in the last place below 1.0: theirs may be rounded the other way
FLOAT32_ANGLES = 4e-6  # 32 positions: up to 31 radians, each off by one float32 epsilon of 1.2e-7

PAPER = {"grid": "paper", "layout": "interleaved"}
HALVES = {"grid": "paper", "layout": "concatenated"}
T2T = {"grid": "tensor2tensor", "layout": "concatenated"}


@pytest.mark.parametrize(
    ("name", "array", "convention", "tolerance"),
    [
        ("sin_marian", "pe", HALVES, FLOAT32),
        ("sin_marian", "pe_d7", HALVES, FLOAT32),
        ("sin_ctrl", "pe", HALVES, FLOAT32_ANGLES),
        ("sin_ctrl", "pe_d512", HALVES, 2 * FLOAT32_ANGLES),
        ("sin_xlm", "pe", PAPER, FLOAT32),
        ("sin_xlm", "pe_d512", PAPER, FLOAT32),
        ("sin_distilbert", "pe", PAPER, FLOAT32),
        ("sin_speech2text_t2t", "pe", T2T, FLOAT32_ANGLES),
        ("sin_speech2text_t2t", "pe_odd15", T2T, FLOAT32_ANGLES),
        ("sin_whisper", "pe", T2T, FLOAT32_ANGLES),
        ("sin_fairseq", "pe", T2T, FLOAT32_ANGLES),
        ("sin_fairseq", "pe_odd15", T2T, FLOAT32_ANGLES),
        ("sin_keras_hub", "pe", PAPER, FLOAT32_ANGLES),
        ("sin_positional_encodings", "pe", PAPER, FLOAT32_ANGLES),
        ("sin_mlx", "pe", HALVES, FLOAT32_ANGLES),
        ("sin_labml", "pe", PAPER, FLOAT32_ANGLES),
        ("sin_joeynmt", "pe", PAPER, FLOAT32_ANGLES),
        ("sin_diffusers_timestep", "pe_shift0", HALVES, FLOAT32_ANGLES),
        ("sin_diffusers_timestep", "pe_shift1", T2T, FLOAT32_ANGLES),
    ],
)
def test_agrees_with(name, array, convention, tolerance):
    theirs = load(name)[array]
    ours = Sinusoidal(d_model=theirs.shape[-1], **convention)
    for table in (ours.table(len(theirs)), ours.encode(np.arange(len(theirs)))):
        np.testing.assert_allclose(table, theirs, rtol=0, atol=tolerance)


def test_diffusers_with_cosines_first_is_ours_with_the_halves_swapped():
    theirs = load("sin_diffusers_timestep")["pe_shift0_flip"]
    ours = Sinusoidal(d_model=16, **HALVES).table(32)
    np.testing.assert_allclose(np.roll(ours, 8, axis=1), theirs, rtol=0, atol=FLOAT32_ANGLES)


def test_speech2text_zeroes_the_row_of_the_padding_index():
    theirs = load("sin_speech2text_t2t")["pe_pad1"]
    ours = Sinusoidal(d_model=16, **T2T).table(32)
    ours[1] = 0
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=FLOAT32_ANGLES)


def test_positional_encodings_truncates_the_next_even_table_when_odd():
    """Not ours: with 15 columns their frequencies are those of 16, the paper's formula says 15."""
    theirs = load("sin_positional_encodings")["pe_odd15"]
    even = Sinusoidal(d_model=16, **PAPER).table(32)
    np.testing.assert_allclose(even[:, :15], theirs, rtol=0, atol=FLOAT32_ANGLES)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["sin_mpmath50_d64", "sin_mpmath50_d512"])
def test_float64_is_within_2e_11_of_50_digits_up_to_position_100_000(name):
    exact = load(name)
    assert exact["positions"].max() == 100_000
    ours = Sinusoidal(d_model=exact["pe"].shape[1])
    encoded = ours.encode(exact["positions"])
    np.testing.assert_allclose(encoded, exact["pe"], rtol=0, atol=2e-11)
    table = ours.table(100_001)[exact["positions"]]
    np.testing.assert_allclose(table, exact["pe"], rtol=0, atol=2e-11)


@pytest.mark.parametrize(
    "name", ["sin_mpmath50_d64", pytest.param("sin_mpmath50_d512", marks=pytest.mark.slow)]
)
def test_float32_is_the_rounding_of_50_digits_alone(name):
    exact = load(name)
    ours = Sinusoidal(d_model=exact["pe"].shape[1])
    encoded = ours.encode(exact["positions"], dtype=np.float32)
    table = ours.table(100_001, dtype=np.float32)[exact["positions"]]
    for code in (encoded, table):
        assert code.dtype == np.float32
        assert np.abs(code.astype(np.float64) - exact["pe"]).max() <= 3.1e-8
