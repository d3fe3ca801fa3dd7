"""The port under the queue: what leases, reports and pages ask of the engine below them.

The row of a submission is the truth on every engine: what it says of its lease and its verdict
decides. An engine only says which row a worker gets next, and notices dead workers.
"""

from dataclasses import dataclass
from functools import cache
from typing import Protocol

from django.db.models import F

from quizzes import statements
from quizzes.exercises.models import CasePack, Submission
from quizzes.statements import Param, Statement


@dataclass(frozen=True)
class Lease:
    """The right to grade one submission until another worker takes it over.

    `number` is its fencing number; `slug` and `course` are of the exercise; `is_visitor`: its
    learner has no account; `job`: the engine's number of this work, 0 where it has none. A Run has
    no exercise and no pack: there they are "" and 0.
    """

    submission: Submission
    slug: str
    course: int
    pack_id: int
    number: int
    worker: str
    is_visitor: bool
    job: int = 0


class Engine(Protocol):
    """Every verb but `take` and `sweep` runs within the transaction that changes the row."""

    sweep_seconds: float  # between two looks for what dead workers had

    def put(self, row: Submission) -> None:
        """Have a row graded that was stored or set free."""
        ...

    def take(self, *, worker: str, slow_too: bool) -> Lease | None:
        """Lease the row that is next to this worker; None when nothing waits for it."""
        ...

    def is_ours(self, lease: Lease) -> bool:
        """Hold the row for another while; False when it is ours no longer."""
        ...

    def set_aside(self, lease: Lease) -> None:
        """Let the worker take other rows while it keeps this one for later."""
        ...

    def end(self, lease: Lease) -> None:
        """Forget the work: the row is graded or closed."""
        ...

    def put_back(self, lease: Lease, *, slow: bool) -> None:
        """Have the row graded again, which was set free; in the slow lane if `slow`."""
        ...

    def put_missing(self) -> int:
        """Have rows graded that wait unknown to the engine; return how many there were."""
        ...

    def sweep(self) -> int:
        """Set rows free whose workers died, where they do not become free by themselves."""
        ...

    def runs_slow_code(self) -> bool:
        """Say whether this worker runs slow code now, or quick code only."""
        ...

    def beat(self, worker: str) -> None:
        """Say that the worker lives."""
        ...

    def leave(self, worker: str) -> None:
        """Say that the worker has ended."""
        ...


def is_row_waiting() -> bool:
    """Say whether any row has no verdict; an idle worker asks no more than this."""
    return bool(_ungraded().rows())


def count_use(pack_id: int) -> None:
    """Note that a submission meets this pack; nothing for a Run."""
    if pack_id:
        _using().change(pack=pack_id)


@cache
def _ungraded() -> Statement:
    return statements.select(Submission.objects.ungraded().order_by().values_list("pk")[:1])


@cache
def _using() -> Statement:
    return statements.update(CasePack.objects.filter(pk=Param("pack")), uses=F("uses") + 1)
