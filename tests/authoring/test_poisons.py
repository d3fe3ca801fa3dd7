"""No file of an author kills a command that reads it: every kind of file, every poison.

The rule: exit code 1, the file named with a line that it has, no traceback, nothing on the terminal
that is not text. The kinds of file are those that the shipped course has; nothing here knows how
any of them is read.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from pathlib import Path

import pytest

from quizzes.content_files.characters import REFUSED
from tests.authoring.poisons import poisons_of
from tests.authoring.run_poisoned import SECONDS
from tests.authoring.small_course import COURSE, copy_course, samples

Found = tuple[int, str, float]
Cell = tuple[str, str]  # kind of file, poison

SAMPLES = samples()
# Without course.yaml no lesson is read, and without its room nothing in it: these have their own
# courses, and everything else is poisoned side by side.
ROOMS = [kind for kind, path in SAMPLES.items() if (COURSE / path).is_dir() and "/" not in kind]
ALONE = (["course.yaml"], ROOMS)
CELLS = [(kind, poison) for kind, path in SAMPLES.items() for poison in poisons_of(COURSE / path)]


def _runs() -> Iterator[dict[str, str]]:
    """Yield {kind: poison} for each course that is to be read."""
    rest = [kind for kind in SAMPLES if kind not in (*ALONE[0], *ALONE[1])]
    for together in (*ALONE, rest):
        cells = [[(kind, name) for name in poisons_of(COURSE / SAMPLES[kind])] for kind in together]
        yield from (dict(filter(None, run)) for run in zip_longest(*cells))


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> Mapping[Cell, Found]:
    folder = tmp_path_factory.mktemp("poisoned")
    os.environ["POISON_OUTSIDE"] = str(tmp_path_factory.mktemp("outside"))
    jobs, runs = [], {}
    for number, run in enumerate(_runs()):
        course = copy_course(folder / str(number) / COURSE.name)
        for kind, poison in run.items():
            poisons_of(course / SAMPLES[kind])[poison](course / SAMPLES[kind])
        jobs.append([str(number), ["check_content", str(course), "--without-proofs"]])
        runs[str(number)] = run
    found = run_all(jobs)
    return {cell: found[key] for key, run in runs.items() for cell in run.items()}


def run_all(jobs: list[list[object]]) -> dict[str, Found]:
    """Run commands one by one, each in a process of its own."""
    driver = [sys.executable, "-m", "tests.authoring.run_poisoned"]
    done = subprocess.run(
        driver, input=json.dumps(jobs), stdout=subprocess.PIPE, text=True, check=True
    )
    return {key: tuple(value) for key, value in json.loads(done.stdout).items()}


def faults_of(path: Path, output: str) -> list[int]:
    """Return the lines of the faults that name a file, or a file of a folder."""
    return [
        int(line) for line in re.findall(rf"^{re.escape(str(path))}[^:\n]*:(\d+): ", output, re.M)
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "poison"), CELLS)
def test_a_poisoned_file_is_a_fault_and_no_more(
    kind: str, poison: str, outcomes: Mapping[Cell, Found]
) -> None:
    code, output, seconds = outcomes[kind, poison]
    assert code == 1, f"{code} after {seconds:.1f} of {SECONDS} s: {output[-2000:]}"
    assert "Traceback" not in output
    assert not REFUSED.search(output.replace("\n", "")), "something for a terminal, not for people"
    assert faults_of(SAMPLES[kind], output), f"not named in: {output[:3000]}"
