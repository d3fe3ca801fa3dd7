"""A worker that kills itself, its sandbox or its database connection at one chosen point.

Run as `python -m tests.worker.armed_worker POINT NUMBER` (see POINTS): at the NUMBER-th time the
point is reached, it happens. A worker that survives it grades one more submission and ends.
"""

import os
import signal
import sys
import threading
from collections.abc import Callable
from typing import Any

import django
from django.utils import timezone

# What is hit, in which function, at which moment of it.
POINTS = (
    ("worker", "leases.to_slow_lane", "before"),
    ("worker", "leases.to_slow_lane", "after"),
    ("worker", "leases.lease_next", "before"),
    ("worker", "engine.draw_pack", "after"),
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


def main() -> None:
    django.setup()
    from quizzes.exercises.models import Submission
    from quizzes.exercises.queue import engine, leases
    from quizzes.grader.sandbox.factory import open_sandbox
    from quizzes.worker import worker as worker_module

    # What was hit before goes to the end, or three kills would meet in one submission.
    hit = Submission.objects.ungraded().filter(tries_used__gt=0)
    hit.update(scheduled_for=timezone.now())
    what, place, moment = POINTS[int(sys.argv[1])]
    armed = Armed(what, int(sys.argv[2]))
    worker = worker_module.Worker(opener=open_sandbox)  # without torch: nothing here asks for it
    record = leases.record

    def record_and_end(**named: Any) -> bool:
        done = record(**named)
        if armed.struck and done:
            worker.stop()
        return done

    leases.record = record_and_end
    in_use = sys.modules[type(engine.engine()).__module__]
    module = {"engine": engine, "in_use": in_use, "leases": leases, "worker": worker_module}[
        place.split(".")[0]
    ]
    name = place.split(".")[1]
    setattr(module, name, armed.around(getattr(module, name), moment))
    worker.stop_on_signals()
    worker.run()


if __name__ == "__main__":
    main()
