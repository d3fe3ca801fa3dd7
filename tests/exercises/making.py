"""Rows for tests of the queue: an exercise with a pool of packs, learners, submissions."""

from datetime import timedelta
from functools import cache
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.db import connection
from django.db.models import F
from django.utils import timezone

from quizzes.content_files.files import DiskFiles
from quizzes.exercises import case_pack_pool, publishing
from quizzes.exercises.files import ExerciseSource, read_exercise, save_exercise
from quizzes.exercises.models import Exercise, Submission
from quizzes.exercises.models.submission import due
from quizzes.exercises.queue.engine import engine
from quizzes.exercises.queue.leases import lease_next
from quizzes.exercises.queue.port import Lease
from quizzes.exercises.services import submit_code
from quizzes.grader.judge import BUILT_IN_MISTAKES
from quizzes.grader.judge.report import CaseResult, Report, ReportedFinding, Stage, Verdict
from quizzes.learners.models import Learner
from tests.courses import SLUG, some_course
from tests.databases import on_postgresql

FOLDER = settings.COURSE / "exercises" / "sinusoidal-table"
REFERENCE = (FOLDER / "reference.py").read_text()
SWAPPED = (FOLDER / "wrong" / "swap.py").read_text()
CORRECT = Report(Verdict.CORRECT, cases_passed=3, cases_total=3, seconds=0.01)
WRONG = Report(
    Verdict.WRONG, first_fault=ReportedFinding(Stage.SHAPE, "one position", "it is (4, 1).")
)

_AFTER_ANOTHER = CaseResult(
    "base 500",
    shown=True,
    passed=False,
    call="sinusoidal_table(n=9, d=8, base=500.0)",
    before="sinusoidal_table(n=9, d=8, base=100.0)",
    stage=Stage.VALUES,
)
KEPT = Report(  # of code that keeps something between calls
    Verdict.KNOWN_MISTAKE,
    first_fault=ReportedFinding(Stage.VALUES, "base 500", "Called alone this is right."),
    known_mistake=BUILT_IN_MISTAKES["kept-between-calls"],
    smallest_failing=_AFTER_ANOTHER,
    cases=(_AFTER_ANOTHER,),
    cases_total=1,
)


@cache
def shipped_source() -> ExerciseSource:
    """The shipped exercise as its files say it; nothing of it can be changed."""
    source = read_exercise(DiskFiles(settings.COURSE), FOLDER.name, [])
    assert source is not None
    return source


def unverified_exercise(course: str = SLUG) -> Exercise:
    """The shipped exercise, saved as the loader saves it, in the course with this slug."""
    row = some_course(course)
    save_exercise(row, shipped_source())
    return Exercise.objects.select_related("current").get(course=row, slug=FOLDER.name)


def ready_exercise(packs: int = 3, course: str = SLUG) -> Exercise:
    """The same, verified, with packs that no judge will read.

    In a second course it is verified from the start, as equal files are, and has one pack.
    """
    exercise = unverified_exercise(course)
    assert exercise.current is not None
    if exercise.current.verification == "ok":
        return exercise
    version = publishing.lease_unverified()
    assert version is not None
    publishing.accept(version=version, seed=1, data=b"", outline={"shown": [], "hidden": 6})
    for seed in range(2, packs + 1):
        case_pack_pool.add_pack(version=version, seed=seed, data=b"")
    return Exercise.objects.select_related("current").get(pk=exercise.pk)


def new_learner() -> Learner:
    return Learner.objects.create()


def hand_in(
    exercise: Exercise,
    learner: Learner | None = None,
    *,
    kind: str = "submit",
    code: str = "x = 1",
    form_key: UUID | None = None,
) -> Submission:
    """Submit as the page does."""
    return submit_code(
        exercise=exercise,
        learner=learner or new_learner(),
        kind=kind,
        code=code,
        form_key=form_key or uuid4(),
    )


def waiting(exercise: Exercise, learner: Learner | None = None, **facts: Any) -> Submission:
    """A waiting row without asking the limits, due as `submit_code` would have it."""
    assert exercise.current is not None
    learner = learner or new_learner()
    facts = {"kind": "submit", "code": "x = 1", "submitted_at": timezone.now(), **facts}
    mine, last = Submission.objects.waiting_of(learner)
    is_check = facts["kind"] == "check"
    turn = due(
        submitted_at=facts["submitted_at"],
        is_check=is_check,
        counts=facts.get("own_pack", False),
        waiting=mine,
        after=last,
    )
    row = Submission.objects.create(
        exercise_version=exercise.current, learner=learner, **{"scheduled_for": turn, **facts}
    )
    engine().put(row)
    return row


def lease(worker: str = "one") -> Lease:
    """Lease what is next; something must wait."""
    taken = lease_next(worker=worker)
    assert taken is not None
    return taken


def let_ten_seconds_pass() -> None:
    """Have what workers wrote by now be eleven seconds older."""
    _move_what_workers_wrote(timedelta(seconds=-11))


def put_clock_back_an_hour() -> None:
    """Have what workers wrote by now lie an hour further ahead, as after a clock was put back."""
    _move_what_workers_wrote(timedelta(hours=1))


def _move_what_workers_wrote(by: timedelta) -> None:
    if on_postgresql():  # there the database's heartbeat decides
        with connection.cursor() as cursor:
            cursor.execute(
                "UPDATE procrastinate_workers SET last_heartbeat = last_heartbeat + %s", [by]
            )
    else:
        leased = Submission.objects.exclude(leased_until=None)
        leased.update(leased_until=F("leased_until") + by)


def let_leases_lapse() -> None:
    """Do what ten seconds without a heartbeat do, and a worker that looks for the dead."""
    let_ten_seconds_pass()
    engine().sweep()
