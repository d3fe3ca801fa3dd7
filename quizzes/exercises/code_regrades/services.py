"""Verdicts of graded copies put into the place of their submissions', and taken back.

Nothing is emptied: while copies are graded, learners see what they saw. Whatever touches many rows
goes in chunks of 100, each a transaction of its own, and whoever comes after an interruption goes
on where it stopped. Learners are locked first, their submissions second, as everywhere.
"""

from collections.abc import Collection
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from quizzes.exercises.code_regrades.changes import worth
from quizzes.exercises.code_regrades.followers import follow
from quizzes.exercises.code_regrades.trials import (
    ALL,
    CHUNK,
    NOT_GRADED,
    CodeRegradeRefusedError,
    CodeScope,
    change_state,
    write_log,
)
from quizzes.exercises.models import (
    CasePicture,
    CodeRegrade,
    PreviousVerdict,
    Submission,
    TrialVerdict,
)
from quizzes.exercises.stored_reports import was_parsed
from quizzes.learners.models import Learner, User

State = CodeRegrade.State
# Of a submission, what grading writes.
GRADED = (
    "exercise_version_id",
    "pack_id",
    "verdict",
    "known_mistake",
    "cases_passed",
    "cases_total",
    "our_failure",
    "tries_used",
)


def apply_trials(made: CodeRegrade, *, by: User, note: str, nobody_loses: bool) -> int:
    """Put the verdicts of the copies into their submissions; return how many.

    Interrupted, it goes on when it is called again, with the first call's note and choice. Raises
    CodeRegradeRefusedError while copies are graded, and where somebody else was faster.
    """
    with transaction.atomic():
        is_begun = CodeRegrade.objects.filter(pk=made.pk, state=State.APPLYING).exists()
        if not is_begun:
            if made.trials.filter(graded_at=None).exists():
                raise CodeRegradeRefusedError("Not all submissions are graded beside yet.")
            facts = {"note": note, "nobody_loses": nobody_loses, "applied_at": timezone.now()}
            if not change_state(made, State.TRYING, State.APPLYING, **facts):
                raise CodeRegradeRefusedError(
                    "Another person has applied or cancelled it meanwhile."
                )
    made.refresh_from_db()
    after, count = 0, 0
    while keys := _next_keys(made.trials.filter(applied_at=None), after):
        count += _apply_chunk(made, keys, by)
        after = keys[-1]
    with transaction.atomic():
        if change_state(made, State.APPLYING, State.APPLIED):
            write_log(
                made, by, f"{made.trials.exclude(applied_at=None).count()} submissions", "regraded"
            )
    return count


def _next_keys(rows: QuerySet[TrialVerdict], after: int) -> list[int]:
    return list(rows.filter(pk__gt=after).order_by("pk").values_list("pk", flat=True)[:CHUNK])


@transaction.atomic
def _apply_chunk(made: CodeRegrade, keys: Collection[int], by: User) -> int:
    trials = _locked(keys)
    done, now = 0, timezone.now()
    for trial in trials:
        row = trial.submission
        if trial.applied_at is not None or trial.verdict == NOT_GRADED:
            continue
        if row.graded_at is None or row.graded_at != trial.seen_graded_at:
            continue
        if made.nobody_loses and worth(
            trial.verdict, trial.cases_passed, trial.cases_total
        ) < worth(row.verdict, row.cases_passed, row.cases_total):
            continue
        _swap_in(made, trial, row, by, now)
        done += 1
    follow(made, [trial for trial in trials if trial.applied_at == now], at=now)
    return done


def _locked(keys: Collection[int]) -> list[TrialVerdict]:
    """Return these trials with their submissions, learners locked first."""
    rows = TrialVerdict.objects.filter(pk__in=keys)
    learners = set(rows.values_list("submission__learner", flat=True))
    held = Learner.objects.select_for_update(no_key=True).filter(pk__in=learners)
    list(held.order_by("pk").values_list("pk"))
    submissions = rows.order_by().values("submission")
    locked = Submission.objects.select_for_update(of=("self",)).filter(pk__in=submissions)
    by_key = {row.pk: row for row in locked.order_by("pk")}
    found = list(TrialVerdict.objects.select_for_update().filter(pk__in=keys).order_by("pk"))
    for trial in found:
        trial.submission = by_key[trial.submission_id]
    return found


def _swap_in(made: CodeRegrade, trial: TrialVerdict, row: Submission, by: User, now: Any) -> None:
    """Write the trial's verdict into its submission, and what stood there beside it."""
    assert row.graded_at is not None
    before = {name: getattr(row, name) for name in GRADED}
    before |= {"graded_at": row.graded_at.isoformat(), "parsed": row.parsed}
    previous = PreviousVerdict.keep(row, by=by)
    Submission.objects.filter(pk=row.pk).update(
        exercise_version=made.to_version_id,
        pack=made.pack_id,
        verdict=trial.verdict,
        known_mistake=trial.known_mistake,
        cases_passed=trial.cases_passed,
        cases_total=trial.cases_total,
        parsed=was_parsed(trial.report),
        report=trial.report,
        our_failure="",
        graded_at=now,
        tries_used=max(1, row.tries_used),
    )
    trial.arrays = _swap_picture(row, trial.arrays)
    trial.applied_at, trial.previous, trial.before = now, previous, before
    trial.save(update_fields=["arrays", "applied_at", "previous", "before"])


def _swap_picture(row: Submission, arrays: bytes | memoryview | None) -> bytes | None:
    """Give a submission another picture; return the one that it had."""
    had = CasePicture.objects.filter(submission=row).values_list("arrays", flat=True).first()
    CasePicture.objects.filter(submission=row).delete()
    if arrays is not None:
        CasePicture.objects.create(submission=row, arrays=bytes(arrays))
    return None if had is None else bytes(had)


# ---- undoing


def later_code_regrades(made: CodeRegrade, scope: CodeScope = ALL) -> list[CodeRegrade]:
    """Return the regrades after this one that changed the same submissions, newest first."""
    ours = applied_trials(made, scope).values("submission")
    later = TrialVerdict.objects.filter(
        regrade__gt=made.pk, applied_at__isnull=False, undone_at=None, submission__in=ours
    )
    return list(CodeRegrade.objects.filter(pk__in=later.values("regrade")))


def applied_trials(made: CodeRegrade, scope: CodeScope = ALL) -> QuerySet[TrialVerdict]:
    """Return what a regrade changed in this scope and nobody took back."""
    rows = made.trials.filter(applied_at__isnull=False, undone_at=None).order_by()
    if scope.submissions is None:
        return rows
    return rows.filter(submission__in=scope.submissions.order_by().values("pk"))


def _refuse_under_a_later_one(made: CodeRegrade, scope: CodeScope = ALL) -> None:
    if later := later_code_regrades(made, scope):
        named = ", ".join(
            f"{one} of {one.at:%-d %B %Y, %H:%M} UTC"
            + (f" by the class {one.cohort}" if one.cohort else "")
            for one in later
        )
        raise CodeRegradeRefusedError(f"Later regrades changed the same submissions: {named}.")


def decline_trials(made: CodeRegrade, *, by: User, scope: CodeScope) -> int:
    """Give the submissions of a class back what they had before a regrade of the whole course.

    Return how many these are. Goes on after an interruption when it is called again. Raises
    CodeRegradeRefusedError.
    """
    with transaction.atomic():
        if not CodeRegrade.objects.filter(pk=made.pk, state=State.APPLIED).exists():
            raise CodeRegradeRefusedError("Somebody else has undone it, or it is not applied.")
        _refuse_under_a_later_one(made, scope)
    keys = sorted(applied_trials(made, scope).values_list("pk", flat=True))
    count = sum(
        _undo_chunk(made, keys[start : start + CHUNK]) for start in range(0, len(keys), CHUNK)
    )
    what = f"{count} submissions of {scope.cohort}"
    write_log(made, by, what, "regrade declined", cohort=scope.cohort)
    return count


def undo_trials(made: CodeRegrade, *, by: User) -> int:
    """Give submissions back what they had; return how many. Goes on after an interruption.

    A submission that was graded again by itself since then stays. Raises CodeRegradeRefusedError
    where a later regrade changed the same submissions.
    """
    with transaction.atomic():
        _refuse_under_a_later_one(made)
        is_begun = CodeRegrade.objects.filter(pk=made.pk, state=State.UNDOING).exists()
        facts = {"undone_at": timezone.now(), "undone_by": by}
        if not is_begun and not change_state(made, State.APPLIED, State.UNDOING, **facts):
            raise CodeRegradeRefusedError("Somebody else has undone it, or it is not applied.")
    after, count = 0, 0
    rows = applied_trials(made)
    while keys := _next_keys(rows, after):
        count += _undo_chunk(made, keys)
        after = keys[-1]
    with transaction.atomic():
        if change_state(made, State.UNDOING, State.UNDONE):
            write_log(made, by, f"{count} submissions", "regrade undone")
    return count


@transaction.atomic
def _undo_chunk(made: CodeRegrade, keys: Collection[int]) -> int:
    done, now = [], timezone.now()
    for trial in _locked(keys):
        row, before = trial.submission, trial.before
        if trial.undone_at is not None or row.graded_at != trial.applied_at:
            continue
        previous = trial.previous
        Submission.objects.filter(pk=row.pk).update(
            **{name: before[name] for name in GRADED},
            parsed=before.get("parsed", True),  # regrades of before have no word of it
            report=previous.report if previous else row.report,
            graded_at=parse_datetime(before["graded_at"]),
        )
        trial.arrays = _swap_picture(row, trial.arrays)
        trial.undone_at, trial.previous = now, None
        trial.save(update_fields=["arrays", "undone_at", "previous"])
        if previous is not None:
            previous.delete()
        done.append(trial)
    follow(made, done, at=now, back=True)
    return len(done)
