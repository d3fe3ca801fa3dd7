"""A web server and a worker that note when a submission reached each phase.

`application` is the site's own, for gunicorn; `python -m benchmarks.timed_processes` is a worker.
Both write a line of JSON for each event into the file that ORDINAL_PHASES names. Its times are
`time.monotonic`, which all processes of a machine share. Nothing of this is in the site itself.
"""

import json
import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "quizzes.config.settings")
FILE = "ORDINAL_PHASES"
COMMAND = (sys.executable, "-m", "benchmarks.timed_processes")
SERVER = (
    *(sys.executable, "-m", "gunicorn", "-c", "quizzes/config/gunicorn.py"),
    "benchmarks.timed_processes:load_application()",
)
_here = threading.local()


def _note(**facts: Any) -> None:
    with Path(os.environ[FILE]).open("a") as file:  # one write of a line: no two mix
        file.write(json.dumps(facts) + "\n")


def _timed(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """Return the function; it notes the time of its return in the request under way."""

    def call(*arguments: Any, **named: Any) -> Any:
        value = function(*arguments, **named)
        _here.facts[name] = time.monotonic()
        _here.facts.setdefault("queries_" + name, _here.queries)
        if name == "stored":
            _here.facts["pk"] = value.pk
        return value

    return call


def load_application() -> Callable[..., Any]:
    """Return the site's WSGI application, with the phases of each POST of code noted."""
    from quizzes.config.wsgi import application  # which sets Django up
    from django.db import connection  # isort: skip
    from quizzes.exercises import views  # isort: skip

    views.submit_code = _timed(views.submit_code, "stored")
    views.wait_for_verdict = _timed(views.wait_for_verdict, "woken")

    def count(execute: Any, *arguments: Any) -> Any:
        _here.queries += 1
        return execute(*arguments)

    def answer(environ: dict[str, Any], start_response: Any) -> Any:
        _here.facts, _here.queries = {"received": time.monotonic()}, 0
        with connection.execute_wrapper(count):
            body = application(environ, start_response)
        if "pk" in _here.facts:
            _note(rendered=time.monotonic(), queries=_here.queries, **_here.facts)
        return body

    return answer


def _run_worker() -> None:
    """Run a worker that notes when it leased and when it recorded a submission."""
    import django

    django.setup()
    from django.core.management import call_command

    from quizzes.exercises.queue import leases

    lease_next, record = leases.lease_next, leases.record

    def timed_lease(**named: Any) -> Any:
        lease = lease_next(**named)
        if lease is not None:
            _note(pk=lease.submission.pk, leased=time.monotonic())
        return lease

    def timed_record(*, lease: Any, report: Any) -> bool:
        judged = time.monotonic()
        recorded = record(lease=lease, report=report)
        _note(pk=lease.submission.pk, judged=judged, recorded=time.monotonic())
        return recorded

    leases.lease_next, leases.record = timed_lease, timed_record
    call_command("worker")


if __name__ == "__main__":
    _run_worker()
