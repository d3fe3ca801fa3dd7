"""What learners do with questions: start an attempt, answer, submit, answer inside a lesson."""

import random
from collections.abc import Iterable, Mapping

from django.db import IntegrityError, transaction
from django.utils import timezone

from quizzes.assessment.answering import (
    ANSWER_FIELDS,
    Given,
    NoSuchChoiceError,
    chosen_options,
    clean_text,
    put_answer,
    unreadable,
)
from quizzes.assessment.drawing import Drawn, draw, shuffled
from quizzes.assessment.models import Attempt, Quiz, Response
from quizzes.assessment.numeric import read_as
from quizzes.assessment.reviewing import note_answers
from quizzes.learners.models import Learner, Progress
from quizzes.learners.services import record_progress

LOOKS = 5  # for a row that moves to an account, or is submitted, while we reach for it


class AttemptClosedError(Exception):
    """The attempt was submitted already; nothing was changed.

    `choices_lost` says whether the choices that came too late are others than the submitted ones.
    """

    def __init__(self, attempt: Attempt, *, choices_lost: bool) -> None:
        super().__init__(f"attempt {attempt.pk} was submitted at {attempt.submitted_at}")
        self.choices_lost = choices_lost


def start_attempt(*, learner: Learner, quiz: Quiz) -> Attempt:
    """Return the learner's open attempt at a quiz, or begin one.

    Question versions, drawn numbers and the order of options are fixed now; later edits do not
    reach it. Raises Quiz.DoesNotExist when the quiz has no questions.
    """
    for look in range(LOOKS):
        found = open_attempt(learner=learner, quiz=quiz)
        if found is not None:
            return found
        try:
            return _begin(learner, quiz)
        except IntegrityError:  # the other click, or the other tab, was faster
            if look == LOOKS - 1:
                raise
    raise AssertionError("the last look returns or raises")


def open_attempt(*, learner: Learner | None, quiz: Quiz) -> Attempt | None:
    """Return the attempt the learner has begun and not submitted."""
    return Attempt.objects.filter(learner=learner, quiz=quiz, submitted_at=None).first()


@transaction.atomic
def _begin(learner: Learner, quiz: Quiz) -> Attempt:
    places = quiz.places.filter(question__current__isnull=False)
    questions = [place.question for place in places.select_related("question__current")]
    drawn = draw(questions, learner=learner)
    asked = [drawn[question.pk] for question in questions if question.pk in drawn]
    if not asked:
        raise Quiz.DoesNotExist(f"quiz {quiz.slug}: has no questions")
    attempt = Attempt.objects.create(learner=learner, quiz=quiz)
    Response.objects.bulk_create(
        _response_to(one, attempt=attempt, order=order) for order, one in enumerate(asked, start=1)
    )
    return attempt


def _response_to(drawn: Drawn, *, attempt: Attempt, order: int) -> Response:
    return Response(
        attempt=attempt,
        order=order,
        version=drawn.version,
        instance=drawn.instance,
        option_order=shuffled(drawn, random.Random()),  # noqa: S311
    )


@transaction.atomic
def answer(*, attempt: Attempt, choices: Mapping[int, Given]) -> int:
    """Save answers by their response's primary key; return how many questions are answered.

    Raises AttemptClosedError after submission, NoSuchChoiceError for a choice that was not
    offered; then nothing of it is saved.
    """
    held = Attempt.objects.select_for_update().get(pk=attempt.pk)
    asked = held.responses.select_related("version", "instance")
    responses = {response.pk: response for response in asked}
    if held.submitted_at is not None:
        lost = any(not _is_saved(responses.get(pk), given) for pk, given in choices.items())
        raise AttemptClosedError(held, choices_lost=lost)
    now = timezone.now()
    options = chosen_options(choices.values())
    for pk, given in choices.items():
        response = responses.get(pk)
        if response is None:
            raise NoSuchChoiceError(f"response {pk} is not part of attempt {attempt.pk}")
        if put_answer(response, given, options, now):
            response.save(update_fields=ANSWER_FIELDS)
    return sum(response.answered_at is not None for response in responses.values())


def typed_numbers(
    *, attempt: Attempt, among: Iterable[int]
) -> tuple[dict[int, str], dict[int, str]]:
    """Return why typed texts among these responses are not read, and how others are. One query."""
    typed = attempt.responses.filter(pk__in=list(among)).exclude(text="")
    rows = list(typed.values_list("pk", "text", "number"))
    unread = {pk: unreadable(text) for pk, text, number in rows if number is None}
    return unread, {pk: read_as(text, number) for pk, text, number in rows if number is not None}


def _is_saved(response: Response | None, given: Given) -> bool:
    if response is None:
        return False
    if isinstance(given, int):
        return given == response.choice_id
    return clean_text(given) == response.text


@transaction.atomic
def submit_attempt(
    *, attempt: Attempt, choices: Mapping[int, Given] | None = None, blanks: bool = True
) -> bool:
    """Save the last answers and submit; a blank question counts as wrong.

    Return False, with the choices saved, when questions are blank and `blanks` does not allow it.
    One transaction, so that a choice still on its way from another tab comes before or too late.
    Raises what `answer` raises; an attempt is submitted once.
    """
    learner = _lock_owner(attempt)
    answered = answer(attempt=attempt, choices=choices or {})
    if not blanks and answered < attempt.responses.count():
        return False
    Attempt.objects.filter(pk=attempt.pk).update(submitted_at=timezone.now())
    scored = Attempt.objects.scored().select_related("quiz").get(pk=attempt.pk)
    note_answers(learner=learner, responses=scored.responses.select_related("version__question"))
    record_progress(
        learner=learner,
        kind=Progress.Kind.QUIZ,
        slug=scored.quiz.slug,
        state=Progress.State.DONE if scored.right == scored.asked else Progress.State.SHAKY,
    )
    return True


def _lock_owner(attempt: Attempt) -> Learner:
    """Return whose attempt it is by now, locked. Learner first, attempt second, as at sign-in."""
    whose = Attempt.objects.filter(pk=attempt.pk).values("learner")
    for _ in range(LOOKS):
        locked = Learner.objects.select_for_update(no_key=True).filter(pk__in=whose).first()
        if locked is not None:
            return locked
    raise Attempt.DoesNotExist(f"attempt {attempt.pk}: its learner is gone")
