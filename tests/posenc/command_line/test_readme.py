"""The commands of encodings/README.md run as they stand, and the script that they name is there."""

import importlib
import json
import tomllib
from pathlib import Path

import pytest

from tests.posenc.command_line.posenc_command import said
from tests.posenc.configs.data import MODELS

ENCODINGS = Path(__file__).parents[3] / "encodings"
README = (ENCODINGS / "README.md").read_text(encoding="utf-8")
COMMANDS = [line[2:] for line in README.splitlines() if line.startswith("$ ")]


def test_there_are_five_lines_to_paste():
    first = README.split("```python\n", 1)[1].split("\n\n```", 1)[0]
    assert len(first.splitlines()) == 5
    assert len(COMMANDS) == 6


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands_run(command, tmp_path):
    name, *arguments = command.split()
    assert name == "posenc"
    config = tmp_path / "config.json"
    if arguments[0] == "config":
        config.write_text(json.dumps(MODELS[0]["new"]), encoding="utf-8")
    assert said(*arguments, cwd=tmp_path)
    drawn = {*tmp_path.iterdir()} - {config}
    assert bool(drawn) == (arguments[0] in {"plot", "config"})


def test_the_script_is_the_same_program():
    scripts = tomllib.loads((ENCODINGS / "pyproject.toml").read_text())["project"]["scripts"]
    module, _, function = scripts["posenc"].partition(":")
    assert getattr(importlib.import_module(module), function)(["list"]) == 0
