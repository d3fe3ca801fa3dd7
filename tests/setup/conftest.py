"""Machines that lack something."""

import os
from pathlib import Path

import pytest


@pytest.fixture
def path_without_bubblewrap(tmp_path: Path) -> str:
    """A PATH with every program of this machine but bubblewrap."""
    folder = tmp_path / "programs"
    folder.mkdir()
    for place in os.get_exec_path():
        for program in Path(place).glob("*"):
            if program.name != "bwrap" and not (folder / program.name).is_symlink():
                (folder / program.name).symlink_to(program)
    return str(folder)
