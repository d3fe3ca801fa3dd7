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
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import zip_longest
from pathlib import Path

import pytest

from quizzes.content_files.characters import REFUSED
from tests.authoring.poisons import poisons_of
from tests.authoring.run_poisoned import SECONDS
from tests.authoring.small_course import COURSE, copy_course, samples
from tests.child_environment import ENDS_WITH_US, child_environment

Found = tuple[int, str, float]
Cell = tuple[str, str]  # kind of file, poison

SAMPLES = samples()
# Without course.yaml no lesson is read, and without its room nothing in it: these have their own
# courses, and everything else is poisoned side by side.
ROOMS = [kind for kind, path in SAMPLES.items() if (COURSE / path).is_dir() and "/" not in kind]
ALONE = (["course.yaml"], ROOMS)
STEPS = "lessons/*/steps/*.md"
# Each takes 2 s, and "opened brackets" says nearly the same.
SLOW = ("opened brackets on lines", "brackets that only seem closed")
CELLS = [(kind, poison) for kind, path in SAMPLES.items() for poison in poisons_of(COURSE / path)]


def _places(kind: str) -> list[Path]:
    """Return the files that can be poisoned side by side: the sample and the steps next to it."""
    path = SAMPLES[kind]
    if kind != STEPS:
        return [path]
    return [step.relative_to(COURSE) for step in sorted((COURSE / path).parent.glob("*.md"))]


PLACES = {kind: _places(kind) for kind in SAMPLES}


def _cells_for_gate() -> set[Cell]:
    """Return each poison once and one of each kind of file; all cells are for `make soak`.

    A kind that is poisoned alone has a course read for each poison, so it gets no second.
    """
    chosen = {cell for kind in SAMPLES for cell in [row for row in CELLS if row[0] == kind][:1]}
    count = Counter(kind for kind, _ in chosen)
    for poison in dict.fromkeys(poison for _, poison in CELLS if poison not in SLOW):
        kind = min(
            (kind for kind, other in CELLS if other == poison),
            key=lambda kind: (kind in (*ALONE[0], *ALONE[1]), count[kind] / len(PLACES[kind])),
        )
        chosen.add((kind, poison))
        count[kind] += 1
    return chosen


FOR_GATE = _cells_for_gate()


def _runs(cells: Sequence[Cell]) -> Iterator[dict[Cell, Path]]:
    """Yield the poisons of each course that is to be read, with the files they are put in."""
    rest = [kind for kind in SAMPLES if kind not in (*ALONE[0], *ALONE[1])]
    for together in (*ALONE, rest):
        columns = [
            [cell for cell in cells if cell[0] == kind][place :: len(PLACES[kind])]
            for kind in together
            for place in range(len(PLACES[kind]))
        ]
        paths = [path for kind in together for path in PLACES[kind]]
        for run in zip_longest(*columns):
            yield {cell: path for cell, path in zip(run, paths, strict=True) if cell}


@pytest.fixture(scope="module")
def outcomes(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Mapping[Cell, tuple[Path, Found]]:
    """The poisoned file of each cell, and how the command that read it ended."""
    ids = {item.callspec.id for item in request.session.items if hasattr(item, "callspec")}
    cells = [cell for cell in CELLS if "-".join(cell) in ids]
    folder = tmp_path_factory.mktemp("poisoned")
    os.environ["POISON_OUTSIDE"] = str(tmp_path_factory.mktemp("outside"))
    ends = {}
    with commands() as run_command:
        for number, run in enumerate(_runs(cells)):
            course = copy_course(folder / str(number) / COURSE.name)
            for (_, poison), path in run.items():
                poisons_of(course / path)[poison](course / path)
            ended = run_command("check_content", str(course), "--without-proofs")
            ends |= {cell: (path, ended) for cell, path in run.items()}
    return ends


@contextmanager
def commands(**environment: str) -> Iterator[Callable[..., Found]]:
    """Give a function that runs a management command in a process of its own."""
    driver = subprocess.Popen(
        [*ENDS_WITH_US, sys.executable, "-m", "tests.authoring.run_poisoned"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=child_environment() | environment,
    )

    def run(*arguments: str) -> Found:
        assert driver.stdin
        assert driver.stdout
        print(json.dumps(arguments), file=driver.stdin, flush=True)
        code, output, seconds = json.loads(driver.stdout.readline())
        return code, output, seconds

    with driver:
        yield run


def faults_of(path: Path, output: str) -> list[int]:
    """Return the lines of the faults that name a file, or a file of a folder."""
    return [
        int(line) for line in re.findall(rf"^{re.escape(str(path))}[^:\n]*:(\d+): ", output, re.M)
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "poison"),
    [
        pytest.param(*cell, marks=() if cell in FOR_GATE else pytest.mark.soak, id="-".join(cell))
        for cell in CELLS
    ],
)
def test_a_poisoned_file_is_a_fault_and_no_more(
    kind: str, poison: str, outcomes: Mapping[Cell, tuple[Path, Found]]
) -> None:
    path, (code, output, seconds) = outcomes[kind, poison]
    assert code == 1, f"{code} after {seconds:.1f} of {SECONDS} s: {output[-2000:]}"
    assert "Traceback" not in output
    assert not REFUSED.search(output.replace("\n", "")), "something for a terminal, not for people"
    assert faults_of(path, output), f"not named in: {output[:3000]}"
