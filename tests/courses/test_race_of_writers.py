"""Of those who write one thing at once one wins, nobody's text is lost, and the others learn it."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.child_environment import ENDS_WITH_US, child_environment
from tests.databases import copy_database, migrated_database

pytestmark = [pytest.mark.both_databases, pytest.mark.races]
ROOT = Path(__file__).parents[2]
WRITERS, BY_LOAD = 20, "By a load"  # of race_of_writers.py
OF_LOADS = {"conflict", "loaded", "nothing"}


@pytest.fixture
def race(shared_folder: Path, tmp_path: Path) -> Callable[..., Any]:
    """Return how to run a race on a database of its own; it returns what the race printed."""

    def run(*words: str) -> Any:
        url = copy_database(migrated_database(shared_folder), tmp_path)
        environment = {"DATABASE_URL": url, "PYTHONPATH": str(ROOT), "LOG_LEVEL": "CRITICAL"}
        ran = subprocess.run(
            [*ENDS_WITH_US, sys.executable, str(ROOT / "tests/courses/race_of_writers.py"), *words],
            cwd=ROOT,
            env=child_environment() | environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, ran.stderr
        return json.loads(ran.stdout)

    return run


@pytest.mark.parametrize("kind", ["question", "quiz", "lesson"])
def test_one_of_twenty_saves_loads_and_publishes_wins(race: Callable[..., Any], kind: str) -> None:
    said = race(kind)
    ends = said["ends"]
    loads = [end for end in ends if end in OF_LOADS]
    editors = [end for end in ends if end not in OF_LOADS]
    winners = [end for end in editors if end != "stale"]
    assert len(loads) == WRITERS // 5
    assert len(winners) <= 1
    assert loads.count("loaded") <= 1
    # The draft that all had seen stays unless it was published, or its writer saved another.
    text = winners[0] if winners else "Seen"
    if winners == ["Seen"]:  # published: no load goes over it
        assert (said["draft"], said["published"]) == (None, "Seen")
        assert set(loads) == {"conflict"}
    else:
        assert said["draft"] == text
        assert said["published"].startswith(BY_LOAD)  # the question has more lines
        assert "loaded" in loads
    assert len(winners) == 1 or "loaded" in loads
    assert said["versions"][0] == said["published"]
    assert len(said["versions"]) == 2


def test_withdrawal_waits_for_publishing_editor(race: Callable[..., Any]) -> None:
    """The draft and the course are taken in one order: they would wait for each other for ever."""
    after = {"is_changed": True, "is_open": False, "versions": 2}
    assert race("quiz", "withdraw") == after
