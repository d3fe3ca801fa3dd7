"""`posenc list` and `posenc show`: what they print, and that it is the engine's own."""

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

from tests.posenc.command_line.posenc_command import as_json, said


def test_list_names_every_encoding_and_every_view():
    text = said("list")
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


def test_show_takes_what_the_library_takes_and_no_page_would():
    shown = as_json("show", "alibi", "--n-heads=71")
    np.testing.assert_array_equal(shown["numbers"]["slopes"], Alibi(n_heads=71).slopes)


@pytest.mark.parametrize("slug", REGISTRY)
def test_every_encoding_can_be_shown(slug, capsys):
    assert main(["show", slug]) == 0
    text = capsys.readouterr().out
    for parameter in parameters(REGISTRY[slug].encoding):
        assert "--" + parameter.name.replace("_", "-") in text


@pytest.mark.parametrize("slug", REGISTRY)
def test_the_help_names_every_parameter_with_what_it_accepts(slug, capsys):
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
    assert len(lines) >= 4
    for line in lines:
        said(*line.split()[1:], cwd=tmp_path)


@pytest.mark.parametrize("arguments", [["list"], ["show", "rope"], ["plot", "nope", "compare"]])
def test_nothing_but_numpy_is_imported_until_something_is_drawn(arguments):
    program = (
        "import sys; from posenc.command_line import main;"
        f" code = main({[*arguments, '--json']});"
        " print(code, *({'torch', 'matplotlib', 'PIL'} & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.stderr.split() == ["0"]


def test_a_reader_that_has_seen_enough_is_no_error():
    program = f"{sys.executable} -m posenc list | head -1"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", program], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("alibi")
