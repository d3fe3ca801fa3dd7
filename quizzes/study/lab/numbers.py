"""Own numbers as addresses name them: those of a Run, for an hour, and those that are shared."""

from uuid import UUID

import numpy as np

from quizzes.exercises.models import SharedNumbers, Submission
from quizzes.exercises.runs.samples import sample_of
from quizzes.lessons.own_numbers.entries import YOURS, OwnNumbers
from quizzes.lessons.own_numbers.table import Numbers

RUN, SHARED = "run-", "shared-"


def run_slug(row: Submission, place: int = 0) -> str:
    """Return the name of what a Run gave at one of its places."""
    return f"{RUN}{row.key.hex}-{place}"


def shared_slug(row: SharedNumbers) -> str:
    """Return the name of numbers that are shared."""
    return f"{SHARED}{row.token}"


def numbers_at(slug: str) -> OwnNumbers | None:
    """Return the numbers of a name; None where they are gone, or never were. One query."""
    if slug.startswith(SHARED):
        row = SharedNumbers.objects.filter(token=slug.removeprefix(SHARED)).first()
        return _of_shared(row, slug) if row is not None else None
    key, _, place = slug.removeprefix(RUN).partition("-")
    runs = Submission.objects.filter(kind=Submission.Kind.RUN, key=UUID(key))
    runs = runs.filter(run__sample__isnull=False, graded_at__isnull=False)
    run = runs.select_related("run").first()
    return _of_run(run, slug, int(place)) if run is not None else None


def table_of(row: Submission, place: int = 0) -> Numbers | None:
    """Return the table that a Run gave at a place, None where it has none."""
    sample = sample_of(row)
    arrays = sample.arrays if sample is not None else ()
    table = arrays[place] if place < len(arrays) else None
    return table if table is not None and table.ndim == 2 else None


def read_shared(row: SharedNumbers) -> Numbers | None:
    """Return the table of a row; None for one that is damaged."""
    table = np.frombuffer(bytes(row.numbers), dtype="<f8")
    if table.size != row.n * row.d or not np.isfinite(table).all():
        return None
    return table.reshape(row.n, row.d)


def _of_shared(row: SharedNumbers, slug: str) -> OwnNumbers | None:
    table = read_shared(row)
    return None if table is None else OwnNumbers(slug, row.name, table, row.made_at, owner=None)


def _of_run(row: Submission, slug: str, place: int) -> OwnNumbers | None:
    table = table_of(row, place)
    if table is None or row.graded_at is None:
        return None
    return OwnNumbers(slug, YOURS, table, row.graded_at, owner=row.learner_id)
