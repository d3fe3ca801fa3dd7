"""What tests of the lab do: post a program, and record what a worker would."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import numpy as np
import numpy.typing as npt
from django.test import Client
from django.utils import timezone

from quizzes.exercises.models import SharedNumbers, Submission
from quizzes.exercises.queue import leases
from quizzes.exercises.runs.samples import places_of, shapes_of
from quizzes.grader.programs import Sample
from tests.exercises import making

LAB = "/lab/"
CODE = "def f(n, d):\n    return None\n"
Table = npt.NDArray[np.float64]


def a_table(n: int = 8, d: int = 4) -> Table:
    """A table of unlike numbers."""
    return np.sin(np.arange(n)[:, None] / 3.0 ** np.arange(d))


def send(client: Client, code: str = CODE, n: object = 8, d: object = 4, **more: Any) -> Any:
    """Post a program as the page does."""
    Submission.objects.update(submitted_at=timezone.now() - timedelta(seconds=5))
    form = {"code": code, "n": n, "d": d, "kind": "run", "key": uuid4(), **more}
    return client.post(LAB, form)


def record(outcome: Sample) -> Submission:
    """Record what came of the run that waits."""
    assert leases.record_run(lease=making.lease(), outcome=outcome)
    return Submission.objects.select_related("run").latest("pk")


def run(client: Client, table: Table | None = None, problem: str = "") -> Submission:
    """Post a program and record its table, or a problem."""
    shape = (8, 4) if table is None else table.shape
    assert send(client, n=shape[0], d=shape[1]).status_code == 302
    return record_table(table, problem)


def record_table(table: Table | None, problem: str = "", **more: Any) -> Submission:
    """Record a table, or a problem, for the hand's place, and tables for all others."""
    row = Submission.objects.select_related("run").latest("pk")
    sizes = [(int(place["n"]), int(place["d"])) for place in places_of(row.run)[1:]]
    others = [None if problem else a_table(*size) for size in sizes]
    arrays, problems = (table, *others), (problem, *[problem] * len(others))
    return record(Sample(arrays, problems, **more).in_shapes(shapes_of(row.run)))


def page_of(row: Submission) -> str:
    """The address of a run."""
    return f"{LAB}{row.pk}/"


def share(client: Client, row: Submission, name: str = "waves") -> SharedNumbers:
    """Share the numbers of a run."""
    answer = client.post(f"{page_of(row)}share/", {"name": name})
    assert answer.status_code == 302, answer.content.decode()[-2000:]
    return SharedNumbers.objects.latest("pk")
