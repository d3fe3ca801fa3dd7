"""The fork server from outside: endings, limits, spares, recycling, its own death."""

import os
import subprocess
import sys
import threading
import time
from contextlib import closing

import numpy as np
import pytest

from quizzes.grader.errors import SandboxBroken, SandboxUnavailable
from quizzes.grader.protocol.case import Case
from quizzes.grader.protocol.job import Ending, Job, Limits
from quizzes.grader.protocol.read_results import read_run
from quizzes.grader.sandbox import supervisor
from quizzes.grader.sandbox.profiles import NUMPY
from quizzes.grader.sandbox.supervisor import Supervisor
from tests.grader.conftest import ROOT
from tests.grader.programs import ADD, SHORT, assert_serves, job, read, results
from tests.whole_site import is_running

pytestmark = pytest.mark.sandbox

SOON = 20  # seconds; code that nobody stops takes a minute, or for ever


def test_arrays_go_in_and_come_out(student: Supervisor) -> None:
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    (found,) = results(student, "def f(x): return x * 2", x)
    np.testing.assert_array_equal(found, x * 2)
    assert found.dtype == np.float32


def test_one_frame_per_case_survives_a_later_loop(student: Supervisor) -> None:
    source = "def f(x):\n    while x == 2: pass\n    return x"
    asked = job(source, 0, 1, 2, 3, limits=SHORT)
    run = student.run(asked)
    observed = read_run(run, asked.cases)
    assert [seen is not None for seen in observed.observations] == [True, True, False, False]
    assert observed.stopped is not None
    assert observed.stopped.line == 2
    assert run.seconds < SOON


@pytest.mark.parametrize(
    ("source", "ending"),
    [
        ("import os\ndef f(x): os._exit(0)", Ending.DIED),
        ("import os\ndef f(x): os._exit(97)", Ending.DIED),
        ("import os\ndef f(x): os.abort()", Ending.DIED),
        ("import ctypes\ndef f(x): ctypes.string_at(0)", Ending.DIED),
        ("import os, time\ndef f(x): os.close(3); time.sleep(60)", Ending.DIED),
        ("import os\ndef f(x): os.write(3, b'x' * 99)", Ending.GARBLED),
        ("def f(x):\n  for _ in range(99): print('x' * (1 << 16))", Ending.OUTPUT_LIMIT),
        ("import os\ndef f(x):\n  while True: os.write(3, bytes(1 << 20))", Ending.RESULT_LIMIT),
    ],
)
def test_bad_ends_are_the_codes_own(student: Supervisor, source: str, ending: str) -> None:
    before = student.server_pid
    run = student.run(job(source, 1, limits=Limits(wall_seconds=SOON)))
    assert run.ending == ending
    assert run.seconds < SOON
    assert_serves(student)
    assert student.server_pid == before


def test_code_that_is_deaf_to_its_warning_is_ended(student: Supervisor) -> None:
    before = student.server_pid
    deaf = "import signal, time\nsignal.signal(14, lambda *a: None)\nwhile True: time.sleep(9)"
    run = student.run(job(deaf, 1, limits=SHORT))
    assert run.ending is Ending.TIME_LIMIT
    assert run.seconds < SOON
    assert_serves(student)
    assert student.server_pid == before


def test_the_sleeping_line_is_named(student: Supervisor) -> None:
    source = "import time\ndef f(x):\n    time.sleep(60)"
    stopped = read(student, job(source, 1, limits=SHORT)).stopped
    assert stopped is not None
    assert (stopped.time, stopped.line) == (True, 3)


def test_swallowing_the_warning_does_not_help(student: Supervisor) -> None:
    source = "def f(x):\n  while True:\n    try: time.sleep(9)\n    except BaseException: pass"
    run = student.run(job(f"import time\n{source}\nf(1)", 1, limits=SHORT))
    assert run.ending is Ending.TIME_LIMIT
    assert run.seconds < SOON
    assert_serves(student)


def test_memory_is_limited(student: Supervisor) -> None:
    observed = read(student, job("def f(x): return bytearray(700 << 20)", 1))
    (seen,) = observed.observations
    assert seen is not None
    assert seen.failure is not None
    assert seen.failure.memory
    assert_serves(student)


def test_an_exercise_may_have_more_memory(student: Supervisor) -> None:
    wide = Limits(memory_mb=900)
    source = "import numpy as np\ndef f(x): return np.empty(700 << 20, np.uint8).size"
    observed = read(student, job(source, 1, limits=wide))
    assert observed.observations[0] is not None
    assert observed.observations[0].failure is None
    assert_serves(student)


def test_only_shown_cases_are_heard(student: Supervisor) -> None:
    source = "import sys\nprint('loading')\ndef f(x):\n  print('case', x); sys.stderr.write('!')"
    cases = tuple(Case(str(x), {"x": x}, shown=x in (1, 3)) for x in range(5))
    run = student.run(Job(source, "f", cases))
    assert run.ending is Ending.FINISHED
    assert run.stdout.decode() == "loading\ncase 1\n!case 3\n!"


def test_output_is_kept_up_to_a_cap(student: Supervisor) -> None:
    run = student.run(job("def f(x): print('y' * 200_000)", 1))
    assert run.ending is Ending.FINISHED
    assert run.stdout == b"y" * (64 << 10)


def test_cases_do_not_share_random_numbers(student: Supervisor) -> None:
    source = "import numpy as np, random\ndef f(x): return np.random.rand() + random.random()"
    first, second = results(student, source, 0, 0)
    assert first != second
    assert results(student, source, 0, 0) == [first, second]


def test_inputs_are_fresh_for_every_call(student: Supervisor) -> None:
    x = np.zeros(3)
    observed = read(student, job("def f(x):\n  x += 1\n  return x", x, x))
    for seen in observed.observations:
        assert seen is not None
        np.testing.assert_array_equal(seen.leaves["out"].values, [1, 1, 1])
        assert seen.leaves["changed.x"].values == np.True_
    assert x.sum() == 0


def test_a_large_job_and_a_large_result_travel(student: Supervisor) -> None:
    x = np.random.default_rng(0).normal(size=(1000, 1000))
    (found,) = results(student, "def f(x): return x", x)
    np.testing.assert_array_equal(found, x)


def test_two_threads_take_turns(student: Supervisor) -> None:
    answers: list[float] = []

    def work() -> None:
        for value in range(5):
            answers.append(float(results(student, ADD, value)[0]))

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == sorted([1.0, 2.0, 3.0, 4.0, 5.0] * 3)


CLOSING = """
import os
from quizzes.grader.sandbox.profiles import NUMPY
from quizzes.grader.sandbox.supervisor import Supervisor
from tests.grader.programs import assert_serves
before = len(os.listdir("/proc/self/fd"))
supervisor = Supervisor(NUMPY)
supervisor.start()
assert_serves(supervisor)
print(supervisor.server_pid)
supervisor.close()
supervisor.close()
assert len(os.listdir("/proc/self/fd")) == before, os.listdir("/proc/self/fd")
"""


def test_closing_leaves_nothing_behind() -> None:
    """In a process of its own: threads of this one open and close descriptors of their own."""
    done = subprocess.run(
        [sys.executable, "-c", CLOSING], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert not is_running(int(done.stdout))


def test_a_fork_server_outlives_the_thread_that_started_it() -> None:
    """bubblewrap dies with the thread of its parent; that is a shell, and no thread of ours."""
    supervisor = Supervisor(NUMPY)
    try:
        thread = threading.Thread(target=supervisor.start)
        thread.start()
        thread.join()
        assert_serves(supervisor)
        time.sleep(0.5)
        assert_serves(supervisor)
        assert supervisor.restarts == 0
    finally:
        supervisor.close()


def wait_for(own: Supervisor) -> None:
    deadline = time.monotonic() + 60
    own.start_soon()
    while not own.can_run_soon():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_self_test_keeps_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """It runs in a thread of its own, and one fork server is started, not two."""
    tested, go_on = list[threading.Thread](), threading.Event()

    def test(_run: object) -> None:
        tested.append(threading.current_thread())
        assert go_on.wait(SOON)

    monkeypatch.setattr(supervisor, "self_test", test)
    with closing(Supervisor(NUMPY)) as own:
        own.start_soon()
        while not tested:
            assert not own.can_run_soon()
            time.sleep(0.01)
        assert not own.can_run_soon()
        go_on.set()
        wait_for(own)
        assert_serves(own)
        assert own.restarts == 0
    assert tested[0] is not threading.current_thread()
    assert len(tested) == 1


def test_next_job_names_the_failed_self_test(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_run: object) -> None:
        raise SandboxUnavailable("submitted code could write a file.", "Run a check.")

    monkeypatch.setattr(supervisor, "self_test", fail)
    with closing(Supervisor(NUMPY)) as own:
        wait_for(own)
        with pytest.raises(SandboxBroken, match="could write a file"):
            own.run(job(ADD, 1))
        monkeypatch.undo()
        assert_serves(own)


def test_many_jobs_leak_no_descriptor(student: Supervisor) -> None:
    assert_serves(student)
    before = open_descriptors()
    for value in range(30):
        student.run(job(ADD, value))
        student.run(job("import os\ndef f(x): os._exit(1)", value))
    assert open_descriptors() - before < 30  # others of this process open some meanwhile


def open_descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))
