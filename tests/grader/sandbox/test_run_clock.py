"""The clock of a run: computing and sleeping count, a busy machine does not, and no code bends it.

The busy machine is one processor with several loops on it, so that the others need not suffer.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path

import pytest

from quizzes.grader.definitions.case_pack_builder import build_case_pack
from quizzes.grader.errors import MachineTooBusy
from quizzes.grader.protocol.job import Death, Ending, Limits, Sandbox
from quizzes.grader.protocol.read_results import read_run
from quizzes.grader.sandbox import conversation
from quizzes.grader.sandbox.factory import RoutedSandbox, open_sandbox
from quizzes.grader.sandbox.profiles import NUMPY
from quizzes.grader.sandbox.run_clock import RunClock
from quizzes.grader.sandbox.supervisor import Supervisor
from tests.grader.programs import ADD, assert_serves, job
from tests.grader.shipped import COURSE, assert_correct, definition
from tests.strangers.programs import right_programs

pytestmark = [pytest.mark.sandbox, pytest.mark.races]

RIVALS = 3
LOOP = "import os\nparent = os.getppid()\nwhile os.getppid() == parent: pass"  # left alone, it ends
CROWD = (
    f"import os, sys; os.sched_setaffinity(0, map(int, sys.argv[1:])); os.write(1, b'!')\n{LOOP}"
)
LIMIT = Limits(wall_seconds=0.5)
PATIENCE = 30
MANY, TIMES = 40, 20  # loops, and how often each program runs beside them
STOPPED_WITHIN = 0.3  # seconds of the clock, from the limit on
EXERCISES = sorted(path.name for path in (COURSE / "exercises").iterdir() if path.is_dir())
COMPUTES = """
import time
def f(x):
    end = time.process_time() + x
    while time.process_time() < end: pass
    return x
"""

ENDS_LATE = """
import os, time
def f(x):
    os.close(3)
    end = time.process_time() + x
    while time.process_time() < end: pass
    os._exit(5)
"""


@pytest.fixture(scope="module")
def processor() -> int:
    return max(os.sched_getaffinity(0))


@pytest.fixture(scope="module")
def pinned(processor: int) -> Iterator[Supervisor]:
    """A sandbox whose children share one processor; this process may use all."""
    supervisor = Supervisor(NUMPY)
    supervisor.start()
    os.sched_setaffinity(supervisor.server_pid, [processor])
    supervisor.run(job(ADD, 1, limits=LIMIT))  # what was made before has other limits: it goes
    yield supervisor
    supervisor.close()


@pytest.fixture(scope="module")
def students() -> Iterator[RoutedSandbox]:
    with open_sandbox("student") as sandbox:
        assert isinstance(sandbox, RoutedSandbox)
        yield sandbox


@contextmanager
def crowded(count: int, *processors: int) -> Iterator[None]:
    """The processors are shared with so many loops, each in a session of its own.

    The kernel shares a processor out to sessions first (autogroup).
    """
    command = [sys.executable, "-S", "-c", CROWD, *map(str, processors)]
    loops = [
        subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True)
        for _ in range(count)
    ]
    try:
        for loop in loops:
            assert loop.stdout is not None
            loop.stdout.read(1)
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.communicate()


@contextmanager
def watched(code: str) -> Iterator[tuple[RunClock, subprocess.Popen[bytes]]]:
    """A process that begins to run code now, and its clock."""
    words = [sys.executable, "-S", "-c", f"input(); import os, time\n{code}"]
    process = subprocess.Popen(words, stdin=subprocess.PIPE)
    pidfd = os.pidfd_open(process.pid)
    clock = RunClock(pidfd)
    try:
        assert process.stdin is not None
        process.stdin.write(b"\n")
        process.stdin.flush()
        yield clock, process
    finally:
        clock.close()
        os.close(pidfd)
        process.kill()
        process.communicate()


@contextmanager
def on_processor(number: int) -> Iterator[None]:
    """This thread alone, or sharing the processor with who was put there."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, [number])
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def give_way(seconds: float) -> None:
    """Wants the processor all the time, and computes next to nothing."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        os.sched_yield()


def give_way_until_others_had(seconds: float) -> float:
    """Wants the processor until others have had it for so long; the seconds it had it itself.

    How the kernel shares a processor out is no promise: of four that want it one may have half.
    """
    started, before = time.perf_counter(), time.thread_time()
    while time.perf_counter() - started - (time.thread_time() - before) < seconds:
        assert time.perf_counter() - started < PATIENCE, "nobody else wants the processor"
        os.sched_yield()
    return time.thread_time() - before


def used_up(clock: RunClock, limit: float) -> float:
    """Waits until the clock says that the limit is reached; the seconds it took.

    What this thread waited for a processor is not among them: on a busy machine it wakes up late.
    """
    started, before = time.perf_counter(), wait_of_this_thread()
    while left := clock.left(limit):
        assert time.perf_counter() - started < PATIENCE, "it never ends"
        time.sleep(left)
    return time.perf_counter() - started - (wait_of_this_thread() - before)


def wait_of_this_thread() -> float:
    """The seconds for which it has waited for a processor so far, by the kernel."""
    return int(Path("/proc/thread-self/schedstat").read_text().split()[1]) / 1e9


def processor_seconds(process: int) -> float:
    return int(Path(f"/proc/{process}/schedstat").read_text().split()[0]) / 1e9


def test_a_computation_beside_loops_is_given_its_seconds(
    pinned: Supervisor, processor: int
) -> None:
    asked = job(COMPUTES, 0.15, 0.15, limits=LIMIT)
    with crowded(RIVALS, processor):
        run = pinned.run(asked)
    assert run.ending is Ending.FINISHED, run
    assert run.in_time is None
    assert run.seconds + run.waited > LIMIT.wall_seconds, "not busy, so nothing was shown"


@pytest.mark.soak
@pytest.mark.torch
@pytest.mark.parametrize("slug", EXERCISES)
def test_no_right_program_is_refused_beside_forty_loops(
    slug: str, author: Sandbox, students: RoutedSandbox
) -> None:
    """The reference and every right program of strangers; a refused one does not hide the next.

    Without a machine that is busy nothing would be shown, so the waiting is added up.
    """
    asked = definition(slug)
    pack = build_case_pack(asked, author, seed=5)
    right = {"the reference": asked.reference}
    right |= {
        f"{program.name} ({number})": program.source
        for number, program in enumerate(right_programs(slug))
    }
    assert len(right) >= 3
    for source in right.values():
        assert_correct(pack, source, students)
    refused, counted, waited = [], 0.0, 0.0
    with crowded(MANY, *os.sched_getaffinity(0)):
        for turn, (name, source) in product(range(TIMES), right.items()):
            try:
                report = assert_correct(pack, source, students)
            except (AssertionError, MachineTooBusy) as error:
                refused.append(f"{name}, turn {turn}: {error or 'not correct'}")
            else:
                counted += report.seconds
                waited += report.all_seconds - report.seconds
    assert refused == []
    assert waited > 2 * counted, "not busy, so nothing was shown"


@pytest.mark.soak
@pytest.mark.parametrize("turn", range(TIMES))
def test_half_of_the_limit_may_be_computed_beside_forty_loops(
    turn: int, students: RoutedSandbox
) -> None:
    asked = job(COMPUTES, 0.45, 0.45)
    with crowded(MANY, *os.sched_getaffinity(0)):
        run = students.run(asked)
    assert (run.ending, run.in_time) == (Ending.FINISHED, None)
    assert run.seconds + run.waited > asked.limits.wall_seconds, "not busy, so nothing was shown"


@pytest.mark.covering
@pytest.mark.parametrize(
    "source",
    [
        "import os\ndef f(x):\n    while True: os.sched_yield()",  # 45 s beside rivals: at night
        "def f(x):\n    while True: pass",
        "import time\ndef f(x):\n    while True: time.sleep(1e-9)",
        "import time\ndef f(x):\n    time.sleep(60)",
        "import os\ndef f(x):\n    while True: os.write(3, b'')",
    ],
    ids=["yields", "computes", "naps", "sleeps", "writes nothing"],
)
@pytest.mark.parametrize("rivals", [0, RIVALS])
def test_code_that_does_not_end_is_stopped_at_the_limit_of_the_clock(
    pinned: Supervisor, processor: int, source: str, rivals: int
) -> None:
    asked = job(source, 1, limits=LIMIT)
    with crowded(rivals, processor):
        run = pinned.run(asked)
    assert run.ending is Ending.FINISHED, "it was stopped, and said where"
    assert run.in_time is not None
    assert LIMIT.wall_seconds <= run.seconds < LIMIT.wall_seconds + STOPPED_WITHIN
    stopped = read_run(run, asked.cases).stopped
    assert stopped is not None
    assert stopped.line == source.count("\n") + 1


def test_code_that_sleeps_holds_a_worker_no_longer_on_a_busy_machine(
    pinned: Supervisor, processor: int
) -> None:
    with crowded(RIVALS, processor):
        run = pinned.run(job("import time\ndef f(x): time.sleep(60)", 1, limits=LIMIT))
    assert run.ran_out_of_time
    assert run.seconds + run.waited < 3 * LIMIT.wall_seconds  # loading waits its turn, no more


def test_a_wait_that_goes_on_is_seen(processor: int) -> None:
    """The kernel counts a wait when it is over: one long wait must not look like computing."""
    limit, patience = 0.1, 0.8
    with watched(LOOP) as (clock, process), watched(LOOP) as (_, rival):
        for one in (process, rival):
            os.sched_setaffinity(one.pid, [processor])
        os.sched_setscheduler(process.pid, os.SCHED_IDLE, os.sched_param(0))  # waits for a second
        time.sleep(0.2)
        before = processor_seconds(process.pid)
        clock.start()
        end = time.perf_counter() + patience
        while (left := clock.left(limit)) and time.perf_counter() < end:
            time.sleep(left)
        ran = processor_seconds(process.pid) - before
    assert left or ran > limit / 2
    assert ran < patience / 2, "it had the processor, so nothing was shown"


def test_a_wait_that_began_before_the_start_is_not_given_whole(processor: int) -> None:
    with watched(LOOP) as (clock, process), watched(LOOP) as (_, rival):
        for one in (process, rival):
            os.sched_setaffinity(one.pid, [processor])
        os.sched_setscheduler(process.pid, os.SCHED_IDLE, os.sched_param(0))
        time.sleep(0.4)
        clock.start()
        before = processor_seconds(process.pid)
        rival.kill()
        end = time.perf_counter() + PATIENCE
        ran = 0.0
        while ran < 0.05 and time.perf_counter() < end:  # others may have the processor still
            time.sleep(0.02)
            ran = processor_seconds(process.pid) - before
        assert clock.seconds() > ran - 0.01 > 0


def test_short_sleeps_are_not_given_what_waking_up_costs() -> None:
    before = wait_of_this_thread()
    with watched("while True: time.sleep(1e-9)") as (clock, process):
        used_up(clock, 0.5)
        _, waited, turns = Path(f"/proc/{process.pid}/schedstat").read_text().split()
        ours = wait_of_this_thread() - before
        allowed = clock.waited()
    assert int(turns) > 500, "it hardly slept"
    assert allowed <= max(0.0, int(waited) / 1e9 - 40e-6 * int(turns)) + ours


def test_what_this_side_computes_is_not_given_to_the_code(processor: int) -> None:
    """Else code could make us read, byte by byte, on the processor that it waits for."""
    with watched(LOOP) as (clock, process):
        os.sched_setaffinity(process.pid, [processor])
        before = wait_of_this_thread()
        with on_processor(processor):
            end = time.thread_time() + 0.3
            while time.thread_time() < end:
                pass
            ran = processor_seconds(process.pid)
            allowed = clock.waited()
            ours = wait_of_this_thread() - before
            _, waited, _ = Path(f"/proc/{process.pid}/schedstat").read_text().split()
    others = max(0.0, ours - ran)  # computed while this side waited as well: that is allowed
    assert int(waited) / 1e9 > 0.2, "it did not wait for us"
    assert allowed <= max(0.0, int(waited) / 1e9 - 0.25) + others  # it waits a little after us


def test_code_that_waits_for_this_side_does_not_pay_for_what_this_side_waits_for(
    processor: int,
) -> None:
    """Between shown and hidden cases it sleeps until we have read what it sent, and answered.

    What this side computes counts twice here: as wall time, and off what a child waits for.
    """
    beside = crowded(RIVALS, processor)
    with watched("time.sleep(60)") as (clock, _), beside, on_processor(processor):
        clock.start()
        ours = give_way_until_others_had(0.3)
        counted = clock.seconds()
    assert counted < 2 * ours + 0.1


def test_code_gains_no_sleep_by_computing_where_this_side_waits(processor: int) -> None:
    code = "end = time.process_time() + 0.3\nwhile time.process_time() < end: pass\ntime.sleep(60)"
    with watched(code) as (clock, process):
        os.sched_setaffinity(process.pid, [processor])
        with on_processor(processor):
            clock.start()
            before, ours = processor_seconds(process.pid), time.thread_time()
            give_way(0.4)
            ran, ours = processor_seconds(process.pid) - before, time.thread_time() - ours
            time.sleep(0.2)
            _, waited, _ = Path(f"/proc/{process.pid}/schedstat").read_text().split()
            given = clock.waited()
    others = max(0.0, 0.4 - ran - ours)  # who had that processor while we wanted it
    assert given < others + int(waited) / 1e9 + 0.1


def test_the_clock_of_a_process_that_is_gone_goes_on() -> None:
    with watched("pass") as (clock, process):
        process.wait()  # its number is free from now on
        assert used_up(clock, 0.3) < 0.4
        assert clock.seconds() >= 0.3
        pidfd = os.open("/dev/null", os.O_RDONLY)  # which has no number at all
        late = RunClock(pidfd)
        os.close(pidfd)
        assert (late.waited(), late._files) == (0.0, ())


def test_where_the_kernel_does_not_tell_all_wall_time_counts(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, processor: int
) -> None:
    """A kernel without schedstat says 0 0 0, of a process that computes as of any other."""
    silent = tmp_path / "schedstat"
    silent.write_text("0 0 0\n")
    with watched(LOOP) as (clock, process), crowded(1, processor):
        os.sched_setaffinity(process.pid, [processor])
        with silent.open() as file:
            os.dup2(file.fileno(), clock._files[0], inheritable=False)
        clock.start()
        assert used_up(clock, 0.3) < 0.4
        assert clock.waited() == 0.0


def test_how_code_ended_is_known_however_long_it_waits_for_its_end(
    pinned: Supervisor, processor: int
) -> None:
    """Else code that the machine killed would have closed its result channel and lived on."""
    with crowded(RIVALS, processor):
        run = pinned.run(job(ENDS_LATE, 0.15, limits=LIMIT))
    assert (run.ending, run.death) == (Ending.DIED, Death(exit_code=5))


def test_a_machine_that_is_too_busy_is_our_failure_and_costs_no_fork_server(
    pinned: Supervisor, processor: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = pinned.server_pid
    with crowded(RIVALS, processor), monkeypatch.context() as hasty:
        hasty.setattr(conversation, "HARD_END_SECONDS", 1.0)
        with pytest.raises(MachineTooBusy, match=r"too busy: the code waited [\d.]+ of 1 s"):
            pinned.run(job("def f(x):\n    while True: pass", 1, limits=LIMIT))
    assert_serves(pinned)
    assert pinned.server_pid == before
    assert pinned.restarts == 0, "starting another makes the machine busier"


def test_code_has_until_the_hard_end_to_reach_its_limit_and_no_longer(
    pinned: Supervisor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once the limit is reached it is the code's, whatever it does until the end."""
    monkeypatch.setattr(conversation, "HARD_END_SECONDS", LIMIT.wall_seconds + 0.1)
    deaf = "import signal, time\nsignal.signal(14, lambda *a: None)\nwhile True: time.sleep(9)"
    run = pinned.run(job(deaf, 1, limits=LIMIT))
    assert (run.ending, run.ran_out_of_time) == (Ending.TIME_LIMIT, True)
