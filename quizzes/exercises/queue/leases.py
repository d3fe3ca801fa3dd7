"""The queue's verbs: lease a row, keep it, record its report, give it back, close what is used up.

A worker may be killed, frozen for a minute, or cut off from the database at any moment, and two may
look at one row in the same instant. So nothing is locked while code runs. A row says whose lease it
has; an engine (`port.py`) hands it to another worker once the first seems dead. A worker that was
only frozen wakes up and still believes in its lease. Therefore every change is one conditional
UPDATE, with the worker's name and `tries_used` as the fence: a later lease has another name or a
higher number, and an older lease's report is refused. A row that took three workers down is closed
as our failure, or it would take down all of them, one after another.
"""

from datetime import timedelta
from functools import cache
from typing import Any

from django.db import transaction
from django.db.models import CharField, F, QuerySet, Value
from django.db.models.functions import Coalesce, Now, NullIf
from django.utils import timezone

from quizzes import statements
from quizzes.exercises.models import CasePicture, CodeRun, Submission
from quizzes.exercises.models.submission import MAX_LEASES
from quizzes.exercises.queue.batch_pictures import drop_older_pictures, drop_older_xrays
from quizzes.exercises.queue.clock import time_of_update
from quizzes.exercises.queue.engine import engine
from quizzes.exercises.queue.port import Lease, is_row_waiting
from quizzes.exercises.queue.verdict_notice import notify_of_verdict
from quizzes.grader.api import Verdict, storable_text
from quizzes.grader.judge import Report
from quizzes.grader.programs import Counterexample, ProgramRun, Sample, XRay
from quizzes.learners.models import Learner, Progress
from quizzes.learners.services import hold_learner, note_missed, record_progress
from quizzes.statements import Param, Statement

LOOKS = 3  # a submission handed to another learner while we wait for its lock is looked up again
DIED = "The workers that were grading it died or froze without sending a report."
REFUSED = "The exercise failed its verification, so it cannot grade submissions."


def lease_next(*, worker: str, slow_too: bool = False) -> Lease | None:
    """Take the row that is next, with a pack of cases; None when nothing waits.

    `slow_too`: a row of the slow lane that has waited long may come before quick ones.
    """
    return engine().take(worker=worker, slow_too=slow_too)


def renew(*, lease: Lease) -> bool:
    """Hold the row for another while; False when it is ours no longer."""
    return engine().is_ours(lease)


def record(*, lease: Lease, report: Report) -> bool:
    """Write the judge's report and the learner's progress; False if the row was taken over."""
    ended = _ended(report)
    ended["slow_seconds"] = report.all_seconds if lease.submission.slow else None
    arrays = report.picture.to_bytes() if report.picture else None
    learner_pk = lease.submission.learner_id
    for _ in range(LOOKS):
        with transaction.atomic():
            hold_learner(pk=learner_pk)  # first: the order in which an adoption locks at sign-in
            if _recording().change(**_named(lease), learner=learner_pk, **ended):
                if arrays is not None:
                    CasePicture.objects.create(submission=lease.submission, arrays=arrays)
                if lease.submission.kind == Submission.Kind.SUBMIT:
                    _record_progress(lease, report, Learner(pk=learner_pk))
                engine().end(lease)
                notify_of_verdict(lease.submission.key)
                return True
        now = _learner_of(lease.submission)
        if now is None or now == learner_pk:
            break
        learner_pk = now
    return False


@transaction.atomic
def record_run(*, lease: Lease, outcome: ProgramRun | Counterexample | Sample | XRay) -> bool:
    """Write what came of a Run, and nothing else; False if the row was taken over or deleted."""
    ended = {"graded_at": time_of_update(), "leased_until": None, "leased_by": ""}
    seconds = outcome.seconds if lease.submission.slow else None
    if not _held(lease).update(**ended, slow_seconds=seconds):
        return False
    rows = CodeRun.objects.filter(submission=lease.submission.pk)
    rows.update(outcome=outcome.as_json(), picture=outcome.picture)
    if isinstance(outcome, Sample):
        drop_older_pictures(lease.submission)
    elif isinstance(outcome, XRay):
        drop_older_xrays(lease.submission)
    engine().end(lease)
    notify_of_verdict(lease.submission.key)
    return True


def _record_progress(lease: Lease, report: Report, learner: Learner) -> None:
    state = Progress.State.DONE if report.verdict.solves else Progress.State.NEEDS_WORK
    record_progress(
        lease.course, learner=learner, kind="exercise", slug=lease.slug, state=state.value
    )
    known = [report.known_mistake, report.second_mistake]
    missed = [
        mistake.slug for mistake in known if mistake is not None and mistake.kind == "mistake"
    ]
    if missed and not _told_before(lease):
        for slug in missed:
            name = f"{lease.slug}/{slug}"
            note_missed(lease.course, learner=learner, kind="mistake", slug=name)


def _told_before(lease: Lease) -> bool:
    """Say whether the learner was told of this code before: our failure says nothing."""
    earlier = lease.submission.previous_verdicts.exclude(verdict=Verdict.NOT_GRADED.value)
    return earlier.exists()


@transaction.atomic
def give_back(*, lease: Lease, failure: str) -> None:
    """Free a row that failed on our side; after the last lease it is closed as not graded."""
    said = storable_text(failure)
    if lease.number < MAX_LEASES:
        _set_free(lease, our_failure=said)
    elif _held(lease).update(our_failure=said or DIED, **_ended(Report(Verdict.NOT_GRADED))):
        engine().end(lease)
        notify_of_verdict(lease.submission.key)


def hand_over(*, lease: Lease) -> None:
    """Free a row untouched, because its worker stops; this lease does not count."""
    _set_free(lease, tries_used=F("tries_used") - 1, **_pack_of_next(lease))


def to_slow_lane(*, lease: Lease) -> None:
    """Put a row that ran too long for the quick lane among the slow ones; it does not count."""
    row, now = lease.submission, timezone.now()
    seconds = Submission.objects.slow_seconds_of(row.learner_id, now)
    row.scheduled_for = now + timedelta(seconds=seconds)
    _set_free(
        lease,
        slow=True,
        scheduled_for=row.scheduled_for,
        tries_used=F("tries_used") - 1,
        **_pack_of_next(lease),
    )


def _pack_of_next(lease: Lease) -> dict[str, Any]:
    """Have another pack drawn for the next run, unless this one serves nobody but its submission.

    Then the run that was cut short told nobody anything, and a regrade keeps its cases.
    """
    return {} if lease.submission.own_pack else {"pack": None}


@transaction.atomic
def _set_free(lease: Lease, *, slow: bool | None = None, **changed: Any) -> None:
    slow = lease.submission.slow if slow is None else slow
    if _held(lease).update(leased_until=None, leased_by="", slow=slow, **changed):
        engine().put_back(lease, slow=slow)


def sweep() -> int:
    """Free what dead workers had, close what cannot be graded; return how many were closed.

    All of that has no verdict: an idle worker asks no more.
    """
    if not is_row_waiting():
        return 0
    engine().sweep()
    return close_used_up() + close_refused()


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
        "parsed": report.parsed,
        "known_mistake": report.known_mistake.slug if report.known_mistake else "",
        "fingerprint": report.fingerprint,
        "graded_at": time_of_update(),
        "leased_until": None,
        "leased_by": "",
    }


@cache
def _recording() -> Statement:
    """Return the UPDATE that every verdict needs; what `_ended` says and whose row it is."""
    worker = Param("worker", CharField())
    held = Submission.objects.in_work_of(
        pk=Param("pk"), worker=worker, number=Param("number")
    ).filter(learner=Param("learner"))
    fields = {field.name: field for field in Submission._meta.concrete_fields}
    ended = _ended(Report(Verdict.NOT_GRADED)) | {"slow_seconds": None}
    changed = {
        name: value if isinstance(value, Now) else Param(name, fields[name])
        for name, value in ended.items()
    }
    return statements.update(held, **changed)


def _held(lease: Lease) -> QuerySet[Submission]:
    return Submission.objects.in_work_of(**_named(lease))


def _named(lease: Lease) -> dict[str, Any]:
    return {"pk": lease.submission.pk, "worker": lease.worker, "number": lease.number}


def _learner_of(submission: Submission) -> int | None:
    """Return its learner by now: a sign-in may have handed it to an account meanwhile."""
    return Submission.objects.filter(pk=submission.pk).values_list("learner", flat=True).first()
