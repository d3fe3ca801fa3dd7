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


class AttemptClosedError(Exception):
    """The attempt was submitted already; nothing was changed."""


class NoSuchChoiceError(Exception):
    """The option does not belong to the question that was asked."""


def start_attempt(*, learner: Learner, quiz: Quiz) -> Attempt:
    """Return the learner's open attempt at a quiz, or begin one.

    Question versions and the order of options are fixed now; later edits do not reach it.
    Raises Quiz.DoesNotExist when the quiz has no questions.
    """
    found = open_attempt(learner=learner, quiz=quiz)
    if found is not None:
        return found
    try:
        return _begin(learner, quiz)
    except IntegrityError:  # the other click, or the other tab, was faster
        return Attempt.objects.get(learner=learner, quiz=quiz, submitted_at=None)


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
    if held.submitted_at is not None:
        raise AttemptClosedError(f"attempt {attempt.pk} was submitted at {held.submitted_at}")
    responses = {response.pk: response for response in held.responses.all()}
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
def submit_attempt(*, attempt: Attempt) -> bool:
    """Submit an attempt once; False when it had been submitted before. Blank counts as wrong."""
    submitted = Attempt.objects.filter(pk=attempt.pk, submitted_at=None).update(
        submitted_at=timezone.now()
    )
    if submitted:
        scored = Attempt.objects.scored().select_related("learner", "quiz").get(pk=attempt.pk)
        record_progress(
            learner=scored.learner,
            kind=Progress.Kind.QUIZ,
            slug=scored.quiz.slug,
            state=Progress.State.DONE if scored.right == scored.asked else Progress.State.SHAKY,
        )
    return bool(submitted)


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
