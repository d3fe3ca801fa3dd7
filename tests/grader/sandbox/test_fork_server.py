"""The fork server's own life: what it is, its death, its successor."""

import errno
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import FrameType

import pytest

from quizzes.grader.errors import SandboxBroken, SandboxUnavailable
from quizzes.grader.protocol.job import Limits
from quizzes.grader.sandbox import conversation
from quizzes.grader.sandbox import supervisor as supervising
from quizzes.grader.sandbox.conversation import explain_death
from quizzes.grader.sandbox.fork_server import LEAST_FILES, Exit
from quizzes.grader.sandbox.profiles import NUMPY
from quizzes.grader.sandbox.seccomp import assemble, this_architecture
from quizzes.grader.sandbox.supervisor import Supervisor
from tests.grader.conftest import ROOT
from tests.grader.programs import ADD, assert_serves, job, kill_fork_server, while_it_runs
from tests.whole_site import children_of, is_running

pytestmark = [pytest.mark.sandbox, pytest.mark.races]

PATIENT = job("import time\ndef f(x): time.sleep(60)", 1, limits=Limits(wall_seconds=30))


@pytest.fixture(scope="module")
def breakable() -> Iterator[Supervisor]:
    supervisor = Supervisor(NUMPY)
    yield supervisor
    supervisor.close()


@pytest.fixture
def own(breakable: Supervisor) -> Supervisor:
    """A supervisor that the test may break; what the last one left whole it has as it is."""
    breakable._drop_successor()
    breakable._renew_after = 0.0
    breakable._jobs = 0
    if not breakable.server_pid:
        breakable.start()
    breakable.restarts = 0
    return breakable


def test_a_dead_fork_server_is_our_failure_and_heals(own: Supervisor) -> None:
    kill_fork_server(own)
    with pytest.raises(SandboxBroken):
        own.run(job(ADD, 1))
    assert_serves(own)
    assert own.restarts == 1


def test_a_fork_server_that_dies_under_a_job_is_our_failure(own: Supervisor) -> None:
    while_it_runs(own, lambda: os.kill(own.server_pid, signal.SIGKILL))
    with pytest.raises(SandboxBroken):
        own.run(PATIENT)
    assert_serves(own)


def test_code_that_somebody_else_kills_is_our_failure(own: Supervisor) -> None:
    def kill_children() -> None:
        for child in children_of(own.server_pid):
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)

    while_it_runs(own, kill_children)
    with pytest.raises(SandboxBroken, match=r"killed from outside|not locked down"):
        own.run(PATIENT)
    assert_serves(own)


def test_the_word_of_a_slow_fork_server_is_waited_for(own: Supervisor) -> None:
    """Else code that the machine killed would have "closed its result channel"."""

    def kill_children_slowly() -> None:
        os.kill(own.server_pid, signal.SIGSTOP)
        for child in children_of(own.server_pid):
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        time.sleep(conversation.EXIT_SECONDS * 2)
        os.kill(own.server_pid, signal.SIGCONT)

    assert_serves(own)
    time.sleep(0.5)  # its spare children are locked down
    while_it_runs(own, kill_children_slowly)
    with pytest.raises(SandboxBroken, match="killed from outside"):
        own.run(PATIENT)
    assert_serves(own)


def test_code_that_outlives_its_warning_ran_out_of_time() -> None:
    limits = Limits(wall_seconds=1)
    late = Exit(status=signal.SIGKILL, cpu_seconds=3.0)
    assert explain_death(late, limits) is None


def test_an_interrupted_run_leaves_a_sandbox_that_serves(own: Supervisor) -> None:
    class Interrupted(BaseException):
        pass

    def interrupt(_signal: int, _frame: FrameType | None) -> None:
        raise Interrupted

    previous = signal.signal(signal.SIGUSR1, interrupt)
    try:
        while_it_runs(own, lambda: os.kill(os.getpid(), signal.SIGUSR1))
        with pytest.raises(Interrupted):
            own.run(PATIENT)
    finally:
        signal.signal(signal.SIGUSR1, previous)
    assert_serves(own)


def test_the_fork_server_has_one_thread(student: Supervisor) -> None:
    status = Path(f"/proc/{student.server_pid}/status").read_text()
    assert "Threads:\t1\n" in status


def test_a_stopped_fork_server_is_our_failure(
    own: Supervisor, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert_serves(own)
    while len(own._server._pidfds) < supervising.SPARES:  # the spares are there already
        own._server._listen(20)
    os.kill(own.server_pid, signal.SIGSTOP)
    for _ in range(supervising.SPARES):
        own.run(job(ADD, 1))
    with monkeypatch.context() as hasty:
        hasty.setattr("quizzes.grader.sandbox.fork_server.SPAWN_SECONDS", 0.3)
        with pytest.raises(SandboxBroken, match="silent"):
            own.run(job(ADD, 1))
    assert_serves(own)


def test_the_fork_server_is_recycled_without_losing_a_job(
    own: Supervisor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervising, "USED_UP_AFTER", 5)
    first = own.server_pid
    deadline = time.monotonic() + 20
    while own.server_pid == first and time.monotonic() < deadline:
        assert_serves(own)
        time.sleep(0.02)
    assert own.server_pid != first
    assert own.restarts == 1
    assert not is_running(first)


def test_a_fork_server_due_for_renewal_is_replaced_when_nobody_waits(
    own: Supervisor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervising, "RENEW_AFTER_JOBS", 4)
    first = own.server_pid
    assert_serves(own)
    own.renew()
    assert own._successor is None, "it is not due yet"
    assert_serves(own)
    deadline = time.monotonic() + 20
    while own.server_pid == first and time.monotonic() < deadline:
        own.renew()
        time.sleep(0.02)
    assert own.server_pid != first
    assert not is_running(first)
    assert_serves(own)
    assert own.restarts == 1


def test_a_successor_that_dies_costs_nothing(
    own: Supervisor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervising, "RENEW_AFTER_JOBS", 1)
    first = own.server_pid
    assert_serves(own)
    own.renew()
    own._successor._process.kill()
    deadline = time.monotonic() + 20
    while own._successor is not None and time.monotonic() < deadline:
        own.renew()
        time.sleep(0.02)
    assert (own._successor, own.server_pid, own.restarts) == (None, first, 0)
    own.renew()
    assert own._successor is None, "it waits a while before it tries again"
    assert_serves(own)


def test_a_successor_that_dies_before_a_submission_costs_it_nothing(
    own: Supervisor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervising, "USED_UP_AFTER", 1)
    first = own.server_pid
    assert_serves(own)
    own._successor._process.kill()
    own._successor._process.wait()
    assert_serves(own)
    assert (own.server_pid, own.restarts) == (first, 0)


def test_a_successor_that_does_not_hold_ends_the_grading(
    own: Supervisor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervising, "RENEW_AFTER_JOBS", 1)

    def torn(run: object) -> None:
        raise SandboxUnavailable("The sandbox does not hold.", "Mend it.")

    monkeypatch.setattr(supervising, "self_test", torn)
    assert_serves(own)
    deadline = time.monotonic() + 20
    own.renew()
    while not own._successor.is_ready() and time.monotonic() < deadline:
        time.sleep(0.02)
    with pytest.raises(SandboxUnavailable, match="does not hold"):
        own.renew()
    assert own.server_pid == 0
    with pytest.raises(SandboxBroken, match="does not hold"):
        own.run(job(ADD, 1))


def test_left_alone_before_it_began_it_loads_nothing() -> None:
    """Bubblewrap was killed in its first milliseconds, before it tied what it started to itself."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    table = assemble(this_architecture()).hex()
    orders = {"filter": table, "readable": [], "preload": ["this"], "own_path": ""}
    with theirs:
        ours.send(json.dumps(orders).encode())
        ours.close()
        run = subprocess.run(
            [sys.executable, "-m", "quizzes.grader.inside.fork_server", str(theirs.fileno())],
            cwd=ROOT,
            pass_fds=[theirs.fileno()],
            capture_output=True,
            check=False,
        )
    assert (run.returncode, run.stdout, run.stderr) == (0, b"", b"")  # `this` prints a poem


def test_a_process_of_few_descriptors_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """A child would hear of a bad descriptor, and could not even say that."""
    few = (LEAST_FILES - 1, LEAST_FILES - 1)
    monkeypatch.setattr("resource.getrlimit", lambda _what: few)
    with pytest.raises(SandboxBroken, match=f"is limited to {few[0]}.*LimitNOFILE"):
        Supervisor(NUMPY).run(job(ADD))


def test_a_process_of_little_memory_is_told_so(
    own: Supervisor, monkeypatch: pytest.MonkeyPatch
) -> None:
    little = (700 << 20, 700 << 20)
    monkeypatch.setattr("resource.getrlimit", lambda _what: little)
    with pytest.raises(SandboxBroken, match=r"is limited to 700 MB.*LimitAS"):
        own.run(job(ADD, limits=Limits(memory_mb=4096)))


def test_descriptors_that_are_used_up_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def used_up() -> None:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    monkeypatch.setattr("quizzes.grader.sandbox.fork_server.open_control", used_up)
    with pytest.raises(SandboxBroken, match="Too many open files"):
        Supervisor(NUMPY).run(job(ADD))


def test_why_a_child_was_not_locked_down_is_told_by_its_pipe() -> None:
    """However early it fails: before it has a standard error its output pipe is what is heard."""
    reading, writing = os.pipe()
    script = (
        "from types import SimpleNamespace as Any; from quizzes.grader.inside.child import live;"
        f"live([99, {writing}, 98], 97, {{}}, Any(ruleset=96))"
    )
    with open(writing, "wb"):
        subprocess.run([sys.executable, "-c", script], cwd=ROOT, pass_fds=[writing], check=False)
    with open(reading, "rb") as heard:
        assert b"not confined: OSError(9" in heard.read()
