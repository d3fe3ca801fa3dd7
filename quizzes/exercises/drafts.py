"""Drafts on the server: saved as one writes, never over a text that the writer has not seen."""

from collections.abc import Iterable
from functools import cache
from uuid import UUID, uuid4

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from quizzes.exercises.models import Draft, Exercise
from quizzes.exercises.models.submission import MAX_BYTES
from quizzes.exercises.services import normalise_code
from quizzes.learners.models import Learner
from quizzes.statements import Param, Reader

KEPT = 2  # one in work, one that waits to be asked about


class DraftConflict(Exception):  # noqa: N818 -- not an error, a question
    """The server has another text than the one this save is based on: `draft`."""

    def __init__(self, draft: Draft) -> None:
        super().__init__(str(draft))
        self.draft = draft


def drafts_of(*, learner: Learner | None, exercise: Exercise | None) -> list[Draft]:
    """Return the learner's draft; a second one comes from signing in with a draft of one's own.

    Without an exercise, the draft of the lab.
    """
    if learner is None:
        return []
    if exercise is None:
        return list(Draft.objects.filter(learner=learner, exercise=None)[:KEPT])
    return _drafts().read(learner=learner.pk, exercise=exercise.pk)


@cache
def _drafts() -> Reader[Draft]:
    return Reader(Draft.objects.filter(learner=Param("learner"), exercise=Param("exercise"))[:KEPT])


def exercises_with_draft(*, learner: Learner | None, exercises: Iterable[Exercise]) -> set[int]:
    """Return the keys of those exercises of which the learner has a draft."""
    keys = [exercise.pk for exercise in exercises]
    if learner is None or not keys:
        return set()
    drafts = Draft.objects.filter(learner=learner, exercise__in=keys)
    return set(drafts.values_list("exercise", flat=True))


def owner_mark(*, learner: Learner | None, account: int | None) -> str:
    """Return a key for the people whose drafts one browser keeps, "" for a newcomer.

    Of an account if there is one: it may write before it has a learner.
    """
    if account is not None:
        whose = f"account {account}"
    elif learner is not None:
        whose = f"learner {learner.uuid}"
    else:
        return ""
    return salted_hmac("quizzes.exercises.draft_owner", whose, algorithm="sha256").hexdigest()[:16]


def save_draft(
    *,
    exercise: Exercise | None,
    learner: Learner,
    code: str,
    based_on: UUID | None,
    instead_of: UUID | None = None,
) -> Draft:
    """Save a text that follows the draft with the token `based_on`, None for the first.

    Without an exercise it is a draft of the lab. `instead_of` names another draft that the learner
    was shown and gave up. Raises DraftConflict when there is a draft that this text does not
    follow, ValidationError for what cannot be kept, Learner.DoesNotExist for one who was deleted
    or moved to an account meanwhile.
    """
    text = normalise_code(code)
    if len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise ValidationError({"code": f"The limit for a draft is {MAX_BYTES} bytes."})
    with transaction.atomic():
        Learner.objects.select_for_update().get(pk=learner.pk)  # two tabs, one after the other
        drafts = Draft.objects.filter(learner=learner, exercise=exercise)
        if instead_of is not None and instead_of != based_on:
            drafts.filter(token=instead_of).delete()
        newest = drafts.first()
        draft = drafts.filter(code=text).first()
        if draft is None and based_on is not None:
            draft = drafts.filter(token=based_on).first()
        if draft is None and newest is not None:
            raise DraftConflict(newest)
        draft = draft or Draft(learner=learner, exercise=exercise)
        if draft.code != text or draft._state.adding:
            draft.code, draft.token, draft.saved_at = text, uuid4(), timezone.now()
            draft.full_clean(exclude=["learner", "exercise"], validate_unique=False)
            draft.save()
    return draft
