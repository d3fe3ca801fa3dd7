"""What templates show of questions: prose rendered, options in the learner's order, reasons."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from django.utils.safestring import SafeString

from quizzes.assessment.forms import NUMBER, PREFIX, WAS
from quizzes.assessment.models import Attempt, Option, QuestionVersion, Response
from quizzes.assessment.numeric_answer import NumericAnswer, answer_from_json, plain, read_as
from quizzes.assessment.selection import SelectedQuestion, settled_order
from quizzes.assessment.services import answer_of, unreadable
from quizzes.assessment.sources import QuestionSource
from quizzes.courses.addresses import practice_address, step_address
from quizzes.learners.models import Learner
from quizzes.learners.services import may_show
from quizzes.pages.course_links import with_course_links
from quizzes.pages.markdown import render_inline, render_markdown

# A decimal comma was refused once: what was typed then stands without a number.
SENT_EARLIER = "This was not read as a number when it was sent."


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

    @property
    def mark(self) -> str:
        """Return what a review writes beside the option; colour alone says nothing."""
        if self.chosen:
            return "Your answer, right" if self.is_key else "Your answer, not right"
        return "Right answer" if self.is_key else ""


@dataclass(frozen=True)
class NumberContext:
    """What is said of a number: `typed` as it was, `problem` when it is none, and the key.

    `exactness` is for before the answer, the key and `interval` are for after it.
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


@dataclass(frozen=True)
class QuestionContext:
    """One question in its place. `name` is that of its fields; `choice` the saved option.

    `number_answer` is None where options are chosen.
    """

    number: int
    name: str
    prompt: SafeString
    options: tuple[OptionContext, ...]
    step_url: str
    choice: int | None
    number_answer: NumberContext | None = None
    version: int = 0
    instance: int | None = None
    again: str = ""  # of a generated question: the address that asks it with other numbers
    partial: bool = False  # whether only the reason of a wrong answer is shown, to try again
    hidden: bool = False  # whether the learner may not see yet what is right, and why

    @property
    def was_name(self) -> str:
        """Return the name of the field that says what was answered when the page was made."""
        return WAS + self.name.rpartition("-")[2]

    @property
    def was(self) -> str:
        """Return the saved answer as the form's field holds it."""
        if self.number_answer is not None:
            return self.number_answer.typed
        return "" if self.choice is None else str(self.choice)

    @property
    def has_pictures(self) -> bool:
        return any(option.picture for option in self.options)

    @property
    def answered(self) -> bool:
        if self.number_answer is not None:
            return self.number_answer.right is not None
        return any(option.chosen for option in self.options)

    @property
    def right(self) -> bool:
        if self.number_answer is not None:
            return bool(self.number_answer.right)
        return any(option.chosen and option.is_key for option in self.options)


def question_context(
    version: QuestionVersion, *, number: int, name: str, order: Sequence[int], choice: int | None
) -> QuestionContext:
    """Return a question of fixed content as a template shows it; prefetch its options."""
    options = {option.pk: option for option in version.options.all()}
    response = Response(version=version, option_order=list(order), choice_id=choice)
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
            choice=None,
        )
        for number, version in enumerate(versions, start=1)
    ]


def drawn_question_context(drawn: SelectedQuestion, *, number: int = 0) -> QuestionContext:
    """Return a question that is asked by itself and not answered yet."""
    response = Response(
        version=drawn.version, instance=drawn.instance, option_order=settled_order(drawn)
    )
    options = {option.pk: option for option in drawn.options}
    name = "option" if answer_of(response) is None else "number"
    return _shown(response, options, number=number, name=name)


def response_context(response: Response, learner: Learner | None) -> QuestionContext:
    """Return one answered question, as its learner may see it now. One query for its options."""
    options = Option.objects.in_bulk(response.option_order)
    shown = _shown(response, options, number=response.order, name="option")
    return replace(shown, hidden=not may_show(learner, response.version.question))


def response_contexts(
    responses: Iterable[Response], hidden: Collection[str] = ()
) -> list[QuestionContext]:
    """Return questions in their order; give version and instance with them. One query.

    `hidden` names the questions whose answers this reader may not see.
    """
    found = list(responses)
    options = Option.objects.in_bulk([pk for one in found for pk in one.option_order])
    return [
        replace(
            _shown(
                one,
                options,
                number=one.order,
                name=f"{PREFIX if answer_of(one) is None else NUMBER}{one.pk}",
            ),
            hidden=one.version.question.slug in hidden,
        )
        for one in found
    ]


def to_try_again(question: QuestionContext) -> QuestionContext:
    """Return an answered question of a lesson; after a wrong answer with its reason alone."""
    return replace(question, partial=not question.right and not question.hidden)


def with_problem(question: QuestionContext, *, typed: str, problem: str) -> QuestionContext:
    """Return a question that asks for a number as it comes back to somebody who typed none."""
    asked = question.number_answer
    if asked is None:
        return question
    return replace(question, number_answer=replace(asked, typed=typed, problem=problem))


def _shown(
    response: Response, options: Mapping[int, Option], *, number: int, name: str
) -> QuestionContext:
    version, instance = response.version, response.instance
    course = version.question.course.slug
    prompt = version.prompt if instance is None else instance.prompt
    answer = answer_of(response)
    return QuestionContext(
        number=number,
        name=name,
        prompt=_prose(prompt, course, headings_from=3),
        options=tuple(
            option_context(options[pk], course, chosen=pk == response.choice_id)
            for pk in response.option_order
        ),
        step_url=step_address(course, version.step),
        choice=response.choice_id,
        number_answer=number_context(answer, course, response) if answer else None,
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
    """Return what a page says of a number, and of a learner's answer to it."""
    typed = response.text if response else ""
    given = response.number if response else None
    miss = None if given is None else answer.near_miss(given)
    return NumberContext(
        typed=typed,
        problem=(unreadable(typed) or SENT_EARLIER) if typed and given is None else "",
        unit=answer.unit,
        exactness=answer.exactness,
        key=plain(answer.value),
        interval=answer.interval,
        reason=_prose(answer.reason, course),
        right=response.is_right if response else None,
        read_as="" if given is None else read_as(typed, given),
        miss=_prose(miss.reason, course) if miss else "",
    )


def source_context(source: QuestionSource, course: str) -> QuestionContext:
    """Return a question that is still being written as a learner would see it, in its own order."""
    answer = None
    with suppress(KeyError, ValueError):  # not all of it is written yet
        answer = answer_from_json(source.answer) if source.answer else None
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
        choice=None,
        number_answer=number_context(answer, course) if answer else None,
    )


def attempt_questions(attempt: Attempt, hidden: Collection[str] = ()) -> list[QuestionContext]:
    """Return what the attempt asks, exactly as it was fixed at its start. Two queries."""
    rows = attempt.responses.select_related("version__question__course", "instance")
    return response_contexts(rows, hidden)
