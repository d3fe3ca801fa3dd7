"""Programs that note their expressions give what they gave: every shipped and kept program."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from quizzes.grader.judge.case_pack import CasePack
from quizzes.grader.programs.xray.look_inside import plain_case, record_job, shown_cases
from quizzes.grader.protocol.case import OF_A_BUFFER, RETURNING
from quizzes.grader.protocol.job import Sandbox, Task
from quizzes.grader.protocol.observation import Observed
from quizzes.grader.protocol.read_results import read_run
from quizzes.grader.protocol.recording import read_recording
from tests.shipped_exercises.folders import (
    SLUGS,
    correct_solution,
    correct_solutions,
    definition_of,
    mistaken_solution,
    mistaken_solutions,
    variants,
)

pytestmark = pytest.mark.sandbox
PackOf = Callable[..., CasePack]


def programs() -> Iterator[tuple[str, str, str]]:
    """Yield exercise, name and text of every program that is kept."""
    for slug in SLUGS:
        yield slug, "reference", definition_of(slug).reference
    for slug, name in variants():
        yield slug, name, definition_of(slug).wrong[name].source
    for slug, name in correct_solutions():
        yield slug, f"correct/{name}", correct_solution(slug, name)
    for slug, mistake, name in mistaken_solutions():
        yield slug, f"{mistake}/{name}", mistaken_solution(slug, mistake, name)


SOURCES = {f"{slug} {name}": (slug, text) for slug, name, text in programs()}


@pytest.mark.covering(most=24)
@pytest.mark.parametrize("name", SOURCES)
def test_noted_program_gives_what_it_gave(name: str, pack_of: PackOf, student: Sandbox) -> None:
    slug, source = SOURCES[name]
    pack = pack_of(slug)
    case = shown_cases(pack.cases)[-1]
    job = record_job(source, case, pack.entry, seed=5, most_values=2)
    plain = student.run(replace(job, task=Task.RUN_CASES))
    noted = student.run(job)
    observed, recording = read_recording(noted, case, source)
    assert recording.expressions
    assert noted.stdout == plain.stdout
    assert _facts(observed) == _facts(read_run(plain, job.cases))


@pytest.mark.covering(most=4)
@pytest.mark.parametrize("slug", SLUGS)
def test_altering_probe_becomes_plain(slug: str, pack_of: PackOf, student: Sandbox) -> None:
    """One call with the arguments of the case, and the reference runs in it."""
    pack = pack_of(slug)
    for case in shown_cases(pack.cases):
        plain = plain_case(case)
        if case.probe in RETURNING:
            assert plain is case
            continue
        makes_alone = plain.init is not None and not plain.kwargs
        assert plain.probe == "parameters" if makes_alone else plain.probe in RETURNING
        assert plain.kwargs == {
            name: value for name, value in case.kwargs.items() if name not in OF_A_BUFFER
        }
        source = definition_of(slug).reference
        job = record_job(source, plain, pack.entry, seed=5, most_values=2)
        observed, recording = read_recording(student.run(job), plain, source)
        (observation,) = observed.observations
        assert observation is not None
        assert (observation.failure is not None) == case.raises
        assert recording.expressions


def _facts(observed: Observed) -> Any:
    (observation,) = observed.observations
    leaves = observation.leaves if observation else {}
    return (
        observed.ending,
        observed.load_failure,
        observation and observation.failure,
        {
            key: (leaf.kind, leaf.dtype, leaf.shape, _bytes(leaf.values))
            for key, leaf in leaves.items()
        },
    )


def _bytes(values: Any) -> bytes | None:
    return None if values is None else bytes(values.tobytes())
