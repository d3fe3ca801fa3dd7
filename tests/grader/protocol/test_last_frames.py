"""Where time counts: whatever came of the timed case is said after all else that is wrong."""

from dataclasses import replace

import numpy as np
import pytest

from quizzes.grader.judge.case_pack import CasePack
from quizzes.grader.judge.judge import grade_code
from quizzes.grader.judge.report import Stage, Verdict
from quizzes.grader.protocol.job import Ending, Job, Run
from quizzes.grader.protocol.wire import encode
from tests.grader.judge.judged import assert_sound
from tests.grader.protocol.test_forged_frames import (
    EXPECTED,
    IN_TIME,
    NO,
    frames_of,
    number,
    stream_of,
    told_frame,
)

pytestmark = pytest.mark.races

SLOW = 1.9
OUT_OF_MEMORY = {"rung": "returned", "type": "MemoryError", "memory": True}


def pack(*, identify: bool) -> CasePack:
    """Value cases, of which two can name a mistake, and one timed case of 10 ms."""
    kept = IN_TIME.keep([*[True] * 3, *[False] * 4, True])
    if not identify:
        kept = replace(kept, cases=tuple(replace(case, identify=False) for case in kept.cases))
    expected = (
        *kept.expected[:-1],
        replace(kept.expected[-1], leaves={"seen.seconds": number(0.01)}),
    )
    return replace(kept, expected=expected)


class Told:
    """A sandbox whose code gives `outs` (None: no memory left) and then ends, or is slow."""

    def __init__(self, *outs: np.ndarray | None, ending: Ending = Ending.FINISHED) -> None:
        self.outs, self.ending = outs, ending

    def run(self, job: Job) -> Run:
        sent = {}
        for index, case in enumerate(job.cases):
            if case.probe == "time":
                if self.ending is Ending.FINISHED:
                    sent[index] = told_frame(index, {"seen.seconds": np.asarray(SLOW)})
            elif self.outs[index] is None:
                header = {"kind": "case", "index": index, "failure": OUT_OF_MEMORY, "leaves": []}
                sent[index] = encode(header)
            else:
                sent[index] = told_frame(index, {"out": self.outs[index], "changed.x": NO})
        frames = frames_of(stream_of(job.cases, sent))
        whole = frames if self.ending is Ending.FINISHED else frames[:-1]
        return Run(self.ending, whole, b"", 0.5, "exit code 0")


RIGHT, WRONG, MISTAKEN = EXPECTED, EXPECTED + 1, -EXPECTED
ENDINGS = [Ending.FINISHED, Ending.DIED, Ending.TIME_LIMIT, Ending.MEMORY_LIMIT]


@pytest.mark.parametrize("ending", ENDINGS)
def test_wrong_values_and_known_mistakes_are_said_first(ending: Ending) -> None:
    wrong = grade_code(pack(identify=False), "", Told(WRONG, WRONG, WRONG, ending=ending))
    assert wrong.verdict is Verdict.WRONG
    known = grade_code(pack(identify=True), "", Told(MISTAKEN, MISTAKEN, MISTAKEN, ending=ending))
    assert known.verdict is Verdict.KNOWN_MISTAKE
    for report in (wrong, known):
        assert report.first_fault is not None
        assert (report.first_fault.stage, report.first_fault.case) == (Stage.VALUES, "0")
        assert not report.cases[-1].passed
        assert_sound(report)


def test_a_limit_elsewhere_is_said_before_slowness() -> None:
    report = grade_code(pack(identify=False), "", Told(RIGHT, None, RIGHT))
    assert (report.verdict, report.limit) == (Verdict.LIMIT_REACHED, "memory")
    assert report.first_fault is not None
    assert (report.first_fault.stage, report.first_fault.case) == (Stage.LIMIT, "1")
    slow = grade_code(pack(identify=False), "", Told(RIGHT, RIGHT, RIGHT))
    assert (slow.verdict, slow.limit) == (Verdict.LIMIT_REACHED, "speed")


@pytest.mark.parametrize(
    ("ending", "verdict"),
    [(Ending.DIED, Verdict.COULD_NOT_RUN), (Ending.MEMORY_LIMIT, Verdict.LIMIT_REACHED)],
)
def test_what_came_of_the_timed_case_is_said_when_all_else_is_right(
    ending: Ending, verdict: Verdict
) -> None:
    report = grade_code(pack(identify=True), "", Told(RIGHT, RIGHT, RIGHT, ending=ending))
    assert report.verdict is verdict
    assert report.first_fault is not None
    assert report.first_fault.case == "time"
    assert_sound(report)
