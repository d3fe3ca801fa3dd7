"""No number that a submission can read before the hidden cases draws them, nor do they decide."""

import json
import math
import runpy
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from quizzes.grader.judge.case_pack import CasePack, digest_of_call
from quizzes.grader.judge.comparison import same_observation
from quizzes.grader.judge.judge import grade_code
from quizzes.grader.protocol.case import Case
from quizzes.grader.protocol.job import Job, Run, Sandbox
from quizzes.grader.protocol.observation import Observation
from quizzes.grader.protocol.read_results import read_run
from quizzes.grader.protocol.wire import Bounds, Frame, split
from tests.shared_sandboxes import shared_pack, shared_sandbox
from tests.shipped_exercises.folders import FOLDERS, SLUGS, definition_of

SEED = 2**61 + 5  # as large as a pack's
MOST_NUMBERS = 60  # of the arrays of shown cases; each draws a whole pack


class Seen(Exception):  # noqa: N818
    """Ends a grading once its first job is known."""


class Watching:
    """A sandbox that keeps the job, and runs nothing."""

    def __init__(self) -> None:
        self.job: Job | None = None

    def run(self, job: Job) -> Run:
        self.job = job
        raise Seen


def first_frame(pack: CasePack) -> Frame:
    """Return what crosses the wall before the hidden cases, as the process of the code reads it."""
    watching: Any = Watching()
    with pytest.raises(Seen):
        grade_code(pack, "", watching)
    data = next(iter(watching.job.to_frames()))
    return next(iter(split(data, Bounds(header=4 << 20, body=64 << 20))))


def numbers_in(plain: object) -> Iterator[float]:
    if isinstance(plain, dict):
        for key, value in plain.items():
            yield from () if key == "source" else numbers_in(value)
    elif isinstance(plain, list):
        for value in plain:
            yield from numbers_in(value)
    elif isinstance(plain, int | float) and not isinstance(plain, bool):
        yield plain


def readable_numbers(frame: Frame) -> set[int]:
    """Return the whole numbers that are as good as seeds: themselves, their parts, their bits."""
    numbers = list(numbers_in(json.loads(json.dumps(frame.header))))
    cells = [array.ravel() for array in frame.arrays.values() if array.dtype.kind in "iuf"]
    numbers += [float(cell) for cell in np.concatenate(cells)[:MOST_NUMBERS]] if cells else []
    whole: set[int] = set()
    for number in numbers:
        if math.isfinite(number):
            whole |= {abs(int(number)), abs(int(number)) & 0xFFFFFFFF}
            whole.add(int(np.float64(number).view(np.uint64)))
    return whole


def draw(slug: str, seed: int) -> tuple[Case, ...]:
    """Draw the cases of a shipped exercise, as the authors' sandbox does."""
    cases = runpy.run_path(str(FOLDERS[slug] / "cases.py"))["cases"]
    return tuple(cases(np.random.default_rng(seed)))


def digests(cases: Iterable[Case]) -> list[str]:
    return [digest_of_call(case) for case in cases if not case.shown]


@pytest.mark.sandbox
@pytest.mark.covering(most=7)
@pytest.mark.parametrize("slug", SLUGS)
def test_no_readable_number_draws_the_hidden_cases(slug: str) -> None:
    cases = draw(slug, SEED)
    pack = replace(shared_pack(slug), seed=SEED, cases=cases)
    numbers = readable_numbers(first_frame(pack))
    assert len(numbers) > 2
    hidden = digests(cases)
    assert [number for number in numbers if digests(draw(slug, number)) == hidden] == []


@pytest.mark.sandbox
def test_two_gradings_have_nothing_of_a_seed_in_common() -> None:
    pack = shared_pack("alibi-slopes")
    seeds = {first_frame(pack).header["seed"] for _ in range(20)}
    assert len(seeds) == 20
    assert pack.seed not in seeds


def observed(
    slug: str, cases: Sequence[Case], seed: int, author: Sandbox
) -> tuple[Observation | None, ...]:
    definition = definition_of(slug)
    job = Job(
        definition.reference,
        definition.name,
        tuple(cases),
        definition.library,
        seed,
        definition.limits,
        below=definition.below,
    )
    return read_run(author.run(job), cases).observations


@pytest.mark.sandbox
@pytest.mark.slow
@pytest.mark.covering(most=5)
@pytest.mark.parametrize("slug", SLUGS)
def test_no_expected_array_depends_on_the_seed_of_the_run(slug: str) -> None:
    pack, author = shared_pack(slug), shared_sandbox("author")
    untimed = [place for place, case in enumerate(pack.cases) if case.probe != "time"]
    cases = [pack.cases[place] for place in untimed]
    for seed in (11, 2**61 + 5):
        for place, got in zip(untimed, observed(slug, cases, seed, author), strict=True):
            assert got is not None
            assert same_observation(pack.expected[place], got, pack.entry.tolerance), pack.cases[
                place
            ].label
