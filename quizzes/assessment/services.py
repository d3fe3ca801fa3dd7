"""What learners do with questions: start an attempt, answer, submit, answer inside a lesson."""

import random
from collections.abc import Mapping

from django.db import IntegrityError, transaction
from django.utils import timezone

from quizzes.assessment.models import (
    Attempt,
    Option,
    Question,
    QuestionVersion,
    Quiz,
    Response,
)
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


class NoSuchChoiceError(Exception):
    """The option does not belong to the question that was asked."""


def start_attempt(*, learner: Learner, quiz: Quiz) -> Attempt:
    """Return the learner's open attempt at a quiz, or begin one.

    Question versions and the order of options are fixed now; later edits do not reach it.
    Raises Quiz.DoesNotExist when the quiz has no questions.
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
    versions = [
        version
        for place in places.select_related("question__current").prefetch_related(
            "question__current__options"
        )
        if (version := place.question.current) is not None
    ]
    if not versions:
        raise Quiz.DoesNotExist(f"quiz {quiz.slug}: has no questions")
    attempt = Attempt.objects.create(learner=learner, quiz=quiz)
    Response.objects.bulk_create(
        Response(
            attempt=attempt,
            order=order,
            version=version,
            option_order=shuffled_options(version, random.Random()),  # noqa: S311
        )
        for order, version in enumerate(versions, start=1)
    )
    return attempt


def shuffled_options(version: QuestionVersion, randomness: random.Random) -> list[int]:
    """Return the options' primary keys in a drawn order; "none of these" stays last."""
    options = [option.pk for option in version.options.all()]
    last = [options.pop()] if version.keep_last else []
    randomness.shuffle(options)
    return options + last


@transaction.atomic
def answer(*, attempt: Attempt, choices: Mapping[int, int]) -> int:
    """Save choices, {response: option} by primary key; return how many questions are answered.

    Raises AttemptClosedError after submission, NoSuchChoiceError for a choice that was not
    offered; then nothing of it is saved.
    """
    held = Attempt.objects.select_for_update().get(pk=attempt.pk)
    responses = {response.pk: response for response in held.responses.all()}
    if held.submitted_at is not None:
        kept = {pk: response.choice_id for pk, response in responses.items()}
        lost = any(kept.get(pk) != option for pk, option in choices.items())
        raise AttemptClosedError(held, choices_lost=lost)
    now = timezone.now()
    for pk, option in choices.items():
        response = responses.get(pk)
        if response is None or option not in response.option_order:
            raise NoSuchChoiceError(f"option {option} was not offered for response {pk}")
        if response.choice_id != option:
            response.choice_id, response.answered_at = option, now
            response.save(update_fields=["choice", "answered_at"])
    return sum(response.choice_id is not None for response in responses.values())


@transaction.atomic
def submit_attempt(
    *, attempt: Attempt, choices: Mapping[int, int] | None = None, blanks: bool = True
) -> bool:
    """Save the last choices and submit; a blank question counts as wrong.

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


def answer_inline(*, learner: Learner, question: Question, step: str, option: int) -> Response:
    """Record the answer to a question inside a lesson step. The first answer stands.

    Raises NoSuchChoiceError when the option belongs to another question.
    """
    chosen = Option.objects.filter(pk=option, version__question=question).first()
    if chosen is None:
        raise NoSuchChoiceError(f"option {option} does not belong to question {question.slug}")
    # The page may be older than the newest version: what was shown is what is answered.
    response, _ = Response.objects.get_or_create(
        learner=learner,
        step=step,
        version=chosen.version,
        attempt=None,
        defaults={
            "option_order": inline_order(chosen.version),
            "choice": chosen,
            "answered_at": timezone.now(),
        },
    )
    return response


def inline_order(version: QuestionVersion) -> list[int]:
    """Return the order of options inside a lesson: one for everybody, so that GET saves nothing."""
    seed = f"{version.question.slug} {version.number}"
    return shuffled_options(version, random.Random(seed))  # noqa: S311
