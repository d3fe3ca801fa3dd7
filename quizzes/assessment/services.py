"""What learners do with questions: start an attempt, answer, submit, answer inside a lesson."""

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import Count, Exists, OuterRef, Q
from django.utils import timezone

from quizzes.assessment.models import (
    ASKED,
    Attempt,
    Instance,
    Option,
    Question,
    QuestionVersion,
    Quiz,
    Response,
)
from quizzes.assessment.models.attempts import MAX_TEXT
from quizzes.assessment.models.questions import QuizQuerySet
from quizzes.assessment.number_parser import NotANumberError, read_number
from quizzes.assessment.numeric_answer import NumericAnswer, answer_from_json, read_as
from quizzes.assessment.selection import SelectedQuestion, draw, shuffle_options
from quizzes.courses.models import LATER_OF_COURSE, Course
from quizzes.learners.models import Learner, Progress, ReviewCard
from quizzes.learners.services import may_show, note_missed, note_remembered, record_progress

QUESTION = ReviewCard.Kind.QUESTION
Answer = int | str  # an option by primary key, or the text of a number
ANSWER_FIELDS = ("choice", "text", "number", "is_right", "answered_at")


def note_answers(*, learner: Learner, responses: Iterable[Response]) -> None:
    """Note questions as done or as needing work; those answered wrong come to review.

    A question without an answer was not missed: nothing is noted about it. Give
    `version__question` with the responses. Call it inside the transaction of the answer.
    """
    for response in responses:
        if response.answered_at is None:
            continue
        question = response.version.question
        course, slug = question.course_id, question.slug
        state = Progress.State.DONE if response.is_right else Progress.State.NEEDS_WORK
        kind = Progress.Kind.QUESTION
        record_progress(course, learner=learner, kind=kind, slug=slug, state=state)
        if question.withdrawn_at is None:
            note = note_remembered if response.is_right else note_missed
            note(course, learner=learner, kind=QUESTION, slug=slug)


class NoSuchChoiceError(Exception):
    """The option does not belong to the question that was asked."""


def answer_of(response: Response) -> NumericAnswer | None:
    """Return the right number of what a response asks; None where options are chosen."""
    return answer_to(response.version, response.instance)


def answer_to(version: QuestionVersion, instance: object) -> NumericAnswer | None:
    """Return the right number of a question, or of the instance of it that was drawn."""
    stored = version.answer if instance is None else getattr(instance, "answer", None)
    return answer_from_json(stored) if stored else None


def chosen_options(given: Iterable[Answer]) -> Mapping[int, Option]:
    """Return the options among some answers, by primary key. One query, none without options."""
    chosen = [one for one in given if isinstance(one, int)]
    return Option.objects.in_bulk(chosen) if chosen else {}


def record_answer(
    response: Response, given: Answer, options: Mapping[int, Option], now: datetime
) -> bool:
    """Put an answer into a response, not saved yet; return whether it changed anything.

    A text that is no number is kept, and leaves the question without an answer; an empty one takes
    the answer back. Raises NoSuchChoiceError, with nothing changed.
    """
    if isinstance(given, int):
        option = options.get(given)
        if option is None or given not in response.option_order:
            raise NoSuchChoiceError(f"option {given} was not offered for response {response.pk}")
        if response.choice_id == given:
            return False
        response.choice, response.is_right, response.answered_at = option, option.is_key, now
        return True
    answer = answer_of(response)
    if answer is None:
        raise NoSuchChoiceError(f"response {response.pk} asks for an option, not for a number")
    text = clean_text(given)
    problem = unreadable(text)
    if response.text == text and (response.number is not None or problem):
        return False
    response.text, response.number = text, None
    response.is_right = response.answered_at = None
    if not problem:
        response.number = read_number(text)
        response.is_right, response.answered_at = answer.accepts(response.number), now
    return True


def clean_text(text: str) -> str:
    """Return typed text as it is kept; of what is longer than any number, the beginning."""
    return text.replace("\0", "").strip()[:MAX_TEXT]


def unreadable(text: str) -> str:
    """Return why a text is not read as a number, for the person who typed it; "" when it is."""
    try:
        read_number(text)
    except NotANumberError as error:
        return str(error)
    return ""


# ---- attempts at quizzes

LOOKS = 5  # for a row that moves to an account, or is submitted, while we reach for it


@dataclass(frozen=True)
class History:
    """A learner's attempts at one quiz: the open one, the latest submitted and the best."""

    open: Attempt | None
    latest: Attempt | None
    best: Attempt | None
    submitted: int


def quizzes_with_counts(course: Course | int) -> QuizQuerySet:
    """Return the quizzes of a course, each with `asked`: how many questions an attempt asks.

    `waiting` are those that will be asked once a worker has drawn their first numbers.
    """
    drawn = Exists(Instance.objects.filter(version__question=OuterRef("places__question")))
    fixed = Q(places__question__current__generator={})
    coming = ASKED & ~fixed & Q(places__question__current__problem="") & ~Q(drawn)
    counted = (
        Quiz.objects.filter(course=course)
        .select_related("course")
        .defer(*LATER_OF_COURSE)
        .annotate(
            asked=Count("places", filter=ASKED & (fixed | Q(drawn))),
            waiting=Count("places", filter=coming),
        )
    )
    return counted.order_by("place", "pk")


def history_of(learner: Learner | None, quiz: Quiz) -> History:
    """Return what this learner did with a quiz, but no score that is hidden. One query."""
    if learner is None:
        return History(None, None, None, 0)
    found = Attempt.objects.filter(learner=learner, quiz=quiz)
    if not may_show(learner, quiz):
        return History(found.filter(submitted_at=None).first(), None, None, 0)
    attempts = list(found.scored().order_by("-submitted_at", "-pk"))
    submitted = [attempt for attempt in attempts if attempt.submitted_at]
    return History(
        open=next((attempt for attempt in attempts if not attempt.submitted_at), None),
        latest=submitted[0] if submitted else None,
        best=max(submitted, key=_share, default=None),
        submitted=len(submitted),
    )


def _share(attempt: Attempt) -> float:
    return attempt.right / max(attempt.asked, 1)


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
    asked_now = (
        Question.objects.asked().select_related("current", "course").filter(places__quiz=quiz)
    )
    questions = list(asked_now.order_by("places__order"))
    drawn = draw(questions, learner=learner)
    asked = [drawn[question.pk] for question in questions if question.pk in drawn]
    if not asked:
        raise Quiz.DoesNotExist(f"quiz {quiz.slug}: has no questions")
    attempt = Attempt.objects.create(learner=learner, quiz=quiz)
    Response.objects.bulk_create(
        _response_to(one, attempt=attempt, order=order) for order, one in enumerate(asked, start=1)
    )
    return attempt


def _response_to(drawn: SelectedQuestion, *, attempt: Attempt, order: int) -> Response:
    return Response(
        attempt=attempt,
        order=order,
        version=drawn.version,
        instance=drawn.instance,
        option_order=shuffle_options(drawn, random.Random()),  # noqa: S311
    )


@transaction.atomic
def answer(*, attempt: Attempt, choices: Mapping[int, Answer]) -> int:
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
        if record_answer(response, given, options, now):
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


def _is_saved(response: Response | None, given: Answer) -> bool:
    if response is None:
        return False
    if isinstance(given, int):
        return given == response.choice_id
    return clean_text(given) == response.text


@transaction.atomic
def submit_attempt(
    *, attempt: Attempt, choices: Mapping[int, Answer] | None = None, blanks: bool = True
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
    scored = Attempt.objects.scored().select_related("quiz__course").get(pk=attempt.pk)
    note_answers(learner=learner, responses=scored.responses.select_related("version__question"))
    record_progress(
        scored.quiz.course_id,
        learner=learner,
        kind=Progress.Kind.QUIZ,
        slug=scored.quiz.slug,
        state=Progress.State.DONE if scored.right == scored.asked else Progress.State.NEEDS_WORK,
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
