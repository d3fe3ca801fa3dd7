"""What a waiting child does to be warm: real jobs, which must not fail, and leave nothing."""

import linecache
import sys

import pytest

from quizzes.grader.exchange import RESULT_BOUNDS
from quizzes.grader.inside.rehearsal import FILENAME, rehearse_plainly, rehearse_the_rest
from quizzes.grader.job import Ending, Run
from quizzes.grader.reading import read_run
from quizzes.grader.wire import split


def assert_done(sent: list[bytes], cases: int, raising: set[int]) -> None:
    frames = tuple(split(b"".join(sent), RESULT_BOUNDS))
    observed = read_run(Run(Ending.FINISHED, frames, b"", 0.0), cases)
    assert observed.loaded, observed.load_failure
    assert observed.ending is Ending.FINISHED, observed.detail
    failed = [seen.failure for seen in observed.observations if seen is not None]
    assert {place for place, failure in enumerate(failed) if failure} == raising, failed


@pytest.mark.parametrize("torch", [False, True])
def test_the_plain_one_succeeds(torch: bool) -> None:
    sent: list[bytes] = []
    rehearse_plainly(torch=torch, send=sent.append)
    assert_done(sent, 3, set())


def test_the_rest_raises_where_it_is_meant_to() -> None:
    sent: list[bytes] = []
    rehearse_the_rest(torch=False, send=sent.append)
    assert_done(sent, 1, {0})
    both: list[bytes] = []
    rehearse_the_rest(torch=True, send=both.append)
    module = both[len(sent) :]
    cases = len(module) - 2  # beside `loaded` and `end`
    assert cases > 10
    assert_done(module, cases, {cases - 1})


def test_it_leaves_nothing() -> None:
    main = sys.modules["__main__"]
    rehearse_plainly(torch=False)
    rehearse_the_rest(torch=False)
    assert sys.modules["__main__"] is main
    assert "submission" not in sys.modules
    assert FILENAME not in linecache.cache
