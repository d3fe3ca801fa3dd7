"""A question asked by itself, inside a lesson step or in a review: answered at once."""

from dataclasses import dataclass

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from quizzes.assessment.corrections.notices import corrections
from quizzes.assessment.models import Instance, Option, Question, QuestionVersion, Response
from quizzes.assessment.selection import SelectedQuestion, settled_order
from quizzes.assessment.services import (
    Answer,
    Kind,
    NoSuchChoiceError,
    answer_to,
    clean_text,
    note_answers,
    options_to_judge,
    record_answer,
    unreadable,
)
from quizzes.learners.models import Learner


class UnreadableError(ValueError):
    """What was sent is no answer; `str()` says why, and nothing was recorded."""


@dataclass(frozen=True)
class SubmittedAnswer:
    """An answer as a page sent it: one option says what was asked, other forms name it."""

    value: Answer
    version: int | None = None
    instance: int | None = None


@transaction.atomic
def answer_inline(
    *, learner: Learner, question: Question, step: str, answer: SubmittedAnswer
) -> Response:
    """Record the answer to a question inside a lesson step. The first answer stands.

    After a wrong one, later tries are counted and judged, and the response returned for them is
    not stored. Raises NoSuchChoiceError when the answer belongs to another question, and
    UnreadableError.
    """
    drawn = displayed_version(question, answer)
    known = Response.objects.filter(
        learner=learner, step=step, version=drawn.version, attempt=None
    ).first()
    if known is not None:
        return _another_try(known, drawn, answer)
    made = _answered(learner, step, drawn, answer)
    response, new = Response.objects.get_or_create(
        learner=learner,
        step=step,
        version=drawn.version,
        attempt=None,
        defaults={
            "instance": made.instance,
            "option_order": made.option_order,
            "choice": made.choice,
            "choices": made.choices,
            "text": made.text,
            "number": made.number,
            "is_right": made.is_right,
            "score": made.score,
            "answered_at": made.answered_at,
        },
    )
    if new:
        note_answers(learner=learner, responses=[response])
    return response


def _another_try(first: Response, drawn: SelectedQuestion, answer: SubmittedAnswer) -> Response:
    """Return the first answer, or a later try after a wrong one, which is counted only."""
    assert first.learner is not None
    tried = _answered(first.learner, first.step, drawn, answer)
    is_sent_twice = (tried.chosen, tried.text) == (first.chosen, first.text)
    if first.is_right or is_sent_twice:
        return first
    Response.objects.filter(pk=first.pk).update(tries=F("tries") + 1)
    correction = corrections([first]).get(first.pk)
    if correction is not None:  # a later try is judged by the key of the first one's regrade
        tried.score = correction.score_of(tried)
        tried.is_right = tried.score == 1
    return tried


@transaction.atomic
def answer_in_review(*, learner: Learner, question: Question, answer: SubmittedAnswer) -> Response:
    """Record the answer to a question asked in a review. Raises what `answer_inline` raises.

    Progress and queue are the caller's: what was asked may stand for a mistake made in code.
    """
    response = _answered(learner, "", displayed_version(question, answer), answer)
    response.save()
    return response


def displayed_version(question: Question, answer: SubmittedAnswer) -> SelectedQuestion:
    """Return the version that the page showed, which may be older than the newest.

    Raises NoSuchChoiceError when it is no part of this question.
    """
    instance: Instance | None = None
    if isinstance(answer.value, int):
        options = Option.objects.select_related("version__question__course", "instance")
        option = options.filter(pk=answer.value, version__question=question).first()
        if option is None:
            words = f"option {answer.value} does not belong to question {question.slug}"
            raise NoSuchChoiceError(words)
        version, instance = option.version, option.instance
    else:
        version, instance = _named_version(question, answer)
    offered = Option.objects.filter(version=version, instance=instance)
    return SelectedQuestion(version, instance, tuple(offered))


def _named_version(
    question: Question, answer: SubmittedAnswer
) -> tuple[QuestionVersion, Instance | None]:
    """Return the version, and the instance of it, that the form names beside the answer."""
    kinds = [Kind.MULTIPLE] if isinstance(answer.value, tuple) else [Kind.NUMERIC, Kind.TEXT]
    versions = QuestionVersion.objects.select_related("question__course")
    version = versions.filter(pk=answer.version or 0, question=question, kind__in=kinds).first()
    if version is None:
        words = f"question {question.slug}: version {answer.version} does not ask for this"
        raise NoSuchChoiceError(words)
    if not version.is_generated:
        return version, None
    instance = version.instances.filter(pk=answer.instance or 0).first()
    if instance is None:
        raise NoSuchChoiceError(f"question {question.slug}: has no instance {answer.instance}")
    return version, instance


def _answered(
    learner: Learner, step: str, drawn: SelectedQuestion, answer: SubmittedAnswer
) -> Response:
    """Return a response, not saved, that holds the answer."""
    if why := _no_answer(drawn, answer.value):
        raise UnreadableError(why)
    response = Response(
        learner=learner,
        step=step,
        version=drawn.version,
        instance=drawn.instance,
        option_order=settled_order(drawn),
    )
    options = options_to_judge([(response, answer.value)])
    record_answer(response, answer.value, options, timezone.now())
    return response


def _no_answer(drawn: SelectedQuestion, value: Answer) -> str:
    """Return why what was sent is no answer, "" when it is one."""
    if isinstance(value, str) and drawn.version.kind == Kind.NUMERIC:
        answer = answer_to(drawn.version, drawn.instance)
        return unreadable(clean_text(value), answer.unit if answer else "")
    if isinstance(value, str) and not clean_text(value):
        return "Type your answer first."
    return "Choose an option first." if value == () else ""
