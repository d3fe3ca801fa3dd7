"""Regrades applied: answers in one transaction, copies of code in chunks.

The preview of answers and the deed are one function (`plan_answers`); the deed asks it once more
under the locks: the learners' rows first, then the attempts' or submissions', as everywhere. What
changed since the preview is refused (PlanChangedError), so that the effect is never another than
the one that was looked at. Answers submitted after the preview are left for another regrade:
`as_of` bounds both.

Copies of code go into the place of their submissions in chunks of 100, each a transaction, and who
comes after an interruption goes on where it stopped. While copies are graded, learners see what
they saw.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from decimal import Decimal

from django.db import transaction
from django.db.models import DecimalField, F, Q, Sum, Value
from django.db.models.functions import Coalesce
from django.utils import timezone

from quizzes.assessment.corrections.keys import AT_ONCE, pieces
from quizzes.assessment.models import Attempt, Question, Regrade, RegradedResponse, Response
from quizzes.assessment.models.attempts import DIGITS_OF_POINTS
from quizzes.exercises.models import (
    CasePicture,
    CodeRegrade,
    PreviousVerdict,
    Submission,
    TrialVerdict,
)
from quizzes.exercises.stored_reports import was_parsed
from quizzes.learners.models import Learner, User
from quizzes.regrades.answers import AnswerChange, Counting, Wish, plan_answers
from quizzes.regrades.code import NOT_GRADED, Grade
from quizzes.regrades.followers import Earlier, Times, follow_answers, follow_code
from quizzes.regrades.plan import Plan, PlanChangedError, RegradeRefusedError
from quizzes.regrades.scope import WHOLE_COURSE, Scope, write_log
from quizzes.regrades.trials import State, change_state, chunks, write_code_log

MAX_NOTE = 2000
# Of a submission, what grading writes.
GRADED = (
    "exercise_version_id",
    "pack_id",
    "verdict",
    "known_mistake",
    "fingerprint",
    "cases_passed",
    "cases_total",
    "our_failure",
    "tries_used",
)


# ---- answers


def _plan_as_seen(wish: Wish, digest: str) -> Plan[AnswerChange]:
    plan = plan_answers(wish)
    if plan.digest != digest or not plan.changes:
        raise PlanChangedError(f"{wish.from_version}: its answers changed since the preview")
    return plan


@transaction.atomic
def apply_answers(wish: Wish, *, digest: str, note: str, by: User) -> Regrade:
    """Apply the plan of a preview; `digest` is that of the plan.

    Raises PlanChangedError, with nothing changed, when it would do anything else by now.
    """
    Question.objects.select_for_update(no_key=True).get(pk=wish.question.pk)
    plan = _plan_as_seen(wish, digest)  # of these the rows are locked
    attempts = sorted({change.attempt for change in plan.changes if change.attempt is not None})
    lock(plan.learners, attempts)
    plan = _plan_as_seen(wish, digest)  # what was planned before the locks may have changed
    regrade = wish.as_regrade(note=note[:MAX_NOTE], by=by)
    regrade.save()
    write_answers([(change.work, change.now) for change in plan.changes], attempts)
    earlier = follow_answers(
        wish.question,
        learners=plan.learners,
        quizzes={(row.learner, row.quiz) for row in plan.changes if row.quiz is not None},
        missed={change.learner for change in plan.changes if change.now.is_missed},
        times=Times(regrade.at),
    )
    _store(regrade, plan.changes, earlier)
    what = f"{regrade}, {len(plan.changes)} answers"
    write_log(wish.question, by, wish.scope, "regraded", what)
    return regrade


def lock(learners: Sequence[int], attempts: Sequence[int]) -> None:
    """Hold the learners' rows, then the attempts', each in the order of their keys."""
    for some in pieces(learners):
        held = Learner.objects.select_for_update(no_key=True).filter(pk__in=some)
        list(held.order_by("pk").values_list("pk"))
    for some in pieces(attempts):
        list(Attempt.objects.select_for_update().filter(pk__in=some).order_by("pk"))


def write_answers(countings: Iterable[tuple[int, Counting]], attempts: Sequence[int]) -> None:
    """Write how responses count, as many at once as count alike, and what their attempts earn."""
    alike: dict[Counting, list[int]] = {}
    for pk, counting in countings:
        alike.setdefault(counting, []).append(pk)
    for counting, keys in alike.items():
        for some in pieces(keys):
            Response.objects.filter(pk__in=some).update(
                is_right=counting.is_right, score=counting.score, is_dropped=counting.is_dropped
            )
    _write_points(attempts)


def _write_points(attempts: Sequence[int]) -> None:
    """Write what attempts that are stored as submitted earn now."""
    digits = DecimalField(max_digits=12, decimal_places=DIGITS_OF_POINTS)
    none = Value(Decimal(0), output_field=digits)
    counted = Q(responses__is_dropped=False)
    worth = F("responses__points") * F("responses__score")
    for some in pieces(attempts):
        rows = Attempt.objects.filter(pk__in=some, submitted_at__isnull=False).order_by()
        sums = rows.annotate(
            now_earned=Coalesce(Sum(worth, filter=counted, output_field=digits), none),
            now_possible=Coalesce(
                Sum("responses__points", filter=counted, output_field=digits), none
            ),
        )
        for pk, earned, possible in sums.values_list("pk", "now_earned", "now_possible"):
            Attempt.objects.filter(pk=pk).update(earned=earned, possible=possible)


def _store(regrade: Regrade, changes: Iterable[AnswerChange], earlier: Earlier) -> None:
    """Store what was before, and what followed with the first response of each learner."""
    left = dict(earlier)
    RegradedResponse.objects.bulk_create(
        (
            RegradedResponse(
                regrade=regrade,
                response_id=change.work,
                was_right=change.was.is_right,
                was_score=change.was.score,
                was_dropped=change.was.is_dropped,
                now_right=change.now.is_right,
                now_score=change.now.score,
                now_dropped=change.now.is_dropped,
                kept=left.pop(change.learner, {}),
            )
            for change in changes
        ),
        batch_size=AT_ONCE,
    )


# ---- code


def apply_code(
    regrade: CodeRegrade, *, by: User, note: str, nobody_loses: bool, scope: Scope = WHOLE_COURSE
) -> int:
    """Put the verdicts of the copies into their submissions; return their number.

    Interrupted, it goes on when it is called again, with the first call's note and choice. Raises
    RegradeRefusedError while copies are graded, and where somebody else was faster.
    """
    with transaction.atomic():
        is_begun = CodeRegrade.objects.filter(pk=regrade.pk, state=State.APPLYING).exists()
        if not is_begun:
            if regrade.trials.filter(graded_at=None).exists():
                raise RegradeRefusedError(
                    "Not all submissions have been graded with the new version yet."
                )
            facts = {"note": note, "nobody_loses": nobody_loses, "applied_at": timezone.now()}
            if not change_state(regrade, State.TRYING, State.APPLYING, **facts):
                raise RegradeRefusedError(
                    "Somebody else has applied or cancelled this regrade in the meantime."
                )
    regrade.refresh_from_db()
    count = sum(
        _apply_chunk(regrade, keys, by) for keys in chunks(regrade.trials.filter(applied_at=None))
    )
    with transaction.atomic():
        if change_state(regrade, State.APPLYING, State.APPLIED):
            applied = regrade.trials.exclude(applied_at=None).count()
            write_code_log(regrade, by, scope, "regraded", f"{applied} submissions")
    return count


@transaction.atomic
def _apply_chunk(regrade: CodeRegrade, keys: Collection[int], by: User) -> int:
    applied, now = [], timezone.now()
    for trial in locked_trials(keys):
        row = trial.submission
        if trial.applied_at is not None or trial.verdict == NOT_GRADED:
            continue
        if row.graded_at is None or row.graded_at != trial.seen_graded_at:
            continue
        if regrade.nobody_loses and grade_of(trial).worth < grade_of(row).worth:
            continue
        _swap_in(regrade, trial, row, by, now)
        applied.append(trial)
    follow_code(regrade, applied, at=now)
    return len(applied)


def grade_of(row: TrialVerdict | Submission) -> Grade:
    return Grade(row.verdict, row.cases_passed, row.cases_total)


def locked_trials(keys: Collection[int]) -> list[TrialVerdict]:
    """Return these trials with their submissions, learners locked first."""
    rows = TrialVerdict.objects.filter(pk__in=keys)
    lock(sorted(set(rows.values_list("submission__learner", flat=True))), ())
    submissions = rows.order_by().values("submission")
    locked = Submission.objects.select_for_update(of=("self",)).filter(pk__in=submissions)
    by_key = {row.pk: row for row in locked.order_by("pk")}
    trials = list(TrialVerdict.objects.select_for_update().filter(pk__in=keys).order_by("pk"))
    for trial in trials:
        trial.submission = by_key[trial.submission_id]
    return trials


def _swap_in(
    regrade: CodeRegrade, trial: TrialVerdict, row: Submission, by: User, now: datetime
) -> None:
    """Write the trial's verdict into its submission, and what stood there beside it."""
    assert row.graded_at is not None
    before = {name: getattr(row, name) for name in GRADED}
    before |= {"graded_at": row.graded_at.isoformat(), "parsed": row.parsed}
    previous = PreviousVerdict.keep(row, by=by)
    Submission.objects.filter(pk=row.pk).update(
        exercise_version=regrade.to_version_id,
        pack=regrade.pack_id,
        verdict=trial.verdict,
        known_mistake=trial.known_mistake,
        fingerprint=trial.fingerprint,
        cases_passed=trial.cases_passed,
        cases_total=trial.cases_total,
        parsed=was_parsed(trial.report),
        report=trial.report,
        our_failure="",
        graded_at=now,
        tries_used=max(1, row.tries_used),
    )
    trial.arrays = swap_picture(row, trial.arrays)
    trial.applied_at, trial.previous, trial.before = now, previous, before
    trial.save(update_fields=["arrays", "applied_at", "previous", "before"])


def swap_picture(row: Submission, arrays: bytes | memoryview | None) -> bytes | None:
    """Give a submission another picture; return the one that it had."""
    pictures = CasePicture.objects.filter(submission=row)
    old = pictures.values_list("arrays", flat=True).first()
    pictures.delete()
    if arrays is not None:
        CasePicture.objects.create(submission=row, arrays=bytes(arrays))
    return None if old is None else bytes(old)
