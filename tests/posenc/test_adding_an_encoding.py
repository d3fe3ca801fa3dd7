"""docs/adding-an-encoding.md is true: its listings are the file, and nothing else need be edited.

The text of the page is dropped as a new file, under a name that nothing else knows, into a copy of
the package; then the command line, both renderers, the site and the tests of the catalogue have it.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from posenc.command_line import main

from tests.databases import copy_database, migrated_database

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "adding-an-encoding.md").read_text(encoding="utf-8")
LISTINGS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
COMMANDS = [line[2:] for line in PAGE.splitlines() if line.startswith("$ ")]
KERPLE = ROOT / "encodings/src/posenc/catalog/kerple.py"


def lines(text):
    return [line for line in text.splitlines() if line]


def test_the_listings_are_the_file_whole_and_in_order():
    shown = lines("\n".join(LISTINGS[:-1]))
    assert shown == lines(KERPLE.read_text(encoding="utf-8")), "copy what changed into the page"


def test_the_oracle_is_that_of_the_test():
    theirs = (ROOT / "tests/posenc/catalog/test_kerple.py").read_text(encoding="utf-8")
    assert LISTINGS[-1].strip() in theirs, "copy what changed into the page"


@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands_run(command, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(command.split()[1:]) == 0
    assert capsys.readouterr().out


def test_every_file_that_the_page_names_is_there():
    named = re.findall(r"`((?:docs|tests|encodings)/[\w./-]+)`", PAGE)
    assert len(named) >= 6
    for path in named:
        assert (ROOT / path).exists(), path


@pytest.fixture(scope="module")
def dropped(tmp_path_factory, shared_folder):
    """Return the environment of a copy of the package with one file more, `fading.py`."""
    source = tmp_path_factory.mktemp("copy") / "src"
    shutil.copytree(
        ROOT / "encodings/src/posenc",
        source / "posenc",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    text = "\n".join(LISTINGS[:-1]).replace("kerple", "fading").replace("Kerple", "Fading")
    (source / "posenc/catalog/fading.py").write_text(text)
    hidden = {
        "DATABASE_URL": copy_database(migrated_database(shared_folder), source.parent),
        "DJANGO_SETTINGS_MODULE": "quizzes.config.settings",
    }
    return os.environ | {"PYTHONPATH": str(source), **hidden}


def run(environment, *arguments):
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


WITHOUT_ANY_OTHER_EDIT = """
import os, sys
from contextlib import redirect_stdout
from io import StringIO
from posenc.command_line import main
def said(*arguments):
    with redirect_stdout(StringIO()) as out:
        assert main(arguments) == 0, arguments
    return out.getvalue()
assert "fading" in said("list")
assert "--n-heads 12" in said("show", "fading", "--n-heads", "12")
said("plot", "fading", "bias", "--reach", "20", "-o", sys.argv[1])
assert os.path.getsize(sys.argv[1]) > 1000

os.environ["DJANGO_SETTINGS_MODULE"] = "quizzes.config.settings"
import django
django.setup()
from django.test import Client
from django.test.utils import setup_test_environment
setup_test_environment()
client = Client()
page = client.get("/explore/?enc=fading", follow=True)
html = page.content.decode()
assert page.status_code == 200, page.status_code
for name in ("n_heads", "kernel", "p", "a", "reach"):
    assert f'data-control="{name}"' in html, name
assert "Compare" in html and "encodings-light.svg" in html
assert '<view id="fading"' in client.get("/figures/encodings-light.svg").content.decode()
for file, kind in (("json", "application/json"), ("csv", "text/csv"), ("svg", "image/svg+xml")):
    answer = client.get(f"/figures/fading/bias.{file}?n_heads=4", follow=True)
    assert answer.status_code == 200, (file, answer.status_code)
    assert answer["Content-Type"].startswith(kind)
refused = client.get("/figures/fading/bias.json?n_heads=0")
assert refused.json() == {"n_heads": "n_heads=0: must be between 1 and 64"}
print("the command line and the site have it")
"""


@pytest.mark.slow
def test_the_command_line_and_the_site_have_commands_sliders_and_figures_for_it(
    dropped, tmp_path, capsys
):
    target = str(tmp_path / "fading.svg")
    assert "the command line and the site have it" in run(
        dropped, "-c", WITHOUT_ANY_OTHER_EDIT, target
    )
    assert main(["list"]) == 0
    assert "fading" not in capsys.readouterr().out, "only the copy has it"


@pytest.mark.soak
def test_the_tests_of_the_catalogue_and_of_both_renderers_have_it(dropped):
    tests = (
        "tests/posenc/test_catalog.py",
        "tests/posenc/test_bad_input.py",
        "tests/posenc/test_view_input.py",
        "tests/posenc/test_properties.py",
        "tests/posenc/test_torch_modules.py",
        "tests/posenc/catalog/test_every_encoding.py",
        "tests/posenc/figures/test_both_renderers.py",
        "tests/posenc/figures/test_documents.py",
    )
    chosen = ("-k", "fading", "-m", "")  # all cells of the grids
    said = run(dropped, "-m", "pytest", "-q", "-p", "no:cacheprovider", *chosen, *tests)
    passed = int(re.search(r"(\d+) passed", said)[1])
    assert passed >= 25
