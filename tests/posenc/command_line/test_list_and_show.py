"""`posenc list` and `posenc show`: what they print, and that it is the engine's own."""

import json
import subprocess
import sys

import numpy as np
import posenc.catalog  # noqa: F401  (fills the registry)
import pytest
from posenc.catalog.alibi import Alibi
from posenc.catalog.rope import Rope
from posenc.command_line import main
from posenc.parameters import parameters
from posenc.registry import REGISTRY

from tests.posenc.command_line.posenc_command import as_json, run, said
from tests.posenc.configs.data import MODELS


@pytest.mark.slow
def test_list_names_every_encoding_and_every_view():
    text = said("list", by=run)
    for entry in REGISTRY.values():
        assert entry.title in text
        assert all(view in text for view in entry.views)
    assert [one["slug"] for one in as_json("list")] == list(REGISTRY)


def test_show_prints_the_numbers_of_these_parameters():
    expected = Rope(head_dim=64, base=500_000)
    shown = as_json("show", "rope", "--head-dim", "64", "--base", "500000")
    assert shown["parameters"]["base"] == 500_000
    np.testing.assert_array_equal(shown["numbers"]["inv_freq"], expected.inv_freq)
    text = said("show", "rope", "--head-dim", "64", "--base", "500000")
    for words in ("--head-dim 64", "--base 500000", "even", "on_queries_and_keys", "0.663601"):
        assert words in text


def test_show_takes_values_of_the_library_that_no_page_offers():
    shown = as_json("show", "alibi", "--n-heads=71")
    np.testing.assert_array_equal(shown["numbers"]["slopes"], Alibi(n_heads=71).slopes)


@pytest.mark.parametrize("slug", REGISTRY)
def test_every_encoding_can_be_shown(slug, capsys):
    assert main(["show", slug]) == 0
    text = capsys.readouterr().out
    for parameter in parameters(REGISTRY[slug].encoding):
        assert "--" + parameter.name.replace("_", "-") in text


@pytest.mark.parametrize("slug", REGISTRY)
def test_the_help_names_every_parameter_with_its_valid_values(slug, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["show", slug, "--help"])
    assert ended.value.code == 0
    text = " ".join(capsys.readouterr().out.split())
    for parameter in parameters(REGISTRY[slug].encoding):
        assert "--" + parameter.name.replace("_", "-") in text
        assert parameter.validity in text


def test_the_first_help_shows_commands_that_run(capsys, tmp_path):
    with pytest.raises(SystemExit):
        main(["--help"])
    text = capsys.readouterr().out
    lines = [line.strip() for line in text.splitlines() if line.startswith("  posenc ")]
    assert len(lines) >= 5
    (tmp_path / "config.json").write_text(json.dumps(MODELS[0]["new"]), encoding="utf-8")
    for line in lines:
        said(*line.split()[1:], cwd=tmp_path)


WITHOUT_DRAWING = [["list"], ["show", "rope"], ["plot", "nope", "compare"]]


@pytest.mark.slow
def test_nothing_but_numpy_is_imported_until_something_is_drawn():
    program = (
        "import sys; from posenc.command_line import main;"
        f" codes = [main([*one, '--json']) for one in {WITHOUT_DRAWING}];"
        " print(*codes, *({'torch', 'matplotlib', 'PIL'} & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.stderr.split() == ["0"] * len(WITHOUT_DRAWING)


@pytest.fixture
def shown_rope(capsys):
    """Return a function that runs `posenc show rope` here and returns what it printed."""

    def show(*options):
        assert main(["show", "rope", *options]) == 0
        return capsys.readouterr().out

    return show


def test_frequencies_that_follow_the_length_are_shown_for_one(shown_rope):
    options = ["--scaling", "dynamic-ntk", "--factor", "8"]
    rope = Rope(scaling="dynamic-ntk", factor=8)
    shown = json.loads(shown_rope(*options, "--length", "16384", "--json"))["numbers"]
    np.testing.assert_array_equal(shown["inv_freq_for"], rope.inv_freq_for(16384))
    assert "inv_freq_for" not in shown_rope(*options)
    assert "for a text of 16384 tokens" in shown_rope(*options, "--length", "16384")


def test_longrope_s_divisors_are_options_too(shown_rope):
    options = ["--head-dim=4", "--longrope-short=1,1.5", "--longrope-long", "2,4e1"]
    shown = json.loads(shown_rope(*options, "--length", "4096", "--json"))
    assert shown["parameters"]["longrope_long"] == [2, 40]
    expected = Rope(head_dim=4, longrope_short=(1.0, 1.5), longrope_long=(2.0, 40.0))
    np.testing.assert_array_equal(shown["numbers"]["inv_freq"], expected.inv_freq)
    np.testing.assert_array_equal(shown["numbers"]["inv_freq_for"], expected.inv_freq_for(4096))
    assert "2,40" in shown_rope(*options)


@pytest.mark.parametrize("columns", [40, 80])
@pytest.mark.parametrize("command", ["list", "show rope", "show t5_bias", "--help"])
def test_lines_are_no_wider_than_the_terminal(command, columns, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(columns))
    try:
        main(command.split())
    except SystemExit:
        assert command == "--help"
    lines = capsys.readouterr().out.splitlines()
    words = [line for line in lines if not line.startswith("  posenc ")]  # examples stay whole
    assert max(map(len, words)) <= columns
    if columns == 80:
        assert max(map(len, lines)) > 60


def test_help_of_an_encoding_is_no_wider_either(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    with pytest.raises(SystemExit):
        main(["show", "xpos", "--help"])
    words = capsys.readouterr().out.partition("parameters of")[0]
    assert max(map(len, words.splitlines())) <= 60


@pytest.mark.covering
@pytest.mark.parametrize("arguments", [["list"], ["--help"]])
@pytest.mark.parametrize(
    ("where", "reason"), [("> /dev/full", "No space left"), (">&-", "Bad file descriptor")]
)
def test_output_that_cannot_be_written_is_reported_in_one_line(arguments, where, reason):
    program = f"{sys.executable} -m posenc {' '.join(arguments)} {where}"
    done = subprocess.run(["bash", "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith(f"posenc: cannot write to standard output: {reason}")
    assert len(done.stderr.splitlines()) == 1


def test_a_reader_that_has_seen_enough_is_no_error():
    program = f"{sys.executable} -m posenc list | head -1"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", program], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("alibi")
