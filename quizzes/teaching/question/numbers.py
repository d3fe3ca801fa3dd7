"""The part Numbers of a question's page: what its program drew, and how far a draw is."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString

from quizzes.assessment.drawing.draws import FEW, MANY, State, draw_of, is_drawn, mark_of
from quizzes.assessment.drawing.report import questions_in
from quizzes.assessment.generator.generated_question import Generated
from quizzes.assessment.generator.instances import options_of
from quizzes.assessment.models import Question, QuestionDraw, QuestionVersion
from quizzes.assessment.number_parser import read_number
from quizzes.assessment.numeric_answer import answer_from_json, plain
from quizzes.assessment.option_lengths import MAX_QUIZ_PERCENT
from quizzes.assessment.presenters import QuestionContext, number_context, option_context
from quizzes.assessment.sources import QuestionSource
from quizzes.classes.week.known_mistakes import MistakeFacts
from quizzes.exercises.proofs.proof_queue import proofs_waiting, versions_waiting
from quizzes.exercises.services import grading_state
from quizzes.pages.course_links import with_course_links
from quizzes.pages.markdown import render_markdown

ENOUGH = 30  # questions: of fewer, chance alone often goes beyond a bound


@dataclass(frozen=True)
class Answer:
    """The key or a wrong answer of a drawn question, with what is said of it."""

    text: SafeString | str
    reason: SafeString
    is_key: bool
    mistake: str = ""
    picture: str = ""
    alt: str = ""


@dataclass(frozen=True)
class DrawnSeed:
    """One seed: the question as learners meet it, and below it all that they do not see yet."""

    seed: int
    question: QuestionContext | None = None
    answers: tuple[Answer, ...] = ()
    refusal: str = ""


@dataclass(frozen=True)
class Share:
    """A count with what it means; `is_too_many`: learners could go by it."""

    words: str
    count: int
    of: int
    is_too_many: bool

    @property
    def percent(self) -> int:
        return round(100 * self.count / self.of) if self.of else 0


def numbers_context(
    question: Question, source: QuestionSource, mistakes: Mapping[str, MistakeFacts]
) -> dict[str, Any]:
    """Return the context of the part Numbers. At most five queries."""
    draw = draw_of(question)
    context: dict[str, Any] = {"draw": draw, "few": FEW, "many": MANY}
    if draw is None:
        return context | {"is_drawn": is_drawn(question, source)}
    counts = draw.report.get("counts", {})
    waiting = draw.state == State.WAITING
    return context | {
        "is_drawn": is_drawn(question, source),
        "is_older": draw.mark != mark_of(source.kind, source.generator),
        "waiting": waiting,
        "before": number_before(draw) if waiting else 0,
        "grading": grading_state() if waiting else None,
        "seeds": seeds_in(draw, question, mistakes),
        "refused": draw.report.get("refused", ()),
        "counts": counts,
        "is_hardly_varied": 2 * counts.get("different", 0) < counts.get("questions", 0),
        "shares": shares_in(counts),
        "offered": offered_in(counts, mistakes),
    }


def number_before(draw: QuestionDraw) -> int:
    """Count what a worker does before it carries out this draw."""
    earlier = QuestionDraw.objects.filter(state=State.WAITING, requested_at__lt=draw.requested_at)
    return versions_waiting() + proofs_waiting() + earlier.count()


def seeds_in(
    draw: QuestionDraw, question: Question, mistakes: Mapping[str, MistakeFacts]
) -> list[DrawnSeed]:
    """Return the first seeds of a draw, made and refused ones, in their order."""
    version = QuestionVersion(question=question, kind=draw.kind)
    made = [_drawn_seed(question, version, mistakes) for question in questions_in(draw.report)]
    refused = [
        DrawnSeed(seed, refusal=reason)
        for seed, reason in draw.report.get("refused", ())
        if seed <= FEW
    ]
    return sorted([*made, *refused], key=lambda seed: seed.seed)


def _drawn_seed(
    made: Generated, version: QuestionVersion, mistakes: Mapping[str, MistakeFacts]
) -> DrawnSeed:
    course = version.question.course.slug
    options = options_of(made, version=version)
    for option in options:
        option.pk = option.order
    shown = [option_context(option, course, chosen=False) for option in options]
    answers = tuple(
        Answer(
            context.text,
            context.reason,
            context.is_key,
            _words_of(option.mistake, mistakes),
            context.picture,
            context.alt,
        )
        for option, context in zip(options, shown, strict=True)
    )
    number = None
    if made.answer is not None:
        number = number_context(answer_from_json(made.answer), course)
        answers = (
            Answer(f"{number.key} {number.unit}".strip(), number.reason, is_key=True),
            *_misses(made.answer["near"], course, mistakes),
        )
    random.Random(made.seed).shuffle(shown)  # noqa: S311 - learners do not get the key first
    question = QuestionContext(
        number=made.seed,
        name=f"seed-{made.seed}",
        prompt=_prose(made.prompt, course),
        options=tuple(shown),
        step_url="",
        kind=version.kind,
        number_answer=number,
    )
    return DrawnSeed(made.seed, question, answers)


def _misses(
    near: Sequence[Mapping[str, str]], course: str, mistakes: Mapping[str, MistakeFacts]
) -> list[Answer]:
    return [
        Answer(
            plain(read_number(miss["value"])),
            _prose(miss["reason"], course),
            is_key=False,
            mistake=_words_of(miss.get("mistake", ""), mistakes),
        )
        for miss in near
    ]


def _prose(text: str, course: str) -> SafeString:
    return with_course_links(render_markdown(text, headings_from=4), course)


def shares_in(counts: Mapping[str, Any]) -> list[Share]:
    """Return how often a learner who knows nothing would be right by a rule."""
    longest, of = counts.get("longest", (0, 0))
    shares = [_share("The key is the longest option", longest, of)]
    if place := counts.get("place"):
        words = f"The key is {_ordinal(place['place'], place['options'])} of the numbers"
        shares.append(_share(words, place["times"], place["of"]))
    return [share for share in shares if share.of]


def _share(words: str, count: int, of: int) -> Share:
    return Share(words, count, of, of >= ENOUGH and 100 * count > MAX_QUIZ_PERCENT * of)


def _ordinal(place: int, options: int) -> str:
    """Return the place of a number among others by size: "the smallest", "the second smallest"."""
    if place == options:
        return "the largest"
    return ("the smallest", "the second smallest", "the second largest")[min(place - 1, 2)]


def offered_in(
    counts: Mapping[str, Any], mistakes: Mapping[str, MistakeFacts]
) -> list[tuple[str, int]]:
    """Return the known mistakes with the number of questions that offer each, most first."""
    offered = counts.get("offered", {})
    rows = [(_words_of(name, mistakes), times) for name, times in offered.items()]
    return sorted(rows, key=lambda row: (-row[1], row[0]))


def _words_of(name: str, mistakes: Mapping[str, MistakeFacts]) -> str:
    """Return a mistake in plain words with its name, the name alone where nothing is known."""
    facts = mistakes.get(name)
    if not name:
        return ""
    if facts is None or not facts.is_there:
        return f"{name}, which no exercise of the course has"
    words = (facts.does or facts.words).replace("`", "")
    return name if words == facts.slug else f"{words} ({name})"
