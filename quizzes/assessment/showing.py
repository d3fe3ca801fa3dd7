"""What templates show of questions: prose rendered, options in the learner's order, reasons."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet
from django.urls import reverse
from django.utils.safestring import SafeString

from quizzes.assessment.forms import PREFIX, WAS
from quizzes.assessment.models import Attempt, Option, QuestionVersion, Quiz, Response
from quizzes.assessment.sources import QuestionSource
from quizzes.learners.models import Learner
from quizzes.pages.markdown import render_inline, render_markdown


@dataclass(frozen=True)
class OptionShown:
    """One option in its place."""

    pk: int
    text: SafeString
    reason: SafeString
    is_key: bool
    chosen: bool

    @property
    def mark(self) -> str:
        """Return what a review writes beside the option; colour alone says nothing."""
        if self.chosen:
            return "Your answer, right" if self.is_key else "Your answer, not right"
        return "Right answer" if self.is_key else ""


@dataclass(frozen=True)
class QuestionShown:
    """One question in its place. `name` is that of the radio buttons; `choice` what is saved."""

    number: int
    name: str
    prompt: SafeString
    options: tuple[OptionShown, ...]
    step_url: str
    choice: int | None

    @property
    def was_name(self) -> str:
        """Return the name of the field that says what was chosen when the page was made."""
        return self.name.replace(PREFIX, WAS, 1)

    @property
    def answered(self) -> bool:
        return any(option.chosen for option in self.options)

    @property
    def right(self) -> bool:
        return any(option.chosen and option.is_key for option in self.options)


@dataclass(frozen=True)
class History:
    """A learner's attempts at one quiz: the open one, the latest submitted and the best."""

    open: Attempt | None
    latest: Attempt | None
    best: Attempt | None
    submitted: int


def question_shown(
    version: QuestionVersion, *, number: int, name: str, order: Sequence[int], choice: int | None
) -> QuestionShown:
    """Return a question as a template shows it; its options must have been prefetched."""
    by_pk: dict[int, Option] = {option.pk: option for option in version.options.all()}
    lesson, _, step = version.step.partition("/")
    return QuestionShown(
        number=number,
        name=name,
        prompt=render_markdown(version.prompt, headings_from=3),
        options=tuple(
            OptionShown(
                pk=pk,
                text=render_inline(by_pk[pk].text),
                reason=render_markdown(by_pk[pk].reason, headings_from=4),
                is_key=by_pk[pk].is_key,
                chosen=pk == choice,
            )
            for pk in order
        ),
        step_url=reverse("lessons:step", args=[lesson, step]),
        choice=choice,
    )


def source_shown(source: QuestionSource) -> QuestionShown:
    """Return a question that is still being written as a learner would see it, in its own order."""
    return QuestionShown(
        number=1,
        name="preview",
        prompt=render_markdown(source.prompt, headings_from=3),
        options=tuple(
            OptionShown(
                pk=number,
                text=render_inline(option.text),
                reason=render_markdown(option.reason, headings_from=4),
                is_key=option.is_key,
                chosen=False,
            )
            for number, option in enumerate(source.options, start=1)
        ),
        step_url="",
        choice=None,
    )


def responses_shown(responses: Iterable[Response]) -> list[QuestionShown]:
    """Return an attempt's questions in their order."""
    return [
        question_shown(
            response.version,
            number=response.order,
            name=f"{PREFIX}{response.pk}",
            order=response.option_order,
            choice=response.choice_id,
        )
        for response in responses
    ]


def attempt_questions(attempt: Attempt) -> list[QuestionShown]:
    """Return what the attempt asks, exactly as it was fixed at its start. Two queries."""
    responses = attempt.responses.select_related("version").prefetch_related("version__options")
    return responses_shown(responses)


def quizzes_counted() -> QuerySet[Quiz]:
    """Return the quizzes, each with `asked`: how many questions an attempt at it asks."""
    ready = Q(places__question__current__isnull=False)
    return Quiz.objects.annotate(asked=Count("places", filter=ready)).order_by("pk")


def history_of(learner: Learner | None, quiz: Quiz) -> History:
    """Return what this learner did with a quiz. One query."""
    if learner is None:
        return History(None, None, None, 0)
    found = Attempt.objects.filter(learner=learner, quiz=quiz)
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
