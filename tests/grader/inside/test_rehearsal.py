"""What a waiting child does to be warm: real jobs, which must not fail, and leave nothing."""

import linecache
import sys
from dataclasses import replace

import pytest

from quizzes.grader.inside.rehearsal import (
    FILENAME,
    _module_job,
    _plain_job,
    _raising_job,
    rehearse_plainly,
    rehearse_the_rest,
)
from quizzes.grader.protocol.case import Case, decode_cases
from quizzes.grader.protocol.job import Ending, Run, count_shown
from quizzes.grader.protocol.read_results import read_run
from quizzes.grader.protocol.wire import Bounds, decode, encode, split
from quizzes.grader.sandbox.conversation import RESULT_BOUNDS


def cases_of(job: bytes) -> list[Case]:
    """In a rehearsal all are in the first frame, where those are that a student sees."""
    return [replace(case, shown=True) for case in decode_cases(decode(job, Bounds()))]


def assert_done(sent: list[bytes], cases: list[Case], raising: set[int]) -> None:
    shown = 2 + count_shown(cases)  # after `parsed` and `loaded`; a timed case needs no asking
    asks = [] if shown == 2 + len(cases) else [encode({"kind": "hidden"})]
    stream = b"".join([*sent[:shown], *asks, *sent[shown:]])
    frames = tuple(split(stream, RESULT_BOUNDS))
    observed = read_run(Run(Ending.FINISHED, frames, b"", 0.0), cases)
    assert observed.loaded, observed.load_failure
    assert observed.ending is Ending.FINISHED, observed.detail
    failed = [seen.failure for seen in observed.observations if seen is not None]
    assert {place for place, failure in enumerate(failed) if failure} == raising, failed


@pytest.mark.parametrize("torch", [False, pytest.param(True, marks=pytest.mark.torch)])
def test_the_plain_one_succeeds(torch: bool) -> None:
    sent: list[bytes] = []
    rehearse_plainly(torch=torch, send=sent.append)
    assert_done(sent, cases_of(_plain_job(torch)), set())


def test_the_rest_raises_where_it_is_meant_to() -> None:
    sent: list[bytes] = []
    rehearse_the_rest(torch=False, send=sent.append)
    assert_done(sent, cases_of(_raising_job()), {0})
    both: list[bytes] = []
    rehearse_the_rest(torch=True, send=both.append)
    cases = cases_of(_module_job())
    assert len(cases) > 10
    assert_done(both[len(sent) :], cases, {0})


def test_it_leaves_nothing() -> None:
    main = sys.modules["__main__"]
    rehearse_plainly(torch=False)
    rehearse_the_rest(torch=False)
    assert sys.modules["__main__"] is main
    assert "submission" not in sys.modules
    assert FILENAME not in linecache.cache
