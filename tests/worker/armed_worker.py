"""Workers that kill themselves, their sandbox or their database connection at a chosen point.

Run as `python -m tests.worker.armed_worker FOLDER NUMBER AT_ONCE`: there is a worker for each of
POINTS, so many at once. At the NUMBER-th time its point is reached, it happens. A worker that
survives it grades one more submission and ends. What it says is in `FOLDER/armed-POINT.log`; when
all that were begun together have ended, a line says with which code each did, as JSON.

Django is set up once and the workers are forked: twenty starts of it take as many seconds.
"""

import ctypes
import json
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import django
from django.utils import timezone

# What is hit, in which function, at which moment of it.
POINTS = (
    ("worker", "leases.to_slow_lane", "before"),
    ("worker", "leases.to_slow_lane", "after"),
    ("worker", "leases.lease_next", "before"),
    ("worker", "pool.draw_pack", "after"),
    ("worker", "in_use.take_row", "after"),
    ("worker", "leases.lease_next", "after"),
    ("worker", "worker.read_pack", "after"),
    ("worker", "worker.grade_code", "before"),
    ("worker", "worker.grade_code", "during"),
    ("worker", "worker.grade_code", "after"),
    ("worker", "leases.record", "before"),
    ("worker", "leases.record_progress", "after"),
    ("worker", "leases.record", "after"),
    ("sandbox", "leases.lease_next", "after"),
    ("sandbox", "worker.grade_code", "during"),
    ("bwrap", "worker.grade_code", "during"),
    ("database", "leases.lease_next", "before"),
    ("database", "in_use.take_row", "after"),
    ("database", "worker.grade_code", "after"),
    ("database", "leases.record_progress", "before"),
)
DURING_SECONDS = 0.003
PR_SET_PDEATHSIG = 1
REACHED = "the point was reached"


class Armed:
    """Counts how often the point is reached and strikes once."""

    def __init__(self, what: str, number: int) -> None:
        self.what, self.left = what, number
        self.struck = False

    def reach(self) -> None:
        self.left -= 1
        if self.left == 0:
            self.struck = True
            print(REACHED, flush=True)
            getattr(self, self.what)()

    def worker(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    def sandbox(self) -> None:
        """Kill the fork server and its children, which are below bubblewrap and its launcher."""
        self._kill(lambda name: name not in ("bwrap", "sh"))

    def bwrap(self) -> None:
        self._kill(lambda name: name == "bwrap")

    def database(self) -> None:
        """Break the connection as a restarted server or a cut cable does."""
        from django.db import connection

        connection.connection.close()

    def _kill(self, chosen: Callable[[str], bool]) -> None:
        from tests.whole_site import descendants_of

        for pid in descendants_of(os.getpid()):
            try:
                with open(f"/proc/{pid}/comm") as file:
                    name = file.read().strip()
                if chosen(name):
                    os.kill(pid, signal.SIGKILL)
            except (FileNotFoundError, ProcessLookupError):
                continue

    def around(self, function: Callable[..., Any], moment: str) -> Callable[..., Any]:
        def wrapped(*arguments: Any, **named: Any) -> Any:
            if moment == "before":
                self.reach()
            if moment == "during":
                threading.Timer(DURING_SECONDS, self.reach).start()
            result = function(*arguments, **named)
            if moment == "after":
                self.reach()
            return result

        return wrapped


def serve(what: str, place: str, moment: str, number: int) -> None:
    """Work until what was chosen has happened, or outlive it by a submission."""
    from quizzes.exercises import case_pack_pool
    from quizzes.exercises.models import Submission
    from quizzes.exercises.queue import engine, leases
    from quizzes.grader.sandbox.factory import open_sandbox
    from quizzes.worker import worker as worker_module

    # What was hit before goes to the end, or three kills would meet in one submission.
    hit = Submission.objects.ungraded().filter(tries_used__gt=0)
    hit.update(scheduled_for=timezone.now())
    armed = Armed(what, number)
    worker = worker_module.Worker(opener=open_sandbox)  # without torch: nothing here asks for it
    record = leases.record

    def record_and_end(**named: Any) -> bool:
        done = record(**named)
        if armed.struck and done:
            worker.stop()
        return done

    leases.record = record_and_end
    in_use = sys.modules[type(engine.engine()).__module__]
    module = {"pool": case_pack_pool, "in_use": in_use, "leases": leases, "worker": worker_module}[
        place.split(".", maxsplit=1)[0]
    ]
    name = place.split(".")[1]
    setattr(module, name, armed.around(getattr(module, name), moment))
    worker.stop_on_signals()
    worker.run()


def become_worker(place: int, number: int, folder: Path) -> NoReturn:
    """Never return: this process is a copy of the one that starts workers."""
    code = 1
    try:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
        os.setsid()
        log = os.open(folder / f"armed-{place}.log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(log, 1)
        os.dup2(log, 2)
        serve(*POINTS[place], number)
        code = 0
    except BaseException:
        traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def main() -> None:
    folder, number, at_once = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    django.setup()
    # Loaded here once; none of them opens a connection or starts a thread.
    from quizzes.exercises import services  # noqa: F401
    from quizzes.worker import worker  # noqa: F401

    for first in range(0, len(POINTS), at_once):
        begun = {}
        for place in range(first, min(first + at_once, len(POINTS))):
            pid = os.fork()
            if pid == 0:
                become_worker(place, number, folder)
            begun[pid] = place
        ended = {}
        for pid, place in begun.items():
            _, status = os.waitpid(pid, 0)
            ended[place] = os.waitstatus_to_exitcode(status)
        print(json.dumps(ended), flush=True)


if __name__ == "__main__":
    main()
