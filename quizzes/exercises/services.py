"""What pages do with exercises: hand code in, look a submission up, ask whether grading is on."""

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple
from uuid import UUID, uuid4, uuid5

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet, SlugField
from django.db.models.functions import Now
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone

from quizzes import statements
from quizzes.content_files.typed_text import MAX_KEY
from quizzes.courses.content import cached_content, note_token
from quizzes.courses.current_course import withdrawn
from quizzes.courses.models import LATER_OF_COURSE, Course
from quizzes.exercises.access import open_to_staff
from quizzes.exercises.models import (
    CasePicture,
    Exercise,
    ExerciseVersion,
    PreviousVerdict,
    Submission,
    TrialVerdict,
    WorkerHeartbeat,
)
from quizzes.exercises.models.submission import SubmissionQuerySet, due, is_leased
from quizzes.exercises.models.worker import is_alive
from quizzes.exercises.queue.engine import engine
from quizzes.exercises.queue.submission_limits import (
    counts_in_a_class,
    own_rows,
    refuse_too_many,
)
from quizzes.grader.api import Verdict
from quizzes.learners.models import Learner, User
from quizzes.learners.services import current_learner, hold_learner, is_assigned
from quizzes.page_reads import reading_page
from quizzes.statements import Param, Reader, Statement, in_utc

# A worker reports every 3 s, but less often on a machine that is too busy. One that is stopped
# takes its report away, so this long silence is only waited for after one was killed.
DEAD_SECONDS = 45
START_A_WORKER = "`make run` starts one with the site; `manage.py worker` starts only a worker."
NO_WORKER = f"No worker is running, so nothing can be graded. {START_A_WORKER}"
# A worker that is stopped deletes its row: an old one is of a worker that was killed, or of one
# that runs and cannot write, and from the row alone nobody can tell.
SILENT = (
    "No worker has reported since {since:%Y-%m-%d %H:%M:%S} UTC: it died, or the database cannot "
    f"be written. Nothing can be graded. {START_A_WORKER}"
)
CLOCK_PUT_BACK = (
    "No worker has reported since the clock was set back: the last report is dated later than "
    f"now. Nothing can be graded. {START_A_WORKER}"
)
NO_SANDBOX = (
    "The sandbox that runs code is not available right now. The operator can see the reason."
)


def visible_submission(request: HttpRequest, course: Course, slug: str, number: int) -> Submission:
    """Return the submission, or raise Http404 when it is not this visitor's to see.

    Besides its learner, it is open to staff of a class that the learner is in. One query besides
    those about the visitor: a page that waits asks again and again.
    """
    named = {"course": course.pk, "slug": slug, "number": min(number, MAX_KEY)}
    row = _named_submission().first(**named)
    if row is not None:
        learner = current_learner(request)
        if learner is not None and learner.pk == row.learner_id:
            return row
        if open_to_staff(request.user, row):
            return row
    raise Http404(f"submission {number} is not yours or does not exist")


@cache
def _named_submission() -> Reader[Submission]:
    exercise = {
        "exercise_version__exercise__course": Param("course"),
        "exercise_version__exercise__slug": Param("slug", SlugField()),
    }
    rows = Submission.objects.filter(pk=Param("number"), **exercise)
    later = [f"exercise_version__exercise__{name}" for name in LATER_OF_COURSE]
    things = rows.select_related("exercise_version__exercise__course")
    trials = TrialVerdict.objects.filter(submission=OuterRef("pk")).order_by()
    before = PreviousVerdict.objects.filter(submission=OuterRef("pk")).order_by()
    return Reader(
        things.defer("exercise_version__files", "exercise_version__proof", *later).annotate(  # type: ignore[no-redef]
            may_be_regraded=Exists(trials), may_be_graded_again=Exists(before)
        )
    )


@dataclass(frozen=True)
class GradingState:
    """Whether code is graded now, and if not, why. `verified_at`: the sandbox's last self-test.

    `public_why` is what learners read of it: a worker's own words may name sizes and paths.
    `slow`: a worker has reported nothing for a moment, as on a busy machine.
    """

    on: bool
    why: str
    worker_age_seconds: float | None
    verified_at: datetime | None
    public_why: str = ""
    slow: bool = False


class ExerciseClosed(Exception):  # noqa: N818 -- not an error, an answer
    """The exercise cannot take code: no version of it passed its verification."""


def grading_state() -> GradingState:
    """Return the state that workers last reported, by the database's clock. One query."""
    said = [
        _Word(in_utc(seen), bool(ok), why, at, in_utc(now))
        for seen, ok, why, at, now in _words_query().rows()
    ]
    alive = [word for word in said if is_alive(word.seen_at, word.now)]
    best = next((word for word in alive if word.self_test_ok), next(iter(alive), None))
    last = best or next(iter(said), None)
    age = max(0.0, (last.now - last.seen_at).total_seconds()) if last else None
    if best is None and last is not None and last.self_test_ok and 0 < (age or 0) < DEAD_SECONDS:
        at = last.self_test_at and in_utc(last.self_test_at)
        return GradingState(True, "", age, at, slow=True)
    if best is None:
        is_ahead = last is not None and last.seen_at > last.now
        silent = CLOCK_PUT_BACK if is_ahead else SILENT
        why = silent.format(since=last.seen_at) if last else NO_WORKER
        return GradingState(False, why, age, None, public_why=why)
    if not best.self_test_ok:
        return GradingState(False, best.detail, age, None, public_why=NO_SANDBOX)
    return GradingState(True, "", age, best.self_test_at and in_utc(best.self_test_at))


class _Word(NamedTuple):
    """What a worker last said, as the database stores it, and the time there."""

    seen_at: datetime
    self_test_ok: bool
    detail: str
    self_test_at: datetime | None
    now: datetime


def _words() -> QuerySet[WorkerHeartbeat, Any]:
    """Return the last heartbeats of the site's workers, newest first; old ones are deleted."""
    rows = WorkerHeartbeat.objects.annotate(now=Now()).order_by("-seen_at")
    return rows.values_list(*_Word._fields)


@cache
def _words_query() -> Statement:
    return statements.select(_words())  # Django takes 0.7 ms of an exercise's page to write it


def queue_length() -> int:
    """Return the number of submissions that wait or are being graded. One query."""
    return Submission.objects.ungraded().count()


def submit_code(
    *, exercise: Exercise, learner: Learner, kind: str, code: str, form_key: UUID | None = None
) -> Submission:
    """Store the code as a row that waits to be graded, then notify workers.

    The same code from the same form (a double click, a request sent again) is one row. Raises
    TooMany when the learner should wait, NoneLeft for one Submit more than work of a class allows,
    ValidationError for code that cannot be stored and ExerciseClosed when no version can grade it.
    """
    if exercise.current is None or exercise.current.verification == "refused":
        raise ExerciseClosed(exercise.slug)
    code = normalise_code(code)
    if not code.strip():
        raise ValidationError({"code": "There is no code here yet. Write some first."})
    submission = Submission(
        exercise_version=exercise.current,
        learner=learner,
        kind=kind,
        key=form_row_key(form_key, f"{exercise.pk}\n{kind}\n{code}"),
        code=code,
    )
    return store_in_queue(submission, exercise=exercise)


def form_row_key(form_key: UUID | None, content: str) -> UUID:
    """Return the key of the row for what a form sends: the same for the same, sent twice."""
    return uuid5(form_key, content) if form_key else uuid4()


def store_in_queue(
    submission: Submission,
    *,
    exercise: Exercise | None,
    store_also: Callable[[Submission], object] = lambda _: None,
) -> Submission:
    """Store a row and notify workers; return the row of before if the form was sent twice.

    `store_also` stores what hangs on a new row. Raises as `submit_code` does.
    """
    learner, kind, key = submission.learner, submission.kind, submission.key
    # Before the transaction: on SQLite all writers wait for the one that is open.
    submission.clean_fields(exclude=["exercise_version", "learner", "pack"])
    with transaction.atomic():
        # One learner's submissions are stored one after another: limits and keys hold.
        hold_learner(pk=learner.pk)
        now = timezone.now()
        own = own_rows(learner=learner, key=key, now=now)
        if own.same is not None:
            return Submission.objects.get(pk=own.same)
        refuse_too_many(learner=learner, kind=kind, now=now, own=own)
        if exercise is not None and kind == Submission.Kind.SUBMIT:
            submission.own_pack = counts_in_a_class(learner=learner, exercise=exercise, now=now)
        submission.submitted_at = now
        submission.scheduled_for = due(
            submitted_at=now,
            is_check=kind != Submission.Kind.SUBMIT,
            counts=submission.own_pack,
            waiting=own.waiting,
            after=own.last_due,
        )
        submission.save(force_insert=True)
        store_also(submission)
        engine().put(submission)
    return submission


def read_again(submission: Submission, exercise: Exercise) -> Submission:
    """Return the row as it is by now, of the same learner, with the exercise at hand. One query.

    Raises Http404 where an account has adopted it meanwhile, or it was deleted.
    """
    row = _own_row().first(pk=submission.pk, learner=submission.learner_id)
    if row is None:
        raise Http404(f"submission {submission.pk} is not yours or does not exist")
    if exercise.current is not None and exercise.current.pk == row.exercise_version_id:
        row.exercise_version = copy(exercise.current)  # that one is cached: nothing is set there
        row.exercise_version.exercise = exercise
    return row


@cache
def _own_row() -> Reader[Submission]:
    return Reader(Submission.objects.filter(pk=Param("pk"), learner=Param("learner")).order_by())


def normalise_code(code: str) -> str:
    """Return code with line ends as one newline each, however the browser sent them."""
    return code.replace("\r\n", "\n").replace("\r", "\n")


def published_exercises(course: Course | int) -> QuerySet[Exercise]:
    """Return the exercises of a course that learners meet, each with its current version.

    Its files and what verification said are left out, and what the worker notes while it works.
    """
    files, notes = ("files", "problems", "outline", "proof"), ExerciseVersion.notes
    return (
        Exercise.objects.filter(course=course, current__isnull=False, withdrawn_at=None)
        .select_related("current", "course")
        .defer(*(f"current__{name}" for name in (*files, *notes)), *LATER_OF_COURSE)
    )


@cached_content
def _exercises(course: int) -> tuple[Exercise, ...]:
    return tuple(published_exercises(course))


def course_exercises(course: Course) -> tuple[Exercise, ...]:
    """Return the same, cached: nobody changes them. One query."""
    return _exercises(course.pk)


@cached_content
def _whole_exercise(course: int, slug: str) -> Exercise | None:
    rows = Exercise.objects.select_related("current").filter(course=course, slug=slug)
    return rows.defer(*(f"current__{name}" for name in ExerciseVersion.notes)).first()


def exercise_to_read(course: Course, slug: str) -> Exercise | None:
    """Return an exercise with its files, one that was withdrawn too. No query but the first time.

    It is cached by the content token of `course`, with its version: change nothing of that.
    """
    with reading_page():  # by the token of the course at hand
        note_token(course)
        row = copy(_whole_exercise(course.pk, slug))
    if row is not None:
        row.course = course  # the one at hand, so that nothing asks for it again
    return row


def exercise_or_404(course: Course, slug: str) -> Exercise:
    """Return an exercise to read, or raise Http404 where there is none or it has no version."""
    exercise = exercise_to_read(course, slug)
    if exercise is None or exercise.current is None:
        raise Http404(f"exercise {slug} has no version")
    return exercise


def withdrawn_page(request: HttpRequest, exercise: Exercise) -> HttpResponse | None:
    """Return the answer to a learner for whom a withdrawn exercise is not kept, else None."""
    if exercise.withdrawn_at is None:
        return None
    if is_kept(exercise=exercise, learner=current_learner(request)):
        return None
    assert exercise.current is not None
    return withdrawn(request, "exercise", exercise.current.title)


def first_exercise_address(course: int, step: str) -> str:
    """Return the address of the first exercise of a step "<lesson>/<step>", "" for none."""
    for exercise in _exercises(course):
        if exercise.current and exercise.current.step == step:
            return exercise.get_absolute_url()
    return ""


def is_kept(*, exercise: Exercise, learner: Learner | None) -> bool:
    """Return whether a withdrawn exercise stays for a learner.

    It does for one who has worked on it, handed code in or kept a draft, and for one whose class
    has it to do: no withdrawal takes assigned work away.
    """
    if learner is None:
        return False
    handed_in = Submission.objects.filter(exercise_version__exercise=exercise, learner=learner)
    drafts = exercise.drafts.filter(learner=learner)
    return handed_in.exists() or drafts.exists() or is_assigned(learner, exercise)


def history(*, exercise: Exercise | Param, learner: Learner | Param | None) -> SubmissionQuerySet:
    """Return the learner's submissions to the exercise, newest first; Checks are not kept."""
    if learner is None:
        return Submission.objects.none()
    return Submission.objects.filter(
        exercise_version__exercise=exercise, learner=learner, kind=Submission.Kind.SUBMIT
    )


def place_in_queue(*, submission: Submission) -> int:
    """Count the rows that workers take before this one; 0 when it is next or being graded."""
    now = timezone.now()
    if submission.graded_at or is_leased(submission.leased_until, now):
        return 0
    return Submission.objects.number_before(submission, now)


def grade_again(*, submission: Submission, by: User | None = None) -> bool:
    """Put a graded submission back into the queue; False when it waits already, nothing changed.

    What it was told stays with it as an earlier verdict. It meets the same cases again, unless
    our side failed with them; and its own version of the exercise, unless that was refused.
    """
    with transaction.atomic():
        hold_learner(pk=submission.learner_id)  # first, as all that stores or records a submission
        graded = Submission.objects.graded().filter(pk=submission.pk)
        # `of`: without it PostgreSQL would lock the exercise and its version too.
        row = (
            graded.select_for_update(of=("self",))
            .select_related("exercise_version__exercise__current")
            .first()
        )
        if row is None or row.graded_at is None:
            return False
        PreviousVerdict.keep(row, by=by)
        CasePicture.objects.filter(submission=row).delete()
        _set_free(row)
    return True


def our_failures() -> QuerySet[Submission]:
    """Return the submissions that were not graded by our failure, newest first."""
    failed = Submission.objects.graded().filter(verdict=Verdict.NOT_GRADED.value)
    failed = failed.exclude(kind=Submission.Kind.RUN)  # which is gone after an hour
    return failed.select_related("learner__user", "exercise_version__exercise__course").defer(
        "report", "exercise_version__files", "exercise_version__proof"
    )


def _set_free(row: Submission) -> None:
    """Write the row as it was when it was submitted."""
    version = row.exercise_version
    if version.verification == "refused" and version.exercise.current is not None:
        version = version.exercise.current
    same_cases = version == row.exercise_version and row.verdict != Verdict.NOT_GRADED.value
    now, (_, last) = timezone.now(), Submission.objects.waiting_of(row.learner)
    row.scheduled_for = due(submitted_at=now, is_check=False, waiting=0, after=last)
    row.slow = False
    Submission.objects.filter(pk=row.pk).update(
        exercise_version=version,
        pack=row.pack if same_cases else None,
        graded_at=None,
        verdict="",
        known_mistake="",
        fingerprint="",
        cases_passed=None,
        cases_total=None,
        parsed=True,
        report=None,
        our_failure="",
        tries_used=0,
        scheduled_for=row.scheduled_for,
        slow=False,
        slow_seconds=None,
    )
    engine().put(row)
