"""Regrades undone, or declined by a class: work counts as it did before.

A later regrade of the same work is undone first. A class that does not own a regrade declines it:
the work of the class alone counts as before.
"""

from collections.abc import Collection, Iterable

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from quizzes.assessment.models import Question, Regrade, RegradedResponse
from quizzes.exercises.models import CodeRegrade, Submission, TrialVerdict
from quizzes.learners.models import User
from quizzes.regrades.answers import Counting
from quizzes.regrades.apply import (
    GRADED,
    lock,
    locked_trials,
    swap_picture,
    write_answers,
)
from quizzes.regrades.followers import Times, follow_answers, follow_code
from quizzes.regrades.plan import RegradeRefusedError
from quizzes.regrades.scope import WHOLE_COURSE, Scope, write_log
from quizzes.regrades.trials import State, change_state, chunks, write_code_log

UNDONE, DECLINED = "regrade undone", "regrade declined"


def _refuse_under_later(later: Iterable[Regrade | CodeRegrade]) -> None:
    named = [
        f"“{regrade}” of {regrade.at:%-d %B %Y, %H:%M} UTC"
        + (" by a class" if regrade.cohort_id is not None else "")
        for regrade in later
    ]
    if named:
        raise RegradeRefusedError(f"Later regrades have changed the same work: {', '.join(named)}.")


@transaction.atomic
def undo_answers(regrade: Regrade, *, by: User, scope: Scope = WHOLE_COURSE) -> int:
    """Have the responses of a regrade count as before; return their number.

    Raises RegradeRefusedError, with nothing changed, when a later regrade touched the same.
    """
    question = Question.objects.select_for_update(no_key=True).get(pk=regrade.question_id)
    rows = regrade.responses.filter(undone_at=None)
    if declines := scope.declines(regrade):
        rows = rows.filter(response__attempt__sitting__in=scope.sittings)
    undone = [
        (
            row,
            row.response.attempt,
            row.response.learner_key,
            Counting(row.was_score, row.was_dropped),
        )
        for row in rows.select_related("response__attempt")
    ]
    learners = sorted({learner for _, _, learner, _ in undone})
    attempts = sorted({attempt.pk for _, attempt, _, _ in undone if attempt is not None})
    lock(learners, attempts)
    responses = [row.response_id for row, *_ in undone]
    later = RegradedResponse.objects.filter(
        regrade__gt=regrade.pk, undone_at=None, response__in=responses
    )
    _refuse_under_later(Regrade.objects.filter(pk__in=later.values("regrade")))
    now = timezone.now()
    write_answers(((row.response_id, before) for row, _, _, before in undone), attempts)
    follow_answers(
        question,
        learners=learners,
        quizzes={(learner, at.quiz_id) for _, at, learner, _ in undone if at is not None},
        missed={learner for _, _, learner, before in undone if before.is_missed},
        times=Times(now, {regrade.at}),
        before={learner: row.kept for row, _, learner, _ in undone if row.kept},
    )
    rows.filter(pk__in=[row.pk for row, *_ in undone]).update(undone_at=now)
    if not regrade.responses.filter(undone_at=None).exists():
        Regrade.objects.filter(pk=regrade.pk).update(undone_at=now, undone_by=by)
    act = DECLINED if declines else UNDONE
    write_log(question, by, scope, act, f"{regrade}, {len(undone)} answers")
    return len(undone)


def applied_trials(regrade: CodeRegrade, scope: Scope = WHOLE_COURSE) -> QuerySet[TrialVerdict]:
    """Return the changes of a regrade that stand: all of them, or those of a declining class.

    Members may have left the class since: its own regrade changed what it changed.
    """
    rows = regrade.trials.filter(applied_at__isnull=False, undone_at=None).order_by()
    if not scope.declines(regrade):
        return rows
    return rows.filter(
        submission__in=scope.narrow(Submission.objects.all()).order_by().values("pk")
    )


def undo_code(regrade: CodeRegrade, *, by: User, scope: Scope = WHOLE_COURSE) -> int:
    """Give submissions their former verdicts; return their number. Resumes after an interruption.

    A submission that was graded again by itself since then stays. Raises RegradeRefusedError
    where a later regrade changed the same submissions.
    """
    declines, rows = scope.declines(regrade), applied_trials(regrade, scope)
    with transaction.atomic():
        later = TrialVerdict.objects.filter(
            regrade__gt=regrade.pk,
            applied_at__isnull=False,
            undone_at=None,
            submission__in=rows.values("submission"),
        )
        _refuse_under_later(CodeRegrade.objects.filter(pk__in=later.values("regrade")))
        states = CodeRegrade.objects.filter(pk=regrade.pk)
        is_begun = states.filter(state=State.APPLIED if declines else State.UNDOING).exists()
        if not is_begun and (declines or not _begin_undo(regrade, by)):
            words = "Somebody else has undone this regrade, or it was never applied."
            raise RegradeRefusedError(words)
    count = sum(_undo_chunk(regrade, keys) for keys in chunks(rows))
    with transaction.atomic():
        if declines:
            write_code_log(regrade, by, scope, DECLINED, f"{count} submissions of {scope.slug}")
        elif change_state(regrade, State.UNDOING, State.UNDONE):
            write_code_log(regrade, by, scope, UNDONE, f"{count} submissions")
    return count


def _begin_undo(regrade: CodeRegrade, by: User) -> bool:
    facts = {"undone_at": timezone.now(), "undone_by": by}
    try:
        with transaction.atomic():
            return change_state(regrade, State.APPLIED, State.UNDOING, **facts)
    except IntegrityError as error:
        words = "Another regrade of these submissions is in progress: finish or cancel it first."
        raise RegradeRefusedError(words) from error


@transaction.atomic
def _undo_chunk(regrade: CodeRegrade, keys: Collection[int]) -> int:
    undone, now = [], timezone.now()
    for trial in locked_trials(keys):
        row, before = trial.submission, trial.before
        if trial.undone_at is not None or row.graded_at != trial.applied_at:
            continue
        previous = trial.previous
        Submission.objects.filter(pk=row.pk).update(
            **{"fingerprint": "", **{name: before[name] for name in GRADED if name in before}},
            parsed=before.get("parsed", True),  # regrades of before have no word of it
            report=previous.report if previous else row.report,
            graded_at=parse_datetime(before["graded_at"]),
        )
        trial.arrays = swap_picture(row, trial.arrays)
        trial.undone_at, trial.previous = now, None
        trial.save(update_fields=["arrays", "undone_at", "previous"])
        if previous is not None:
            previous.delete()
        undone.append(trial)
    follow_code(regrade, undone, at=now, undo=True)
    return len(undone)
