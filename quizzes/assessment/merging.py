"""When an account adopts a learner: settle what only one of a learner may have."""

from django.utils import timezone

from quizzes.assessment.models import Attempt, Response
from quizzes.learners.models import Learner


def settle_attempts(*, source: Learner, target: Learner, **_: object) -> None:
    """Receive `learners_merging`: of two open attempts at a quiz the one with more answers goes on.

    The other one is closed as it is and kept, unless nothing in it was answered.
    """
    for attempt in Attempt.objects.filter(learner=source, submitted_at=None):
        other = Attempt.objects.filter(
            learner=target, quiz_id=attempt.quiz_id, submitted_at=None
        ).first()
        if other is not None:
            less = min(attempt, other, key=_answered)
            if _answered(less):
                Attempt.objects.filter(pk=less.pk).update(submitted_at=timezone.now())
            else:
                less.delete()


def settle_inline_responses(*, source: Learner, target: Learner, **_: object) -> None:
    """Receive `learners_merging`: a question both answered keeps the account's answer."""
    answered = Response.objects.filter(learner=target).exclude(step="")
    theirs = answered.values_list("step", "version")
    for step, version in list(theirs):
        Response.objects.filter(learner=source, step=step, version=version).delete()


def _answered(attempt: Attempt) -> int:
    return attempt.responses.filter(answered_at__isnull=False).count()
