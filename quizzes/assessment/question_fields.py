"""The fields of question.yaml, by the kind of the question."""

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema

from quizzes.assessment.models import QuestionVersion
from quizzes.assessment.number_parser import NotANumberError, read_number
from quizzes.assessment.numeric_answer import MAX_UNIT, tolerance_of
from quizzes.assessment.quiz_fields import MAX_PROSE, OF_SLUG, Prose
from quizzes.assessment.text_answer import MAX_ACCEPTED, MAX_ACCEPTED_LENGTH, pattern_problem
from quizzes.content_files.declaration import Declaration, Expected, OneOf, StepName
from quizzes.content_files.problems import ContentProblem
from quizzes.content_files.renamed_from import FormerSlugs
from quizzes.pages.text_rules import MARKDOWN, MARKDOWN_LINE

MAX_OPTIONS = 8
FEWEST_KEYS = 2  # where several are right
MAX_OPTION_LENGTH = 400
MAX_NEAR = 8
GENERATED = ("single", "numeric")  # the kinds that generate.py makes

Kind = Annotated[str, OneOf(tuple(QuestionVersion.Kind.values))]
Scoring = Annotated[str, OneOf(tuple(QuestionVersion.Scoring.values))]
DEFAULT_SCORING = QuestionVersion.Scoring.ALL_OR_NOTHING.value


def _mistake(text: str) -> str:
    exercise, _, variant = text.partition("/")
    if text and not (exercise and variant and "/" not in variant):
        raise ValueError(text)
    return text


def _numeral(value: object) -> str:
    """Return a number as its author wrote it: 0.25, "1/4" or "2*pi"."""
    text = str(value)
    try:
        read_number(text)
    except NotANumberError as error:
        raise ValueError(f"{text!r}: {error}") from error
    return text


def _accepted(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError(f"{value!r}: must be text (use quotes)")
    text = " ".join(str(value).split())
    problem = pattern_problem(text)
    if len(text) > MAX_ACCEPTED_LENGTH:
        problem = f"{len(text)} characters, at most {MAX_ACCEPTED_LENGTH} are allowed"
    if problem:
        raise ValueError(f"{text[:60]!r}: {problem}" if text else problem)
    return text


Mistake = Annotated[
    str,
    Field(max_length=170, description="The known mistake that chooses it."),
    AfterValidator(_mistake),
    Expected("<exercise>/<known mistake>"),
]
Numeral = Annotated[
    str, BeforeValidator(_numeral), WithJsonSchema({"type": ["number", "string"], "minLength": 1})
]
Size = Annotated[float, Field(ge=0), Expected("a number, 0 or more")]
Accepted = Annotated[
    str, BeforeValidator(_accepted), WithJsonSchema({"type": ["number", "string"], "minLength": 1})
]


class OptionFields(Declaration):
    """One option; the reason is shown to everybody who has answered."""

    text: Annotated[str, Field(min_length=1, max_length=MAX_OPTION_LENGTH), MARKDOWN_LINE]
    key: bool = Field(False, description="Whether it is right.")
    mistake: Mistake = ""
    reason: Prose

    def faults(self) -> Iterator[ContentProblem]:
        if "\n" in self.text:
            yield self.problem("text", "must be one line")


class MissFields(Declaration):
    """A wrong number that a known mistake gives."""

    value: Numeral
    mistake: Mistake = ""
    reason: Prose


class NumericAnswerFields(Declaration):
    """The right number, how far off an answer may be, and the numbers that mistakes give."""

    value: Numeral = Field(description="As its author writes it: 0.25, 1/4 or 2*pi.")
    within: Size | None = Field(None, description="How far off it may be, as a share of the value.")
    plus_minus: Size | None = Field(None, description="How far off it may be, as a number.")
    unit: Annotated[str, Field(max_length=MAX_UNIT)] = ""
    reason: Prose
    near: tuple[MissFields, ...] = Field((), json_schema_extra={"maxItems": MAX_NEAR})

    def content(self) -> dict[str, Any]:
        """Return the answer as it is stored."""
        near = [miss.model_dump(exclude_defaults=True) for miss in self.near]
        answer = self.model_dump(exclude_none=True, exclude={"near"})
        return {**answer, "near": near} if near else answer

    def faults(self) -> Iterator[ContentProblem]:
        if self.within is not None and self.plus_minus is not None:
            yield self._fault("give within (a share of the value) or plus_minus, not both")
        if len(self.near) > MAX_NEAR:
            yield self._fault(f"near: {len(self.near)}, at most {MAX_NEAR} are allowed")
        try:
            value = read_number(self.value)
            misses = [read_number(miss.value) for miss in self.near]
        except NotANumberError:
            return  # said already
        tolerance = tolerance_of(self.content(), value)
        if not value and self.plus_minus is None:
            yield self._fault("the value is 0: use plus_minus, since a share of 0 is 0")
        for miss in misses:
            if abs(miss - value) <= 1.5 * tolerance:
                near = f"near: {miss:g} cannot be told apart from {value:g}"
                yield self._fault(f"{near}: make the interval smaller")

    def _fault(self, words: str) -> ContentProblem:
        return self.node.problem(words, key="answer")


class TextAnswerFields(Declaration):
    """The texts that are right; * at the start or end stands for anything."""

    prefix: ClassVar[str] = "answer"
    accepts: Annotated[tuple[Accepted, ...], Field(min_length=1)] = Field(
        json_schema_extra={"maxItems": MAX_ACCEPTED}
    )
    reason: Prose

    def content(self) -> dict[str, Any]:
        """Return the answer as it is stored."""
        return {"accepts": list(self.accepts), "reason": self.reason}

    def faults(self) -> Iterator[ContentProblem]:
        seen: set[str] = set()  # what differs in its dashes was worth a line of its own once
        for item in self.node.at("accepts").items():
            text = " ".join(str(item.value).split())
            if text in self.accepts and text.casefold() in seen:
                words = f"{text[:60]!r}: appears here twice: case and spaces do not matter"
                yield self.problem("accepts", words, at=item)
            seen.add(text.casefold())
        if len(self.accepts) > MAX_ACCEPTED:
            yield self.problem("accepts", f"{len(self.accepts)}, at most {MAX_ACCEPTED}")


class QuestionFields(Declaration):
    """What every question has."""

    kind: Kind = "single"
    step: StepName = Field(description="The step that explains it.")
    tags: tuple[Annotated[str, Field(min_length=1)], ...] = Field(
        (), description="By which quizzes draw it, and progress counts it."
    )
    keep_last: bool = Field(False, description="Whether the last option stays last.")
    renamed_from: FormerSlugs = Field((), description="The names that it had before.")
    prompt: Annotated[str, Field(max_length=MAX_PROSE), MARKDOWN] = Field(
        "", description="The question; a longer one is the file prompt.md."
    )


class SingleQuestion(QuestionFields):
    """A question with one right option."""

    kind: Kind = Field("single", json_schema_extra={"const": "single"})
    options: Annotated[tuple[OptionFields, ...], Field(min_length=1)] = Field(
        json_schema_extra={"minItems": 2, "maxItems": MAX_OPTIONS}
    )

    def faults(self) -> Iterator[ContentProblem]:
        """Yield where the options have not as many keys as the kind of question asks for.

        Where one was refused, or what its `key` says was, nobody knows how many there are.
        """
        seen: set[str] = set()
        for option in self.options:
            text = option.text.casefold()
            if text and text in seen:
                yield option.node.problem(f"option {option.text!r} appears here twice")
            seen.add(text)
        count, keys = len(self.options), sum(option.key for option in self.options)
        if not self.node.at("options").is_whole():
            return
        if not 2 <= count <= MAX_OPTIONS:
            yield self.problem("options", f"{count}, must be between 2 and {MAX_OPTIONS}")
        if not any(option.node.at("key").is_refused for option in self.options):
            yield from self._key_faults(keys, count)

    def _key_faults(self, keys: int, count: int) -> Iterator[ContentProblem]:
        del count
        if keys != 1:
            words = f"{keys} have key: true, must be exactly 1"
            yield self.problem("options", words, code="one_key")


class MultipleQuestion(SingleQuestion):
    """A question with several right options."""

    kind: Kind = Field(json_schema_extra={"const": "multiple"})
    scoring: Scoring = DEFAULT_SCORING

    def _key_faults(self, keys: int, count: int) -> Iterator[ContentProblem]:
        if keys < FEWEST_KEYS or keys == count:
            words = f"{keys} have key: true, must be at least {FEWEST_KEYS}, and not all of them"
            yield self.problem("options", words, code="several_keys")


class NumericQuestion(QuestionFields):
    """A question whose answer is a number."""

    kind: Kind = Field(json_schema_extra={"const": "numeric"})
    answer: NumericAnswerFields


class TextQuestion(QuestionFields):
    """A question whose answer is a short text."""

    kind: Kind = Field(json_schema_extra={"const": "text"})
    answer: TextAnswerFields


class GeneratedQuestion(QuestionFields):
    """A question whose options or answer generate.py makes."""

    kind: Kind = Field("single", json_schema_extra={"enum": list(GENERATED)})
    exercise: Annotated[str, BeforeValidator(str), OF_SLUG] = Field(
        "", description="The exercise whose code and known mistakes it draws from."
    )

    def faults(self) -> Iterator[ContentProblem]:
        if self.kind in set(QuestionVersion.Kind.values) - set(GENERATED):
            made = "generate.py makes questions of the kinds single and numeric"
            yield self.problem("kind", f"{self.kind!r}: {made}")


OF_KIND: dict[str, type[QuestionFields]] = {
    "single": SingleQuestion,
    "multiple": MultipleQuestion,
    "numeric": NumericQuestion,
    "text": TextQuestion,
}
