"""The queue's verbs: lease a row, keep it, record its report, give it back, close what is used up.

A worker may be killed, frozen for a minute, or cut off from the database at any moment, and two may
look at one row in the same instant. So nothing is locked while code runs: a lease is a time in the
row until which it is this worker's, and it lapses by itself. A worker that was only frozen wakes up
and still believes in its lease. Therefore every change is one conditional UPDATE, with the worker's
name and `tries_used` as the fence: a later lease has another name or a higher number, and an older
lease's report is refused. A row that took three workers down is closed as our failure,
or it would take down all of them, one after another.
"""

from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from typing import Any

from django.db import connection, transaction
from django.db.models import CharField, F, QuerySet, Value
from django.db.models.functions import Coalesce, NullIf
from django.utils import timezone

from quizzes.exercises.case_pack_pool import draw_pack
from quizzes.exercises.models import CasePack, CasePicture, Submission
from quizzes.exercises.models.submission import MAX_LEASES
from quizzes.exercises.queue import compiled
from quizzes.exercises.queue.compiled import Given, Moment, Statement
from quizzes.grader.api import Verdict, storable_text
from quizzes.grader.judge import Report
from quizzes.learners.models import Learner
from quizzes.learners.services import hold_learner, note_missed, record_progress

LEASE_LASTS = timedelta(seconds=10)
CANDIDATES = 8  # rows looked at when other workers take the first ones
_KEY = 0x5475726E  # of an advisory lock, which other programs on this database must not use
LOOKS = 3  # a submission handed to another learner while we wait for its lock is looked up again
DIED = "Its workers ended or froze while they had it, without a word."
REFUSED = "The exercise failed its verification, so that it cannot grade."


@dataclass(frozen=True)
class Lease:
    """The right to grade one submission until the lease lapses; `attempt` is its fencing number.

    `slug` and `course`: of the exercise.
    """

    submission: Submission
    slug: str
    course: int
    pack_id: int
    attempt: int
    worker: str


def lease_next(*, worker: str, slow_too: bool = False) -> Lease | None:
    """Take the row that is next, with a pack of cases; None when nothing waits.

    `slow_too`: a row of the slow lane that has waited long may come before quick ones.
    """
    waiting = _waiting(slow_too)
    for row in Submission.objects.raw(waiting.sql, waiting.bind(now=timezone.now())):
        pack_id = _pack_for(row)
        if pack_id is not None and _take(row, pack_id, worker):
            named: Any = row  # with what `_waiting` annotates
            return Lease(row, named.slug, named.course, pack_id, row.tries_used + 1, worker)
    return None


def _pack_for(row: Submission) -> int | None:
    """Return the pack of a row that is graded again, else one drawn now: the code is stored."""
    if row.tries_used == 0 and row.pack_id is not None:
        return row.pack_id
    return draw_pack(submission=row)


def renew(*, lease: Lease) -> bool:
    """Hold the row for another while; False when it is ours no longer."""
    return bool(_held(lease).update(leased_until=timezone.now() + LEASE_LASTS))


def record(*, lease: Lease, report: Report) -> bool:
    """Write the judge's report and the learner's progress; False if the row was taken over."""
    ended = _ended(report)
    arrays = report.picture.to_bytes() if report.picture else None
    learner_pk = lease.submission.learner_id
    for _ in range(LOOKS):
        with transaction.atomic():
            hold_learner(pk=learner_pk)  # first: the order in which an adoption locks at sign-in
            if _held(lease, learner=learner_pk).update(**ended):
                if arrays is not None:
                    CasePicture.objects.create(submission=lease.submission, arrays=arrays)
                if lease.submission.kind == Submission.Kind.SUBMIT:
                    _record_progress(lease, report, Learner(pk=learner_pk))
                return True
        now = _learner_of(lease.submission)
        if now is None or now == learner_pk:
            break
        learner_pk = now
    return False


def _record_progress(lease: Lease, report: Report, learner: Learner) -> None:
    state = "done" if report.verdict.solves else "shaky"
    record_progress(lease.course, learner=learner, kind="exercise", slug=lease.slug, state=state)
    known = [report.known_mistake, report.second_mistake]
    missed = [one.slug for one in known if one is not None and one.kind == "mistake"]
    if missed and not _told_before(lease):
        for slug in missed:
            name = f"{lease.slug}/{slug}"
            note_missed(lease.course, learner=learner, kind="mistake", slug=name)


def _told_before(lease: Lease) -> bool:
    """Say whether the learner was told of this code before: a failure of ours says nothing."""
    earlier = lease.submission.previous_verdicts.exclude(verdict=Verdict.NOT_GRADED.value)
    return earlier.exists()


def give_back(*, lease: Lease, failure: str) -> None:
    """Free a row that failed on our side; after the last lease it is closed as not graded."""
    with transaction.atomic():
        said = storable_text(failure)
        freed = _held(lease).update(leased_until=None, leased_by="", our_failure=said)
        if freed and lease.attempt >= MAX_LEASES:
            close_used_up()


def hand_over(*, lease: Lease) -> None:
    """Free a row untouched, because its worker stops; this lease does not count."""
    _held(lease).update(leased_until=None, leased_by="", pack=None, tries_used=F("tries_used") - 1)


def to_slow_lane(*, lease: Lease) -> None:
    """Put a row that ran too long for the quick lane among the slow ones; it does not count."""
    _held(lease).update(
        slow=True, leased_until=None, leased_by="", pack=None, tries_used=F("tries_used") - 1
    )


def close_used_up() -> int:
    """End every row that used up its leases as not graded; return how many there were."""
    failure = Coalesce(NullIf("our_failure", Value("")), Value(DIED))
    used_up = Submission.objects.used_up(timezone.now())
    return used_up.update(our_failure=failure, **_ended(Report(Verdict.NOT_GRADED)))


def close_refused() -> int:
    """End rows whose exercise failed its verification meanwhile: it cannot grade anybody."""
    free = Submission.objects.free(timezone.now())
    refused = free.filter(exercise_version__verification="refused")
    return refused.update(our_failure=REFUSED, **_ended(Report(Verdict.NOT_GRADED)))


def _ended(report: Report) -> dict[str, Any]:
    measured = report.verdict != Verdict.NOT_GRADED
    return {
        "verdict": report.verdict.value,
        "report": report.as_json(),
        "cases_passed": report.cases_passed if measured else None,
        "cases_total": report.cases_total if measured else None,
        "known_mistake": report.known_mistake.slug if report.known_mistake else "",
        "graded_at": timezone.now(),
        "leased_until": None,
        "leased_by": "",
    }


@transaction.atomic
def _take(row: Submission, pack_id: int, worker: str) -> bool:
    wait_for_turn()
    taken = _taking().change(
        now=timezone.now(), row=row.pk, tries_used=row.tries_used, worker=worker, pack=pack_id
    )
    if taken:
        _using().change(pack=pack_id)
    return bool(taken)


def wait_for_turn() -> None:
    """Within a transaction: hold up workers that come later until it ends.

    One worker at a time takes a row. "One submission of a learner in work" and "one slow row at a
    time" speak of several rows. On PostgreSQL two transactions that take different rows do not see
    each other's, so both would find the rule kept. SQLite has one writer at a time anyway.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_KEY])


@cache
def _waiting(slow_too: bool) -> Statement:
    waiting = Submission.objects.waiting(Moment("now"), slow_too=slow_too)
    named = waiting.annotate(
        slug=F("exercise_version__exercise__slug"), course=F("exercise_version__exercise__course")
    )
    return compiled.select(named[:CANDIDATES])


@cache
def _taking() -> Statement:
    now = Moment("now")
    same = Submission.objects.may_be_leased(now).filter(
        pk=Given("row"), tries_used=Given("tries_used")
    )
    return compiled.update(
        same,
        tries_used=Given("tries_used") + 1,
        leased_until=now + LEASE_LASTS,
        leased_by=Given("worker", CharField()),
        pack_id=Given("pack"),
    )


@cache
def _using() -> Statement:
    return compiled.update(CasePack.objects.filter(pk=Given("pack")), uses=F("uses") + 1)


def _held(lease: Lease, **also: Any) -> QuerySet[Submission]:
    return Submission.objects.filter(
        pk=lease.submission.pk,
        tries_used=lease.attempt,
        leased_by=lease.worker,
        graded_at=None,
        leased_until__isnull=False,
        **also,
    )


def _learner_of(submission: Submission) -> int | None:
    """Return its learner by now: a sign-in may have handed it to an account meanwhile."""
    return Submission.objects.filter(pk=submission.pk).values_list("learner", flat=True).first()
