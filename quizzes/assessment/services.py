"""What learners do with questions: start an attempt, answer, submit, answer inside a lesson."""

import logging
import random
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from functools import cache

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from quizzes.assessment.models import (
    AVAILABLE,
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
from quizzes.assessment.scores import score_of_options
from quizzes.assessment.selection import SelectedQuestion, draw, draw_pools, shuffle_options
from quizzes.assessment.sittings import PRACTICE, Sitting, SittingClosedError, rules_of
from quizzes.assessment.text_answer import TextAnswer, text_answer_from_json
from quizzes.content_files.typed_text import without_invisible
from quizzes.courses.models import LATER_OF_COURSE, Course
from quizzes.learners.models import Learner, Progress, ReviewCard
from quizzes.learners.services import may_show, note_outcomes, record_progress, record_states
from quizzes.statements import Param, Reader

logger = logging.getLogger(__name__)
QUESTION = ReviewCard.Kind.QUESTION
# An option by primary key; several of them; or what was typed, for a number or a text.
Answer = int | tuple[int, ...] | str
ANSWER_FIELDS = ("choice", "choices", "text", "number", "is_right", "score", "answered_at")
Kind = QuestionVersion.Kind


def note_answers(*, learner: Learner, responses: Iterable[Response]) -> None:
    """Note questions as done or as needing work; those answered wrong come to review.

    A question without an answer was not missed: nothing is noted about it. Give
    `version__question` with the responses. Call it inside the transaction of the answer.
    """
    answered = [response for response in responses if response.answered_at is not None]
    by_course: dict[int, list[Response]] = {}
    for response in answered:
        by_course.setdefault(response.version.question.course_id, []).append(response)
    for course, rows in by_course.items():
        right = {row.version.question.slug for row in rows if row.is_right}
        wrong = {row.version.question.slug for row in rows if not row.is_right}
        states = dict.fromkeys(wrong, Progress.State.NEEDS_WORK)
        states |= dict.fromkeys(right, Progress.State.DONE)
        record_states(course, learner=learner, kind=Progress.Kind.QUESTION, states=states)
        withdrawn = {row.version.question.slug for row in rows if row.version.question.withdrawn_at}
        note_outcomes(
            course,
            learner=learner,
            kind=QUESTION,
            missed=wrong - withdrawn,
            remembered=right - withdrawn,
        )


class NoSuchChoiceError(Exception):
    """The option does not belong to the question that was asked."""


def answer_of(response: Response) -> NumericAnswer | None:
    """Return the right number for a response; None where its question asks for no number."""
    return answer_to(response.version, response.instance)


def answer_to(version: QuestionVersion, instance: object) -> NumericAnswer | None:
    """Return the right number of a question, or of the instance of it that was drawn."""
    stored = version.answer if instance is None else getattr(instance, "answer", None)
    return answer_from_json(stored) if stored and version.kind == Kind.NUMERIC else None


def text_answer_of(response: Response) -> TextAnswer | None:
    """Return the right texts of what a response asks; None where it asks for no text."""
    version = response.version
    if version.kind != Kind.TEXT or not version.answer:
        return None
    return text_answer_from_json(version.answer)


def first_answer(response: Response) -> Response | None:
    """Return the stored answer of a lesson that a later try, which is not stored, follows."""
    rows = Response.objects.filter(learner=response.learner, version=response.version, attempt=None)
    found = rows.filter(step=response.step).select_related("version", "instance")
    return found.first()


def options_to_judge(answers: Iterable[tuple[Response, Answer]]) -> Mapping[int, Option]:
    """Return the options needed to judge some answers, by primary key.

    One query, none where nothing is chosen. Where several are chosen these are all that were
    offered: what was left out counts as well.
    """
    needed: set[int] = set()
    for response, given in answers:
        if isinstance(given, int):
            needed.add(given)
        elif isinstance(given, tuple):
            needed |= set(response.option_order)
    return Option.objects.in_bulk(needed) if needed else {}


def record_answer(
    response: Response, answer: Answer, options: Mapping[int, Option], now: datetime
) -> bool:
    """Put an answer into a response, not saved yet; return whether it changed anything.

    A text that is no number is kept, and leaves a question that asks for a number without an
    answer; an empty one, or no option, takes the answer back. Raises NoSuchChoiceError, with
    nothing changed.
    """
    kind = response.version.kind
    if kind == Kind.SINGLE and isinstance(answer, int):
        return _record_option(response, answer, options, now)
    if kind == Kind.MULTIPLE and isinstance(answer, tuple):
        return _record_options(response, answer, options, now)
    if kind == Kind.NUMERIC and isinstance(answer, str):
        return _record_number(response, answer, now)
    if kind == Kind.TEXT and isinstance(answer, str):
        return _record_text(response, answer, now)
    sent = {int: "an option", tuple: "several options", str: "a text"}[type(answer)]
    words = f"response {response.pk} asks for {response.version.get_kind_display()}, not for {sent}"
    raise NoSuchChoiceError(words)


def _record_option(
    response: Response, answer: int, options: Mapping[int, Option], now: datetime
) -> bool:
    option = options.get(answer)
    if option is None or answer not in response.option_order:
        raise NoSuchChoiceError(f"option {answer} was not offered for response {response.pk}")
    if response.choice_id == answer:
        return False
    response.choice, response.answered_at = option, now
    response.mark(Decimal(option.is_key))
    return True


def _record_options(
    response: Response, answer: tuple[int, ...], options: Mapping[int, Option], now: datetime
) -> bool:
    for pk in answer:
        if pk not in response.option_order:
            raise NoSuchChoiceError(f"option {pk} was not offered for response {response.pk}")
    chosen = sorted(set(answer))
    if list(response.choices or ()) == chosen:
        return False
    if not chosen:
        response.choices = response.answered_at = None
        response.mark(None)
        return True
    keys = {pk for pk in response.option_order if pk in options and options[pk].is_key}
    response.choices, response.answered_at = chosen, now
    response.mark(score_of_options(chosen=chosen, keys=keys, rule=response.version.scoring))
    return True


def _record_number(response: Response, typed: str, now: datetime) -> bool:
    answer = answer_of(response)
    if answer is None:
        raise NoSuchChoiceError(f"response {response.pk}: its number is missing")
    text = clean_text(typed)
    problem = unreadable(text, answer.unit)
    if response.text == text and (response.number is not None or problem):
        return False
    response.text, response.number, response.answered_at = text, None, None
    response.mark(None)
    if not problem:
        response.number, response.answered_at = read_number(text, answer.unit), now
        response.mark(Decimal(answer.accepts(response.number)))
    return True


def _record_text(response: Response, typed: str, now: datetime) -> bool:
    answer = text_answer_of(response)
    if answer is None:
        raise NoSuchChoiceError(f"response {response.pk}: its accepted texts are missing")
    text = clean_text(typed)
    if response.text == text:
        return False
    response.text, response.answered_at = text, now if text else None
    response.mark(Decimal(answer.accepts(text)) if text else None)
    return True


def clean_text(text: str) -> str:
    """Return typed text as it is stored, "" where no character is visible.

    Of what is longer than any number, the beginning.
    """
    kept = text.replace("\0", "").strip()[:MAX_TEXT]
    return kept if without_invisible(kept).strip() else ""


def unreadable(text: str, unit: str = "") -> str:
    """Return why a text is not read as a number, for the person who typed it; "" when it is."""
    try:
        read_number(text, unit)
    except NotANumberError as error:
        return str(error)
    return ""


# ---- attempts at quizzes

NUMBERS_WAIT = timedelta(minutes=2)  # for a generated question of a class's quiz
HOSTS_APART = timedelta(minutes=1)  # their clocks, at most
LOOKS = 5  # for a row that moves to an account, or is submitted, while we reach for it


@dataclass(frozen=True)
class History:
    """A learner's attempts at one quiz: the open one, the latest submitted and the best."""

    open: Attempt | None
    latest: Attempt | None
    best: Attempt | None
    submitted: int


def quizzes_with_counts(course: Course | int) -> QuizQuerySet:
    """Return the quizzes of a course, each with `question_count` of an attempt.

    `waiting` are those that will be asked once a worker has drawn their first numbers.
    """
    drawn = Exists(Instance.objects.filter(version__question=OuterRef("places__question")))
    fixed = Q(places__question__current__generator={})
    coming = AVAILABLE & ~fixed & Q(places__question__current__problem="") & ~Q(drawn)
    counted = (
        Quiz.objects.filter(course=course)
        .select_related("course")
        .defer(*LATER_OF_COURSE)
        .annotate(
            question_count=Count("places", filter=AVAILABLE & (fixed | Q(drawn)))
            + Coalesce(Sum("places__draw"), 0),
            waiting=Count("places", filter=coming),
        )
    )
    return counted.order_by("place", "pk")


def history_of(learner: Learner | None, quiz: Quiz, sitting: int | None = PRACTICE) -> History:
    """Return this learner's attempts at a quiz in one sitting, without scores that are hidden.

    One query.
    """
    if learner is None:
        return History(None, None, None, 0)
    now, named = timezone.now(), {"learner": learner.pk, "quiz": quiz.pk, "sitting": sitting}
    attempts = _attempts_in(practice=sitting == PRACTICE).read(**named)
    begun = next((attempt for attempt in attempts if attempt.is_open(now)), None)
    if not may_show(learner, quiz):
        return History(begun, None, None, 0)
    over = [attempt for attempt in attempts if not attempt.is_open(now)]
    over.sort(key=lambda attempt: (attempt.handed_in_at_time(now), attempt.pk), reverse=True)
    return History(
        open=begun,
        latest=over[0] if over else None,
        best=max(over, key=lambda attempt: attempt.share, default=None),
        submitted=len(over),
    )


@cache
def _attempts_in(*, practice: bool) -> Reader[Attempt]:
    """Return a learner's attempts at a quiz in one sitting, the newest first."""
    sitting = PRACTICE if practice else Param("sitting")
    mine = Attempt.objects.filter(learner=Param("learner"), quiz=Param("quiz"), sitting=sitting)
    return Reader(mine.with_points().scored().order_by("-pk"))


class AttemptClosedError(Exception):
    """The attempt was submitted already, or its time is up; nothing was changed.

    `choices_lost` says whether the choices that came too late are others than the submitted ones.
    """

    def __init__(self, attempt: Attempt, *, choices_lost: bool) -> None:
        at = attempt.submitted_at or attempt.deadline_at
        super().__init__(f"attempt {attempt.pk} was submitted at {at}")
        self.choices_lost = choices_lost


def start_attempt(*, learner: Learner, quiz: Quiz, sitting: int | None = PRACTICE) -> Attempt:
    """Return the learner's open attempt at a quiz in this sitting, or begin one.

    The learner's row is held meanwhile, so that of many clicks at once each finds the attempt of
    the one before, and a limit holds. Question versions, drawn numbers, points and the order of
    options are fixed now; later edits do not reach it. An attempt whose time is up is submitted
    first. Raises Quiz.DoesNotExist when the quiz has no questions, SittingClosedError when the
    sitting's rules refuse a new attempt, NumbersMissingError while a class's quiz waits for numbers
    and Learner.DoesNotExist for a learner who is gone.
    """
    try:
        return _start(learner, quiz, sitting)
    except NumbersMissingError:
        _note_missing_numbers(quiz)
        raise


def _start(learner: Learner, quiz: Quiz, sitting: int | None) -> Attempt:
    with transaction.atomic():
        held = Learner.objects.select_for_update(no_key=True).get(pk=learner.pk)
        now = timezone.now()
        begun = _begun(held, quiz, sitting)
        if begun is not None and begun.is_open(now):
            return begun
        if begun is not None:
            _hand_in(begun, held, now)
        rules = rules_of(held, quiz, sitting, now)
        if rules.may_start and rules.attempts_left != 0:
            return _begin(held, quiz, rules, now)
    # Outside: what the clock had submitted stays written down.
    raise SittingClosedError(rules.why_not or "You have no attempts left.")


def _note_missing_numbers(quiz: Quiz) -> None:
    """Note since when questions of a quiz have no numbers; outside of what was taken back."""
    made = Instance.objects.filter(version__question=OuterRef("pk"))
    lacking = Question.objects.available().filter(~Exists(made), course=quiz.course_id)
    lacking = lacking.exclude(current__generator={}).filter(numbers_missing_since=None)
    lacking.update(numbers_missing_since=timezone.now())


def _begun(learner: Learner, quiz: Quiz, sitting: int | None) -> Attempt | None:
    """Return the attempt that is not written down as submitted, open or overdue."""
    mine = Attempt.objects.filter(learner=learner, quiz=quiz, sitting=sitting, submitted_at=None)
    return mine.first()


def _begin(learner: Learner, quiz: Quiz, rules: Sitting, now: datetime) -> Attempt:
    asked = _questions_of(quiz, learner)
    drawn = draw((question for question, _ in asked), learner=learner)
    missing = [question for question, _ in asked if question.pk not in drawn]
    if missing and rules.sitting != PRACTICE:
        _wait_for_numbers(missing, now)
    else:  # practice goes without them
        missing = []
    if not drawn:
        raise Quiz.DoesNotExist(f"quiz {quiz.slug}: has no questions")
    if quiz.shuffle or rules.shuffle_questions:
        random.shuffle(asked)
    attempt = Attempt.objects.create(
        learner=learner, quiz=quiz, sitting=rules.sitting, deadline_at=rules.deadline
    )
    there = [(one, worth) for one, worth in asked if one.pk in drawn or one in missing]
    Response.objects.bulk_create(
        _response_to(drawn.get(one.pk), one, attempt=attempt, order=order, points=worth)
        for order, (one, worth) in enumerate(there, start=1)
    )
    return attempt


def _questions_of(quiz: Quiz, learner: Learner) -> list[tuple[Question, Decimal]]:
    """Return an attempt's questions in the quiz's order, pools drawn, each with its points."""
    places = list(quiz.places.select_related("question__current", "question__course"))
    fixed = [place.question for place in places if place.question is not None]
    pools = [place for place in places if place.question is None]
    drawn = draw_pools(
        pools, course=quiz.course_id, fixed=[one.pk for one in fixed], learner=learner
    )
    asked: list[tuple[Question, Decimal]] = []
    for place in places:
        found = drawn.get(place.pk, []) if place.question is None else [place.question]
        if place.draw and len(found) < place.draw:
            words = "quiz %s: a pool with the tag %s draws %s, but found %s"
            logger.warning(words, quiz.slug, place.tag, place.draw, len(found))
        asked += [(one, place.points) for one in found if one.current and not one.withdrawn_at]
    return asked


class NumbersMissingError(Exception):
    """A generated question of a class's work has no numbers yet; no attempt was used."""


def _wait_for_numbers(missing: Sequence[Question], now: datetime) -> None:
    """Raise NumbersMissingError while numbers have been missing for less than two minutes.

    The time runs from the first attempt that found none of a question's numbers. One that lies
    ahead is of a clock that was put back since: it is long ago.
    """
    since = [one.numbers_missing_since for one in missing]
    if any(at is None or -HOSTS_APART < now - at < NUMBERS_WAIT for at in since):
        raise NumbersMissingError(", ".join(one.slug for one in missing))


def _response_to(
    drawn: SelectedQuestion | None,
    question: Question,
    *,
    attempt: Attempt,
    order: int,
    points: Decimal,
) -> Response:
    """Return a response that asks what was drawn; dropped where no numbers could be drawn."""
    if drawn is None:
        assert question.current is not None
        return Response(
            attempt=attempt,
            order=order,
            version=question.current,
            option_order=[],
            points=points,
            is_dropped=True,
        )
    return Response(
        attempt=attempt,
        order=order,
        version=drawn.version,
        instance=drawn.instance,
        option_order=shuffle_options(drawn, random.Random()),  # noqa: S311
        points=points,
    )


@transaction.atomic
def answer(*, attempt: Attempt, choices: Mapping[int, Answer]) -> int:
    """Save answers by their response's primary key; return how many questions are answered.

    Raises AttemptClosedError after submission or when its time is up, NoSuchChoiceError for a
    choice that was not offered; then nothing of it is saved.
    """
    return _count_answered(_save_answers(attempt, choices))


def _count_answered(responses: Iterable[Response]) -> int:
    return sum(response.answered_at is not None for response in responses)


def _save_answers(attempt: Attempt, choices: Mapping[int, Answer]) -> Collection[Response]:
    """Save answers within a transaction; return the responses that count, as they are now."""
    held = Attempt.objects.select_for_update().get(pk=attempt.pk)
    rows = held.responses.select_related("version", "instance")
    responses = {response.pk: response for response in rows if not response.is_dropped}
    now = timezone.now()
    if not held.is_open(now):
        lost = any(not _is_saved(responses.get(pk), choice) for pk, choice in choices.items())
        raise AttemptClosedError(held, choices_lost=lost)
    for pk in choices:
        if pk not in responses:
            raise NoSuchChoiceError(f"response {pk} is not part of attempt {attempt.pk}")
    options = options_to_judge((responses[pk], choice) for pk, choice in choices.items())
    for pk, choice in choices.items():
        response = responses[pk]
        if record_answer(response, choice, options, now):
            response.save(update_fields=ANSWER_FIELDS)
    return responses.values()


def typed_numbers(
    *, attempt: Attempt, among: Iterable[int]
) -> tuple[dict[int, str], dict[int, str]]:
    """Return why typed texts among these responses are not read, and how others are. One query."""
    asked = attempt.responses.filter(pk__in=list(among), version__kind=Kind.NUMERIC)
    typed = asked.exclude(text="")
    rows = list(typed.values_list("pk", "text", "number", "version__answer", "instance__answer"))
    unread, read = {}, {}
    for pk, text, number, answer, drawn in rows:
        unit = str((drawn or answer or {}).get("unit", ""))
        if number is None:
            unread[pk] = unreadable(text, unit)
        else:
            read[pk] = read_as(text, number, unit)
    return unread, read


def _is_saved(response: Response | None, answer: Answer) -> bool:
    if response is None:
        return False
    if isinstance(answer, int):
        return answer == response.choice_id
    if isinstance(answer, tuple):
        return sorted(set(answer)) == list(response.choices or ())
    return clean_text(answer) == response.text


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
    responses = _save_answers(attempt, choices or {})
    if not blanks and _count_answered(responses) < len(responses):
        return False
    _hand_in(attempt, learner, timezone.now())
    return True


def hand_in_overdue(attempt: Attempt, *, now: datetime | None = None) -> bool:
    """Store the submission of an overdue attempt; return whether it was overdue and not stored.

    Call it wherever an overdue attempt is read, so that progress and review cards follow. A
    worker gives `now`: the clock of its host may be hours ahead, and submitting cannot be undone.
    """
    now = now or timezone.now()
    if not attempt.is_overdue(now):
        return False
    with transaction.atomic():
        learner = _lock_owner(attempt)
        held = Attempt.objects.select_for_update().get(pk=attempt.pk)
        if not held.is_overdue(now):  # somebody handed it in, or moved its deadline
            return False
        _hand_in(held, learner, now)
    return True


def _hand_in(attempt: Attempt, learner: Learner, now: datetime) -> None:
    """Write an attempt down as submitted, with its points; learner and attempt are locked.

    One whose deadline has passed was submitted at the deadline, by its time or by a late click.
    """
    earned, possible = _write_points(attempt, at=now, by=_ended_by(attempt, now))
    quiz = attempt.quiz
    responses = attempt.responses.filter(is_dropped=False)
    note_answers(learner=learner, responses=responses.select_related("version__question"))
    record_progress(
        quiz.course_id,
        learner=learner,
        kind=Progress.Kind.QUIZ,
        slug=quiz.slug,
        state=Progress.State.DONE if earned == possible else Progress.State.NEEDS_WORK,
    )


def _ended_by(attempt: Attempt, now: datetime) -> str:
    return Attempt.EndedBy.TIME if attempt.is_overdue(now) else Attempt.EndedBy.LEARNER


def _write_points(attempt: Attempt, *, at: datetime, by: str) -> tuple[Decimal, Decimal]:
    """Write when an attempt was submitted, by what, and its points; return the points."""
    deadline = attempt.deadline_at
    earned, possible = Attempt.objects.with_points().get(pk=attempt.pk).points
    Attempt.objects.filter(pk=attempt.pk).update(
        submitted_at=at if deadline is None else min(at, deadline),
        ended_by=by,
        earned=earned,
        possible=possible,
    )
    return earned, possible


def _lock_owner(attempt: Attempt) -> Learner:
    """Return whose attempt it is by now, locked. Learner first, attempt second, as at sign-in."""
    whose = Attempt.objects.filter(pk=attempt.pk).values("learner")
    for _ in range(LOOKS):
        locked = Learner.objects.select_for_update(no_key=True).filter(pk__in=whose).first()
        if locked is not None:
            return locked
    raise Attempt.DoesNotExist(f"attempt {attempt.pk}: its learner is gone")


def settle_learners(source: Learner, target: Learner) -> None:
    """Settle what both learners have and only one may have, before `target` takes all rows.

    Of two open attempts at a quiz the one with more answers goes on. The other one is closed as it
    is and kept, unless nothing in it was answered. A question that both answered within a lesson
    keeps the answer of `target`.
    """
    _settle_attempts(source, target)
    answered = Response.objects.filter(learner=target).exclude(step="")
    for step, version in list(answered.values_list("step", "version")):
        Response.objects.filter(learner=source, step=step, version=version).delete()


def _settle_attempts(source: Learner, target: Learner) -> None:
    now = timezone.now()
    for attempt in Attempt.objects.filter(learner=source, submitted_at=None):
        other = _begun(target, attempt.quiz, attempt.sitting)
        if other is not None:
            less = min(attempt, other, key=_answered)
            if _answered(less):
                _write_points(less, at=now, by=_ended_by(less, now))
            else:
                less.delete()


def _answered(attempt: Attempt) -> int:
    return attempt.responses.filter(answered_at__isnull=False).count()
