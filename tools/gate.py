"""Run all that must pass, in lanes, and print what each lane cost; `make test` calls it.

Two processors are kept busy by five lanes at once: checks of the code, tests on PostgreSQL, and
tests on SQLite in three lanes of about the same length, of which the first waits for browsers. Each
is one process with the files of its rooms: three processes that share all files would each collect
all tests, which takes 22 seconds of the processor, and start a site and a browser of their own.

Then comes what is timed, races or kills, in four lanes. These wait most of the time, for leases,
signals and limits of a second or more, and use a third of one processor each, so two lanes that
compute may be left. Those give way (`nice`): of equal weight, they gave each run of two a second
try. Next to all lanes of the first phase, which want more than two processors, races would say more
about the machine than about the code.

A lane's processes are counted when they end, so its processor seconds are those of all its
children. The lanes' output is kept and shown in one piece, the lane's budget at the very end.
Everything a lane starts is below this process: what loses its parent is handed to us by the
kernel, and ended.
"""

import argparse
import ctypes
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage, struct_rusage

from with_postgres import postgres

ROOT = Path(__file__).resolve().parents[1]
PR_SET_CHILD_SUBREAPER = 36
ALONE = "FAILED NEXT TO OTHER TESTS, PASSED ALONE"  # what run_tests.py says of a second try
LEFT_SECONDS = 10
GRACE_SECONDS = 3

SQLITE = "sqlite://:memory:"

PYTHON = sys.executable
# A long test without a mark is named, never refused: its seconds are the machine's.
TESTS = [PYTHON, "tools/run_tests.py", "-q", "-n", "0", "--name-slow"]
READING = [
    f"tests/{room}"
    for room in ("courses", "journeys", "lessons", "operations", "site", "study", "teaching")
]
GRADING = [
    f"tests/{room}"
    for room in (
        "assessment",
        "authoring",
        "grader",
        "hostile",
        "learners",
        "shipped_exercises",
        "strangers",
        "terminal",
        "worker",
    )
]
QUEUE = ["tests/exercises"]
# Where processes are started and ended, which takes as long as what the queue waits for. What asks
# one site by HTTP is all in the lane of the other rooms, which starts that site once.
PROCESSES = [f"tests/{room}" for room in ("config", "operations", "setup", "worker")]
NO_RACES = ["-m", "not races and not soak"]
RACES = ["-m", "races and not soak"]


@dataclass(frozen=True)
class Lane:
    """A command with a name for the table."""

    name: str
    command: Sequence[str]
    on_postgresql: bool = False
    gives_way: bool = False


@dataclass
class Run:
    """A lane that is under way, or has ended when `code` is not None."""

    lane: Lane
    output: Path
    process: subprocess.Popen[bytes]
    began: float
    seconds: float = 0.0
    processor: float = 0.0
    code: int | None = None
    second_tries: int = 0


def but(rooms: Sequence[str]) -> list[str]:
    """Return the options that leave these rooms to other lanes."""
    return [f"--ignore={room}" for room in rooms]


def on_both(marks: list[str]) -> list[str]:
    return ["-m", f"both_databases and {marks[1]}"]


TOGETHER = (
    Lane("reading and teaching, SQLite", [*TESTS, *NO_RACES, *READING], gives_way=True),
    Lane("grading, SQLite", [*TESTS, *NO_RACES, *GRADING], gives_way=True),
    Lane("other rooms, SQLite", [*TESTS, *NO_RACES, *but(READING + GRADING)], gives_way=True),
    Lane("tests, PostgreSQL", [*TESTS, *on_both(NO_RACES)], on_postgresql=True),
    Lane("lint and check", ["make", "lint", "check"]),
)
AFTERWARDS = (
    Lane("races of the queue, SQLite", [*TESTS, *RACES, *QUEUE]),
    Lane("races of processes, SQLite", [*TESTS, *RACES, *PROCESSES]),
    Lane("other races, SQLite", [*TESTS, *RACES, *but(QUEUE + PROCESSES)]),
    Lane("races, PostgreSQL", [*TESTS, *on_both(RACES)], on_postgresql=True),
)
# Phases, each with the number of earlier lanes that may still be at work when it begins.
PHASES = ((TOGETHER, 0), (AFTERWARDS, 2))
GIVE_WAY = ("nice", "-n", "10")
GOAL_SECONDS = 8 * 60  # on two idle processors


def start(lane: Lane, folder: Path, postgresql: str) -> Run:
    """Start a lane; the kernel stops it should we be killed outright.

    Lanes on one database share what is made once a run: the settled site, a verified exercise.
    """
    output = folder / lane.name.replace(" ", "-")
    own = {
        "DATABASE_URL": postgresql if lane.on_postgresql else SQLITE,
        "ORDINAL_SHARED": str(folder / "shared"),
    }
    with output.open("wb") as file:
        process = subprocess.Popen(
            ["setpriv", "--pdeathsig=TERM", *(GIVE_WAY if lane.gives_way else ()), *lane.command],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            env=os.environ | own,
        )
    say(f"{lane.name} ...")
    return Run(lane, output, process, time.monotonic())


def wait_for_one(under_way: list[Run]) -> None:
    """Wait until a lane has ended; what was orphaned meanwhile and ended is waited for too."""
    while True:
        pid, status, used = os.wait4(-1, 0)
        for run in under_way:
            if run.process.pid == pid:
                under_way.remove(run)
                end(run, os.waitstatus_to_exitcode(status), used)
                return


def wait_for_end(under_way: list[Run], left: int = 0) -> None:
    """Wait until no more than `left` of these are under way, and take the ended out."""
    while len(under_way) > left:
        wait_for_one(under_way)


def end(run: Run, code: int, used: struct_rusage) -> None:
    run.code = run.process.returncode = code
    run.seconds = time.monotonic() - run.began
    run.processor = used.ru_utime + used.ru_stime
    said = run.output.read_text(errors="replace")
    run.second_tries = said.count(ALONE)
    say(f"{run.lane.name}: {outcome(run)}")
    print(said, flush=True)


def outcome(run: Run) -> str:
    if run.code:
        return f"FAILED ({run.code})"
    return "second try" if run.second_tries else "passed"


def budget(runs: Sequence[Run], seconds: float) -> str:
    """Return the table of docs/benchmarks.md: wall and processor seconds by lane.

    The sum has PostgreSQL's server too, and what was orphaned, whose lane nobody knows.
    """
    rows = ["| lane | outcome | wall s | processor s |", "|---|---|--:|--:|"]
    rows += [
        f"| {run.lane.name} | {outcome(run)} | {run.seconds:.0f} | {run.processor:.0f} |"
        for run in runs
    ]
    used = getrusage(RUSAGE_CHILDREN)
    processor = used.ru_utime + used.ru_stime
    load = os.getloadavg()[2]
    rows.append(f"| all, load {load:.1f} over 15 minutes | | {seconds:.0f} | {processor:.0f} |")
    return "\n".join(rows)


def adopt_orphans() -> None:
    """Become the parent of whatever loses its own below us."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_CHILD_SUBREAPER)")


def children() -> list[int]:
    text = Path(f"/proc/self/task/{os.getpid()}/children").read_text()
    return [int(pid) for pid in text.split()]


def end_what_is_left() -> list[str]:
    """End the processes that tests left behind, and return their command lines.

    Some end by themselves, such as the shell of a sandbox that was closed a moment ago.
    """
    named = []
    grace = time.monotonic() + GRACE_SECONDS
    while (left := children()) and time.monotonic() < grace:
        for pid in left:
            os.waitpid(pid, os.WNOHANG)
        time.sleep(0.1)
    deadline = time.monotonic() + LEFT_SECONDS
    while (left := children()) and time.monotonic() < deadline:
        for pid in left:
            reaped, _ = os.waitpid(pid, os.WNOHANG)
            if reaped:
                continue
            named.append(Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")[:120])
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
    return named


def minutes(seconds: float) -> str:
    """Return a time as `7:05`."""
    return "{}:{:02}".format(*divmod(round(seconds), 60))


def say(text: str) -> None:
    print(f"[ordinal] {text}", flush=True)


def run_lanes(runs: list[Run]) -> None:
    """Run all lanes, appending each to `runs` when it starts."""
    with tempfile.TemporaryDirectory(prefix="ordinal-gate-") as name, postgres() as url:
        folder = Path(name)
        say(f"the lanes' output is in {folder} until they end")
        under_way: list[Run] = []
        for lanes, left in PHASES:
            wait_for_end(under_way, left)
            for lane in lanes:
                runs.append(start(lane, folder, url))
                under_way.append(runs[-1])
        wait_for_end(under_way)


def main(arguments: Sequence[str]) -> int:
    argparse.ArgumentParser(description=__doc__).parse_args(arguments)
    adopt_orphans()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    began = time.monotonic()
    runs: list[Run] = []
    try:
        run_lanes(runs)
    finally:
        for run in runs:
            if run.code is None:
                run.process.kill()
        left = end_what_is_left()
    seconds = time.monotonic() - began
    print(budget(runs, seconds), flush=True)
    say(f"took {minutes(seconds)}; at most {minutes(GOAL_SECONDS)} on two idle processors")
    for command in left:
        say(f"left behind by a test: {command}")
    failed = [run.lane.name for run in runs if run.code]
    tries = sum(run.second_tries for run in runs)
    say(f"FAILED: {', '.join(failed)}" if failed else f"all lanes passed, {tries} second tries")
    return 1 if failed or left else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
