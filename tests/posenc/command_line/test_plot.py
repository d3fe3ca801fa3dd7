"""`posenc plot`: the files, the data, and that a wrong command writes nothing."""

import io

import numpy as np
import posenc.catalog  # noqa: F401  (fills the registry)
import pytest
from PIL import Image
from posenc.catalog.sinusoidal import Sinusoidal
from posenc.command_line import main
from posenc.figures.reference import draw
from posenc.registry import REGISTRY

from tests.posenc.command_line.posenc_command import as_json, run, run_here, said

VIEWS = [
    pytest.param(entry.slug, view, id=f"{entry.slug}-{view}")
    for entry in REGISTRY.values()
    for view in entry.views
]


@pytest.mark.slow
def test_the_file_is_the_reference_figure(tmp_path):
    text = said(
        "plot", "sinusoidal", "heatmap", "-o", "out.svg", "--d-model=50", cwd=tmp_path, by=run
    )
    data = REGISTRY["sinusoidal"].views["heatmap"].compute(Sinusoidal(d_model=50))
    assert (tmp_path / "out.svg").read_bytes() == draw(data)
    assert data.finding in text
    assert list(tmp_path.iterdir()) == [tmp_path / "out.svg"]


def test_png_scheme_and_width(tmp_path):
    file = tmp_path / "OUT.PNG"
    said("plot", "alibi", "slopes", "-o", str(file), "--scheme", "dark", "--width", "500")
    image = Image.open(io.BytesIO(file.read_bytes()))
    assert image.width == 1000
    assert image.getpixel((3, 3))[:3] == (0x0D, 0x11, 0x17)


def test_a_file_that_is_there_is_replaced_whole(tmp_path):
    file = tmp_path / "a.svg"
    file.write_text("old")
    said("plot", "nope", "equal-tokens", "--causal", "false", "-o", str(file))
    assert file.read_bytes().startswith(b"<?xml")


def test_a_link_stays_a_link_and_a_mode_a_mode(tmp_path):
    target, link = tmp_path / "there.svg", tmp_path / "link.svg"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to("there.svg")
    assert main(["plot", "nope", "equal-tokens", "-o", str(link)]) == 0
    assert link.is_symlink()
    assert target.read_bytes().startswith(b"<?xml")
    assert target.stat().st_mode & 0o777 == 0o640
    assert sorted(tmp_path.iterdir()) == [link, target]


@pytest.mark.filterwarnings("error")
def test_a_single_position_is_drawn_without_a_warning(tmp_path):
    said("plot", "sinusoidal", "widths", "--positions", "1", "-o", str(tmp_path / "a.svg"))


def test_json_has_the_values_and_the_words():
    shown = as_json("plot", "sinusoidal", "heatmap", "--d-model", "6", "--positions", "4")
    np.testing.assert_array_equal(shown["values"], Sinusoidal(d_model=6).table(4))
    assert shown["finding"] in shown["alt"]
    assert shown["file"] is None


@pytest.mark.covering(most=6)
@pytest.mark.slow
@pytest.mark.parametrize(("slug", "view"), VIEWS)
def test_every_view_has_its_parameters_as_options(slug, view, capsys):
    entry = REGISTRY[slug]
    own = entry.views[view].parameters
    given = [f"--{one.name.replace('_', '-')}={one.format(one.default)}" for one in own]
    assert main(["plot", slug, view, *given, "--json"]) == 0
    assert capsys.readouterr().out.startswith('{"encoding"')


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["show", "rope", "--head-dim", "7"], "--head-dim=7: must be even"),
        (["show", "rope", "--base", "x"], "--base=x: must be a number between 1 and 1e+15"),
        (["show", "rope", "--base", "nan"], "--base=nan: must be a number"),
        (["show", "rope", "--base="], "--base=: must be a number"),
        (["show", "rope", "--base"], "--base: expected one argument"),
        (["show", "alibi", "--n-heads", "0"], "--n-heads=0: must be between 1 and 4096"),
        (["show", "alibi", "--n-heads", "-3"], "--n-heads=-3: must be between 1 and 4096"),
        (["show", "alibi", "--rule", "mine"], "--rule=mine: must be one of authors, geometric"),
        (["show", "t5_bias", "--bidirectional", "2"], "--bidirectional=2: must be true or false"),
        (["show", "t5_bias", "--max-distance", "3"], "--max-distance=3: must be more than the 8"),
        (
            ["show", "rope", "--nonsense", "1"],
            "--nonsense: no such option; there are --attention-factor",
        ),
        (["show", "rope", "--head", "8"], "--head: no such option"),
        (["show", "rope", "--length", "0"], "--length=0: must be between 1 and 2147483648"),
        (["show", "alibi", "--length", "9"], "--length: no such option; there are --form"),
        (["show", "rope", "--longrope-long", "1,x"], "--longrope-long=1,x: must be numbers sep"),
        (["show", "rope", "--longrope-long", "1,2"], "--longrope-long=(1.0, 2.0): must be"),
        (["show", "rope", "64"], "64: not expected here; options begin with --"),
        (["show", "ropes"], "'ropes' (choose from 'alibi'"),
        (["show"], "required: ENCODING"),
        ([], "required: COMMAND"),
        (
            ["plot", "rope", "heatmap", "-o", "a.svg"],
            "'heatmap' (choose from 'scores', 'turns', 'arcs', 'padded', 'packed')",
        ),
        (["plot", "rope", "turns"], "--output: missing; name a file that ends in .svg"),
        (["plot", "rope", "turns", "-o", "a.gif"], "--output=a.gif: must end in .svg, .png or"),
        (["plot", "rope", "turns", "-o", "no/a.svg"], "--output=no/a.svg: cannot be written: No"),
        (["plot", "rope", "turns", "-o", "a.svg", "--scheme", "red"], "--scheme=red: must be one"),
        (["plot", "rope", "turns", "-o", "a.svg", "--width", "9"], "--width=9: must be a whole"),
        (["plot", "rope", "turns", "-o", "a.svg", "--positions", "0"], "--positions=0: must be b"),
    ],
)
def test_a_wrong_command_names_option_value_and_expectation(arguments, message, tmp_path):
    must_be_refused(run_here(*arguments, cwd=tmp_path), message)
    assert list(tmp_path.iterdir()) == []


def test_a_process_with_a_wrong_command_ends_as_one(tmp_path):
    wrong = ["plot", "rope", "turns", "-o", "a.svg", "--scheme", "red"]
    must_be_refused(run(*wrong, cwd=tmp_path), "--scheme=red: must be one")
    assert list(tmp_path.iterdir()) == []


def must_be_refused(done, message):
    """Hold a finished command to naming its fault and printing nothing else."""
    assert message in done.stderr
    assert done.stderr.startswith("posenc: ")
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("sinusoidal heatmap --positions 99999", "--positions=99999: must be at most 3906 with"),
        ("sinusoidal widths --positions 10000000000000", "must be between 1 and 10000000"),
        ("sinusoidal dot-products --offsets 1e12", "--offsets=1e12: must be a whole number"),
        ("sinusoidal similarity --positions 10000000000000", "must be between 2 and 1024"),
        ("transformer_xl position-term --reach 90000", "must be at most 16384 with --d-model=512"),
    ],
)
def test_too_large_a_picture_is_refused_in_the_words_of_the_command(
    arguments, message, tmp_path, capsys
):
    assert main(["plot", *arguments.split(), "-o", str(tmp_path / "a.svg")]) == 2
    printed = capsys.readouterr()
    assert message in printed.err
    assert (printed.out, list(tmp_path.iterdir())) == ("", [])


def test_without_matplotlib_the_command_names_the_missing_package(monkeypatch, tmp_path, capsys):
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    assert main(["plot", "rope", "turns", "-o", str(tmp_path / "a.svg")]) == 1
    assert "posenc[figures]" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
