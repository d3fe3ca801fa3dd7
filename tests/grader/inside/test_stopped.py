"""Code that is told to stop: what it still does afterwards does not count."""

import os
import signal
import threading
import time
from dataclasses import replace

import pytest

from quizzes.grader.inside.child import Results
from quizzes.grader.inside.failures import OutOfTime
from quizzes.grader.judge.case_pack import CasePack
from quizzes.grader.judge.judge import grade_code
from quizzes.grader.judge.report import Stage, Verdict
from quizzes.grader.protocol.job import Sandbox
from quizzes.grader.protocol.pairs import calls_of
from tests.grader.judge.judged import body
from tests.grader.programs import SHORT

pytestmark = [pytest.mark.sandbox, pytest.mark.races]

LAST_FLUSH = """
import sys, time
class Slow:
    count = 0
    def flush(self):
        Slow.count += 1
        if Slow.count > BEFORE:
            time.sleep(0.45)
sys.stdout = Slow()
"""


def last_flush(pack: CasePack) -> str:
    """Code that is slow after its last call: one flush a call, one after the shown cases."""
    paired = calls_of(pack.find_pairs(), pack.cases)
    calls = sum(case.graded for case in pack.cases) + sum(not call.looks_back for call in paired)
    return LAST_FLUSH.replace("BEFORE", str(calls + 1))


def hurried(pack: CasePack) -> CasePack:
    return replace(pack, entry=replace(pack.entry, limits=SHORT))


CATCHES = """
import time
def sleep(seconds):
    try:
        time.sleep(seconds)
    except BaseException:
        pass
"""


@pytest.mark.parametrize(
    ("seconds", "where", "reached"),
    [
        ("9 if n == 200 else 0", "return", "200 positions"),
        ("9", "return", "one position"),
        ("9", "module", None),
    ],
)
def test_catching_the_stop_and_going_on_is_still_the_limit(
    table_pack: CasePack, student: Sandbox, seconds: str, where: str, reached: str | None
) -> None:
    code = CATCHES + body(f"sleep({seconds})\n    return good(n, d, base)")
    if where == "module":
        code = CATCHES + "sleep(9)\n" + body("return good(n, d, base)")
    report = grade_code(hurried(table_pack), code, student)
    assert (report.verdict, report.limit) == (Verdict.LIMIT_REACHED, "time")
    assert report.first_fault is not None
    assert (report.first_fault.stage, report.first_fault.case) == (Stage.LIMIT, reached)


def test_ending_the_interpreter_when_stopped_is_still_the_limit(
    table_pack: CasePack, student: Sandbox
) -> None:
    code = CATCHES.replace("pass", "__import__('os')._exit(3)")
    code += body("sleep(9)\n    return good(n, d, base)")
    report = grade_code(hurried(table_pack), code, student)
    assert (report.verdict, report.limit) == (Verdict.LIMIT_REACHED, "time")


def test_rubbish_after_the_stop_does_not_make_late_results_count(
    table_pack: CasePack, student: Sandbox
) -> None:
    """Everything is returned between the stop and the end, then the stream is broken."""
    rubbish = "import os; os.write(3, b'rubbish'); time.sleep(9)"
    code = CATCHES + last_flush(table_pack).replace("time.sleep(0.45)", rubbish)
    code += "late = [9]\n" + body("sleep(late.pop() if late else 0)\n    return good(n, d, base)")
    report = grade_code(hurried(table_pack), code, student)
    assert (report.verdict, report.limit) == (Verdict.LIMIT_REACHED, "time")


def test_what_was_done_when_the_stop_came_counts(table_pack: CasePack, student: Sandbox) -> None:
    code = last_flush(table_pack) + body("return good(n, d, base)")
    report = grade_code(hurried(table_pack), code, student)
    assert report.verdict is Verdict.CORRECT
    assert report.seconds >= 0.35  # of 0.45 that it slept: a busy machine gives back a little


def test_a_stop_while_a_result_waits_for_its_reader_leaves_the_result_whole() -> None:
    """Otherwise what follows half a frame accuses the code of writing there itself."""
    frame = bytes(range(256)) * 4096
    reading, writing = os.pipe()
    received = bytearray()

    def stop_then_read() -> None:
        while not results._sending:
            time.sleep(0.001)
        os.kill(os.getpid(), signal.SIGALRM)
        while part := os.read(reading, 1 << 16):
            received.extend(part)

    results = Results(writing)
    reader = threading.Thread(target=stop_then_read)
    before = signal.getsignal(signal.SIGALRM)
    try:
        results.listen_for_the_limit()
        reader.start()
        with pytest.raises(OutOfTime):
            results.send(frame)
        results.send(b"where it was")
    finally:
        signal.signal(signal.SIGALRM, before)
        os.close(writing)
    reader.join()
    os.close(reading)
    assert bytes(received) == frame + b"where it was"
