"""Delete the data about one person.

The account, drafts, progress and the review queue go at once. Submitted answers and verdicts stay
as numbers, under a learner without name, code or texts, and are deleted with the idle learners.
In classes the marks stay, of a "deleted person n".
"""

import uuid

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from quizzes.assessment.models import Attempt, RegradedResponse, Response
from quizzes.assessment.services import hand_in_overdue
from quizzes.classes.marks.frozen_marks import cut_off
from quizzes.exercises.models import (
    CasePicture,
    MistakeDraft,
    PreviousVerdict,
    Submission,
    TrialVerdict,
)
from quizzes.exercises.models.submission import ERASED_CODE
from quizzes.grader.api import Verdict
from quizzes.grader.judge import Report
from quizzes.learners.account_merge import columns_naming_learners
from quizzes.learners.models import Learner, User

ERASED_TEXT = "deleted"
KEPT_AS_NUMBERS = {Attempt, Response, Submission}


class AdministratorError(Exception):
    """An administrator's account cannot be deleted from its own page: the site needs one."""


@transaction.atomic
def erase(*, learner: Learner | None, user: User | None) -> None:
    """Delete the account and all data that names its owner.

    Repeating it is safe. Raises AdministratorError for a superuser.
    """
    if user is not None and user.is_superuser:
        raise AdministratorError(f"{user} is an administrator")
    if user is not None:
        cut_off(user)  # while the marks of its classes can still be computed
    if learner is not None:
        _empty(Learner.objects.select_for_update().get(pk=learner.pk))
    if user is not None:
        for model in (AccessAttempt, AccessFailureLog, AccessLog):
            model.objects.filter(username=user.username).delete()
        user.delete()


def _empty(learner: Learner) -> None:
    for overdue in Attempt.objects.overdue(timezone.now()).filter(learner=learner):
        hand_in_overdue(overdue)  # the clock submitted it: it is not open
    for model, field in columns_naming_learners():
        if model not in KEPT_AS_NUMBERS:
            model._base_manager.filter(**{field: learner}).delete()
    Attempt.objects.filter(learner=learner, submitted_at=None).delete()
    for answered in (Response.objects.filter(learner=learner), _in_attempts(learner)):
        answered.filter(answered_at=None).update(text="")
        answered.exclude(text="").update(text=ERASED_TEXT)
    for regraded in (Q(response__learner=learner), Q(response__attempt__learner=learner)):
        RegradedResponse.objects.filter(regraded).update(kept={})
    _empty_submissions(learner)
    Learner.objects.filter(pk=learner.pk).update(
        user=None, uuid=uuid.uuid4(), last_seen_at=timezone.now()
    )


def _in_attempts(learner: Learner) -> QuerySet[Response]:
    return Response.objects.filter(attempt__learner=learner)


def _empty_submissions(learner: Learner) -> None:
    """Blank the code, and keep only the verdict and the known mistake of each report.

    Drafts of known mistakes that began with their code go. What is published stays: an author has
    read it and answers for it as for any text of the course.
    """
    handed_in = Submission.objects.filter(learner=learner)
    handed_in.ungraded().delete()
    handed_in.filter(kind=Submission.Kind.RUN).delete()
    CasePicture.objects.filter(submission__in=handed_in).delete()
    TrialVerdict.objects.filter(submission__in=handed_in).delete()
    PreviousVerdict.objects.filter(submission__in=handed_in).delete()
    MistakeDraft.objects.filter(sample__in=handed_in, published=None).delete()
    for row in handed_in.only("pk", "verdict", "graded_at", "report"):
        report = row.verdict_report
        mistake = report.known_mistake if report else None
        bare = Report(Verdict(row.verdict), known_mistake=mistake).as_json()
        Submission.objects.filter(pk=row.pk).update(code=ERASED_CODE, report=bare, fingerprint="")
