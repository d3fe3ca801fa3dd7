"""`posenc config`: the table of a config's layers, their numbers as JSON, the picture."""

import json
import math

import numpy as np
import pytest
from posenc.command_line import main
from posenc.configs import read_config
from posenc.configs.picture import periods
from posenc.errors import ParameterError
from posenc.figures.live import draw_live
from posenc.figures.reference import draw

from tests.posenc.command_line.posenc_command import as_json, run, run_here, said
from tests.posenc.configs.data import MODELS, RELEASED

GEMMA4 = next(model for model in MODELS if model["name"].startswith("Gemma 4"))["new"]


@pytest.fixture
def file_of(tmp_path):
    """Return a function that writes a config into a file and returns its name."""

    def write(config):
        path = tmp_path / "config.json"
        text = config if isinstance(config, str) else json.dumps(config)
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def in_a_line(text):
    return " ".join(text.replace("\N{NARROW NO-BREAK SPACE}", " ").split())


@pytest.mark.slow
def test_the_table_says_what_each_layer_does(file_of):
    text = in_a_line(said("config", file_of(GEMMA4), by=run))
    for words in (
        "192 of 256 pairs never turn in layer 5. Code that reads rope_theta alone turns them all.",
        "6 layers; the file states 262 144 tokens.",
        "0–4 RoPE, base 10 000, all 256 dimensions",
        "window of 1 024 keys; slowest period 58 470 tokens",
        "5 RoPE, base 1 000 000, 64 of 256 pairs of the whole head",
        "an output can depend on any number of tokens back",
    ):
        assert words in text


@pytest.mark.parametrize("model", RELEASED, ids=[model["name"] for model in RELEASED])
def test_released_files_have_a_table_and_numbers(model, file_of):
    file = file_of(model["config"])
    assert "slowest period" in in_a_line(said("config", file))
    shown, stack = as_json("config", file), read_config(model["config"])
    assert sum(len(group["layers"]) for group in shown["groups"]) == shown["layers"]
    for group in shown["groups"]:
        expected = stack.layers[group["layers"][0]].inv_freq()
        np.testing.assert_array_equal(group["inv_freq"], expected)


def test_facts_that_few_models_have_are_said(file_of):
    configs = {model["name"]: model["old"] or model["new"] for model in MODELS}
    words = {
        "Llama 4 Scout": "queries grow from position 8 192 on (llama4, strength 0.1)",
        "DeepSeek-V3": "scores times 1.87385",
        "gpt-oss-20b/120b": "a learned sink for each head",
        "ModernBERT base": "window of 129 keys, half on each side; not causal",
        "Qwen3.5 (all sizes)": "recurrent: no attention",
        "Mistral 7B v0.1": "an output can depend on at most 8 191 tokens, itself counted",
    }
    for name, expected in words.items():
        assert expected in in_a_line(said("config", file_of(configs[name])))


@pytest.mark.slow
def test_the_picture_is_drawn_from_the_same_numbers(file_of, tmp_path):
    out = tmp_path / "out.svg"
    text = in_a_line(said("config", file_of(GEMMA4), "-o", str(out)))
    data = periods(read_config(GEMMA4))
    assert out.read_bytes() == draw(data)
    assert in_a_line(data.finding) in text
    assert "192 pairs of a head never turn." in data.finding
    assert data.values[0, 0] == pytest.approx(2 * math.pi)
    assert data.values.shape == (2, 256)
    assert np.isnan(data.values[1, 64:]).all()
    assert draw_live(data, width_px=360).svg.startswith("<svg ")


def test_longrope_is_shown_at_stated_length(file_of):
    phi = next(model["old"] for model in MODELS if model["name"] == "Phi-4-mini")
    layer = read_config(phi).layers[0]
    long = 2 * math.pi / layer.inv_freq(131_072).min()
    assert long > 1.5 * 2 * math.pi / layer.inv_freq().min()
    assert f"slowest period {round(long):,} tokens".replace(",", " ") in in_a_line(
        said("config", file_of(phi))
    )
    group = as_json("config", file_of(phi))["groups"][0]
    np.testing.assert_array_equal(group["inv_freq_at_context"], layer.inv_freq(131_072))
    assert periods(read_config(phi)).values.max() == pytest.approx(long, rel=1e-12)


def test_nothing_is_drawn_where_nothing_turns():
    gpt2 = {"model_type": "gpt2", "n_layer": 2, "n_positions": 64, "n_embd": 8}
    with pytest.raises(ParameterError, match="must have RoPE somewhere"):
        periods(read_config(gpt2))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is not JSON"),
        ('{"a": NaN}', "has NaN, which is not a number of JSON"),
        ('{"a": 1, "a": 2}', "has the field a twice"),
        ("[" * 100_000, "brackets within each other"),
        ("[]", "must be an object, {...}, not a list"),
        ('{"model_type": "llama"}', "num_hidden_layers=None: must be in the file"),
        (" " * (2**22 + 1), "at most"),
    ],
)
def test_files_that_are_no_config_are_refused(text, message, file_of):
    done = run_here("config", file_of(text))
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--output", "x.gif"], "must end in .svg"),
        (["--width", "3"], "--width=3"),
        (["--scheme", "red"], "--scheme=red"),
        (["--depth"], "there are --json, --output, --scheme, --width"),
    ],
)
def test_options_that_are_none_are_refused(options, message, file_of):
    done = run_here("config", file_of(GEMMA4), *options)
    assert done.returncode == 2
    assert message in done.stderr


def test_a_file_that_is_not_there_is_named(capsys):
    assert main(["config", "no-such.json"]) == 2
    assert "no-such.json: cannot be read: No such file" in capsys.readouterr().err


@pytest.mark.parametrize("columns", [40, 80])
def test_lines_are_no_wider_than_the_terminal(columns, file_of, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", str(columns))
    assert main(["config", file_of(GEMMA4)]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= columns
