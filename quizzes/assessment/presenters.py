"""What templates show of questions: prose rendered, options in the learner's order, reasons."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from typing import Any

from django.db.models import F, Q
from django.utils.safestring import SafeString

from quizzes.assessment.corrections.keys import CorrectedKey
from quizzes.assessment.corrections.notices import (
    BLANK,
    Correction,
    corrections,
    with_regrades,
)
from quizzes.assessment.forms import NUMBER, PREFIX, SEVERAL, TEXT, WAS
from quizzes.assessment.models import Attempt, Option, QuestionVersion, Response
from quizzes.assessment.number_parser import bare_number
from quizzes.assessment.numeric_answer import NumericAnswer, answer_from_json, plain, read_as
from quizzes.assessment.scores import plain_points, points_in_words
from quizzes.assessment.selection import SelectedQuestion, settled_order
from quizzes.assessment.services import (
    Kind,
    answer_of,
    first_answer,
    text_answer_of,
    unreadable,
)
from quizzes.assessment.sources import QuestionSource
from quizzes.assessment.text_answer import TextAnswer, text_answer_from_json
from quizzes.courses.addresses import practice_address, step_address
from quizzes.courses.models import LATER_OF_COURSE
from quizzes.learners.models import Learner
from quizzes.learners.services import may_show
from quizzes.pages.course_links import with_course_links
from quizzes.pages.markdown import render_inline, render_markdown
from quizzes.statements import Param, Reader

# A decimal comma was refused once: what was typed then stands without a number.
SENT_EARLIER = "This could not be read as a number when you sent it."
# By kind: the beginning of a field's name in an attempt, and its name where it is asked by itself.
FIELDS = {Kind.SINGLE: PREFIX, Kind.MULTIPLE: SEVERAL, Kind.NUMERIC: NUMBER, Kind.TEXT: TEXT}
ALONE = {
    Kind.SINGLE: "option",
    Kind.MULTIPLE: "options",
    Kind.NUMERIC: "number",
    Kind.TEXT: "text",
}


@dataclass(frozen=True)
class OptionContext:
    """One option in its place. `picture` is the address of its picture, `alt` what it shows."""

    pk: int
    text: SafeString
    reason: SafeString
    is_key: bool
    chosen: bool
    picture: str = ""
    alt: str = ""
    is_one_of_several: bool = False

    @property
    def mark(self) -> str:
        """Return the words next to an option in a review; colour alone says nothing."""
        return self._mark("You chose it" if self.is_one_of_several else "Your answer")

    @property
    def their_mark(self) -> str:
        """Return the words next to an option for an instructor."""
        return self._mark("They chose it" if self.is_one_of_several else "Their answer")

    def _mark(self, chosen: str) -> str:
        if self.chosen:
            return f"{chosen}, right" if self.is_key else f"{chosen}, not right"
        if self.is_key and self.is_one_of_several:
            return "Right, not chosen"
        return "Right answer" if self.is_key else ""


@dataclass(frozen=True)
class NumberContext:
    """What is said of a number: `typed` as it was, `problem` when it is none, and the key.

    `exactness` is for before the answer, the key and `interval` are for after it. `interval`: "" of
    a whole number, where the key is all that there is to say.
    """

    typed: str
    problem: str
    unit: str
    exactness: str
    key: str
    interval: str
    reason: SafeString
    right: bool | None  # None while it is not answered
    read_as: str = ""
    miss: SafeString | str = ""  # what is said to a number that a known mistake gives

    @property
    def unit_behind(self) -> str:
        """Return the unit for behind what was typed, "" where that has it already."""
        has_unit = bare_number(self.typed, self.unit) != bare_number(self.typed)
        return "" if has_unit else self.unit


@dataclass(frozen=True)
class TextContext:
    """What is said of a text: `typed` as it was, the texts that are right, and why."""

    typed: str
    key: str
    others: tuple[str, ...]  # accepted as well
    reason: SafeString
    right: bool | None  # None while it is not answered
    problem: str = ""


@dataclass(frozen=True)
class QuestionContext:
    """One question in its place. `name` is that of its fields.

    `number_answer` and `text_answer` are None where options are chosen. `score` is the part of its
    `points` that the answer earned, None without an answer.
    """

    number: int
    name: str
    prompt: SafeString
    options: tuple[OptionContext, ...]
    step_url: str
    kind: str = "single"
    is_answered: bool = False
    score: Decimal | None = None
    points: Decimal = Decimal(1)
    is_dropped: bool = False
    number_answer: NumberContext | None = None
    text_answer: TextContext | None = None
    version: int = 0
    instance: int | None = None
    again: str = ""  # of a generated question: the address that asks it with other numbers
    partial: bool = False  # whether only the reason of a wrong answer is shown, to try again
    hidden: bool = False  # whether the learner may not see yet what is right, and why
    correction: Correction | None = None  # of an answer that was regraded

    @property
    def was_name(self) -> str:
        """Return the name of the field that says what was answered when the page was made."""
        return WAS + self.name.rpartition("-")[2]

    @property
    def was(self) -> str:
        """Return the saved answer as the form's field holds it."""
        typed = self.number_answer or self.text_answer
        if typed is not None:
            return typed.typed
        return ",".join(str(pk) for pk in sorted(one.pk for one in self.options if one.chosen))

    @property
    def is_multiple(self) -> bool:
        return self.kind == Kind.MULTIPLE

    @property
    def has_pictures(self) -> bool:
        return any(option.picture for option in self.options)

    @property
    def answered(self) -> bool:
        return self.is_answered

    @property
    def right(self) -> bool:
        return self.score == 1

    @property
    def partly_right(self) -> bool:
        return self.score is not None and 0 < self.score < 1

    @property
    def earned(self) -> Decimal:
        return self.points * (self.score or 0)

    @property
    def points_in_words(self) -> str:
        """Return "2 points", or "1.33 of 2 points" of an answer that was partly right."""
        unit = "point" if self.points == 1 else "points"
        part = f"{plain_points(self.earned)} of " if self.partly_right else ""
        return f"{part}{plain_points(self.points)} {unit}"

    @property
    def verdict(self) -> str:
        """Return in words how the answer counts."""
        if self.is_dropped:
            return "left out"
        if self.hidden:
            return "answered" if self.answered else "not answered"
        if self.right:
            return "right"
        if self.partly_right:
            return f"partly right, {self.points_in_words}"
        return "not right" if self.answered else "not answered"


def question_context(
    version: QuestionVersion, *, number: int, name: str, order: Sequence[int]
) -> QuestionContext:
    """Return a question of fixed content as a template shows it; prefetch its options."""
    options = {option.pk: option for option in version.options.all()}
    response = Response(version=version, option_order=list(order))
    return _shown(response, options, number=number, name=name)


def version_contexts(versions: Iterable[QuestionVersion]) -> list[QuestionContext]:
    """Return questions as a preview of a quiz shows them; prefetch their options.

    A generated question is shown by what it asks in general.
    """
    return [
        question_context(
            version,
            number=number,
            name=f"preview-{number}",
            order=[one.pk for one in version.options.all() if one.instance_id is None],
        )
        for number, version in enumerate(versions, start=1)
    ]


def drawn_question_context(drawn: SelectedQuestion, *, number: int = 0) -> QuestionContext:
    """Return a question that is asked by itself and not answered yet."""
    response = Response(
        version=drawn.version, instance=drawn.instance, option_order=settled_order(drawn)
    )
    options = {option.pk: option for option in drawn.options}
    return _shown(response, options, number=number, name=_alone(drawn.version))


def _alone(version: QuestionVersion) -> str:
    return ALONE[Kind(version.kind)]


def response_context(response: Response, learner: Learner | None) -> QuestionContext:
    """Return one answered question, as its learner may see it now. Two queries for its options.

    A later try, which is not stored, is told what its first answer is told.
    """
    options = Option.objects.in_bulk(response.option_order)
    shown = _shown(response, options, number=response.order, name=_alone(response.version))
    stored = response if response.pk is not None else first_answer(response)
    correction = corrections([stored]).get(stored.pk) if stored is not None else None
    if correction is not None:
        if response.pk is None:  # the words are about the first answer
            correction = replace(correction, words=BLANK)
        shown = _corrected(shown, response, correction)
    return replace(shown, hidden=not may_show(learner, response.version.question))


def response_contexts(
    responses: Iterable[Response],
    hidden: Collection[str] = (),
    corrected: Mapping[int, Correction] | None = None,
    options: Mapping[int, Option] | None = None,
) -> list[QuestionContext]:
    """Return questions in their order; give version and instance with them. One query.

    `hidden` names the questions whose answers this reader may not see; `corrected` has what is
    told of answers that were regraded. Give the options where they are at hand.
    """
    found, told = list(responses), corrected or {}
    if options is None:
        options = Option.objects.in_bulk([pk for row in found for pk in row.option_order])
    shown = []
    for one in found:
        name = f"{FIELDS[Kind(one.version.kind)]}{one.pk}"
        context = _shown(one, options, number=one.order, name=name)
        if one.pk in told:
            context = _corrected(context, one, told[one.pk])
        shown.append(replace(context, hidden=one.version.question.slug in hidden))
    return shown


def to_try_again(question: QuestionContext) -> QuestionContext:
    """Return an answered question of a lesson; after a wrong answer with its reason alone."""
    is_to_try = not question.right and not question.hidden and not question.is_dropped
    return replace(question, partial=is_to_try)


def with_problem(question: QuestionContext, *, typed: str, problem: str) -> QuestionContext:
    """Return a question with the problem of a typed text that is no answer to it."""
    number, text = question.number_answer, question.text_answer
    return replace(
        question,
        number_answer=replace(number, typed=typed, problem=problem) if number else None,
        text_answer=replace(text, typed=typed, problem=problem) if text else None,
    )


def _shown(
    response: Response, options: Mapping[int, Option], *, number: int, name: str
) -> QuestionContext:
    version, instance = response.version, response.instance
    course = version.question.course.slug
    prompt = version.prompt if instance is None else instance.prompt
    number_answer, text_answer = answer_of(response), text_answer_of(response)
    is_multiple = version.kind == Kind.MULTIPLE
    return QuestionContext(
        number=number,
        name=name,
        prompt=_prose(prompt, course, headings_from=3),
        options=tuple(
            replace(
                option_context(options[pk], course, chosen=pk in response.chosen),
                is_one_of_several=is_multiple,
            )
            for pk in response.option_order
        ),
        step_url=step_address(course, version.step),
        kind=version.kind,
        is_answered=response.answered_at is not None,
        score=response.score,
        points=response.points,
        is_dropped=response.is_dropped,
        number_answer=number_context(number_answer, course, response) if number_answer else None,
        text_answer=text_context(text_answer, course, response) if text_answer else None,
        version=response.version_id,
        instance=response.instance_id,
        again=practice_address(course, version.question.slug) if instance is not None else "",
    )


def _prose(text: str, course: str, *, headings_from: int = 4) -> SafeString:
    """Return Markdown of a question as HTML, with the links of its course."""
    return with_course_links(render_markdown(text, headings_from=headings_from), course)


def option_context(option: Option, course: str, *, chosen: bool) -> OptionContext:
    """Return one option; that of a picture has its text as text alternative."""
    picture = f"data:image/png;base64,{option.picture}" if option.picture else ""
    return OptionContext(
        pk=option.pk,
        text=SafeString() if picture else with_course_links(render_inline(option.text), course),
        reason=_prose(option.reason, course),
        is_key=option.is_key,
        chosen=chosen,
        picture=picture,
        alt=option.text if picture else "",
    )


def number_context(
    answer: NumericAnswer, course: str, response: Response | None = None
) -> NumberContext:
    """Return the page context of a number, and of a learner's answer to it."""
    typed = response.text if response else ""
    given = response.number if response else None
    miss = None if given is None else answer.near_miss(given)
    return NumberContext(
        typed=typed,
        problem=(unreadable(typed, answer.unit) or SENT_EARLIER) if typed and given is None else "",
        unit=answer.unit,
        exactness=answer.exactness,
        key=plain(answer.value),
        interval="" if answer.is_whole else answer.interval,
        reason=_prose(answer.reason, course),
        right=response.is_right if response else None,
        read_as="" if given is None else read_as(typed, given, answer.unit),
        miss=_prose(miss.reason, course) if miss else "",
    )


def text_context(answer: TextAnswer, course: str, response: Response | None = None) -> TextContext:
    """Return the page context of a text, and of a learner's answer to it."""
    return TextContext(
        typed=response.text if response else "",
        key=answer.key,
        others=answer.shown[1:],
        reason=_prose(answer.reason, course),
        right=response.is_right if response else None,
    )


def source_context(source: QuestionSource, course: str) -> QuestionContext:
    """Return a question that is still being written as a learner would see it, in its own order."""
    number_answer, text_answer = None, None
    with suppress(KeyError, ValueError, IndexError):  # not all of it is written yet
        if source.answer and source.kind == Kind.TEXT:
            text_answer = text_context(text_answer_from_json(source.answer), course)
        elif source.answer:
            number_answer = number_context(answer_from_json(source.answer), course)
    return QuestionContext(
        number=1,
        name="preview",
        prompt=_prose(source.prompt, course, headings_from=3),
        options=tuple(
            OptionContext(
                pk=number,
                text=with_course_links(render_inline(option.text), course),
                reason=_prose(option.reason, course),
                is_key=option.is_key,
                chosen=False,
            )
            for number, option in enumerate(source.options, start=1)
        ),
        step_url="",
        kind=source.kind,
        number_answer=number_answer,
        text_answer=text_answer,
    )


@dataclass(frozen=True)
class Result:
    """What an attempt earned, in numbers for a page; dropped questions are left out."""

    right: int
    total: int
    earned: Decimal
    possible: Decimal

    @classmethod
    def of(cls, questions: Iterable[QuestionContext]) -> "Result":
        counted = [question for question in questions if not question.is_dropped]
        return cls(
            right=sum(question.right for question in counted),
            total=len(counted),
            earned=sum((question.earned for question in counted), Decimal(0)),
            possible=sum((question.points for question in counted), Decimal(0)),
        )

    @property
    def points(self) -> str:
        """Return "3.5 of 6 points" where that says more than how many are right, else ""."""
        return points_in_words(self.right, self.total, self.earned, self.possible)


def attempt_questions(attempt: Attempt, hidden: Collection[str] = ()) -> list[QuestionContext]:
    """Return the questions of an attempt, fixed at its start, with the points that count now.

    Two queries; of one that is submitted up to six more where a version was regraded.
    """
    responses = _responses().read(attempt=attempt.pk)
    for response in responses:
        response.attempt = attempt
    corrected = corrections(responses) if attempt.ended_at else {}
    options = {option.pk: option for option in _options().read(attempt=attempt.pk)}
    return response_contexts(responses, hidden, corrected, options)


@cache
def _responses() -> Reader[Response]:
    rows = Response.objects.filter(attempt=Param("attempt"))
    things = rows.select_related("version__question__course", "instance")
    later = [f"version__question__{name}" for name in LATER_OF_COURSE]
    return Reader(with_regrades(things.defer(*later)))


@cache
def _options() -> Reader[Option]:
    """Return the options of all questions of an attempt."""
    drawn = Q(instance=None) | Q(instance=F("version__responses__instance"))
    return Reader(Option.objects.filter(drawn, version__responses__attempt=Param("attempt")))


def _corrected(context: QuestionContext, row: Response, correction: Correction) -> QuestionContext:
    """Return a question with the key and the reasons of the version by which it was regraded."""
    course, key = row.version.question.course.slug, correction.key
    changed: dict[str, Any] = {"correction": correction}
    if key is None:
        return replace(context, **changed)
    answer = key.answer
    if answer and context.number_answer:
        changed["number_answer"] = number_context(answer_from_json(answer), course, row)
    elif answer and context.text_answer:
        changed["text_answer"] = text_context(text_answer_from_json(answer), course, row)
    elif key.options:
        changed["options"] = tuple(_corrected_option(one, key, course) for one in context.options)
    return replace(context, **changed)


def _corrected_option(option: OptionContext, key: CorrectedKey, course: str) -> OptionContext:
    newer = key.options.get(option.pk)
    if newer is None or (key.is_old_right and option.is_key):
        return option
    return replace(option, is_key=newer.is_key, reason=_prose(newer.reason, course))
