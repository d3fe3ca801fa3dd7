"""Questions and quizzes as read from files, before any of it is stored."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from quizzes.content_files.problems import ContentProblem
from quizzes.content_files.renamed_from import FormerName
from quizzes.content_files.stored_hashes import hash_of


@dataclass(frozen=True)
class OptionSource:
    """One option as read."""

    text: str
    is_key: bool
    reason: str
    mistake: str = ""  # "<exercise>/<known mistake>"


@dataclass(frozen=True)
class QuestionSource:
    """One question as read. `steps`: the lesson step it names, with the fault if there is none.

    One that asks for a number or a text has an `answer` and no options. A generated one has
    neither, but files that make them: `generator`, by name. `scoring` says how several right
    options count.
    """

    slug: str
    path: str
    line: int
    kind: str
    prompt: str
    step: str
    tags: tuple[str, ...]
    keep_last: bool
    options: tuple[OptionSource, ...]
    steps: tuple[tuple[str, ContentProblem], ...]
    answer: Mapping[str, Any] | None = None
    generator: Mapping[str, str] = field(default_factory=dict)
    renamed_from: tuple[FormerName, ...] = ()  # of the name, not of the content: in no hash
    scoring: str = ""

    @property
    def content_hash(self) -> str:
        options = [
            [option.text, option.is_key, option.reason, *([option.mistake] * bool(option.mistake))]
            for option in self.options
        ]
        more: dict[str, Any] = {
            "answer": self.answer,
            "generator": self.generator,
            "scoring": self.scoring,
        }
        return question_hash(
            kind=self.kind,
            prompt=self.prompt,
            step=self.step,
            tags=list(self.tags),
            keep_last=self.keep_last,
            options=options,
            # What a question does not have is left out: questions of old keep their hash.
            **{name: value for name, value in more.items() if value},
        )


@dataclass(frozen=True)
class PlaceSource:
    """One entry of a quiz's `questions`: a question, or a pool that draws some with a tag.

    `problem` is the fault to tell where what it names is not there.
    """

    problem: ContentProblem
    question: str = ""
    draw: int = 0
    tag: str = ""
    points: Decimal = Decimal(1)

    @property
    def content(self) -> Any:
        """Return the entry as a file has it; a question worth one point is its name alone."""
        return place_content(
            question=self.question, draw=self.draw, tag=self.tag, points=self.points
        )


def place_content(*, question: str, draw: int | None, tag: str, points: Decimal) -> Any:
    """Return one entry of a quiz's `questions` as a file has it."""
    worth: dict[str, Any] = {} if points == 1 else {"points": plain_number(points)}
    if draw:
        return {"draw": draw, "tag": tag, **worth}
    return {"slug": question, **worth} if worth else question


def plain_number(number: Decimal) -> int | float:
    """Return a number with at most two decimals as YAML and JSON write it."""
    return int(number) if number == number.to_integral_value() else float(number)


@dataclass(frozen=True)
class QuizSource:
    """One quiz as read, with its places in their order."""

    slug: str
    path: str
    line: int
    title: str
    summary: str
    places: tuple[PlaceSource, ...]
    renamed_from: tuple[FormerName, ...] = ()
    shuffle: bool = False
    class_only: bool = False

    @property
    def questions(self) -> tuple[tuple[str, ContentProblem], ...]:
        """Return the questions that it names, each with the fault if there is none."""
        return tuple((one.question, one.problem) for one in self.places if one.question)

    @property
    def pools(self) -> tuple[PlaceSource, ...]:
        return tuple(one for one in self.places if one.draw)

    @property
    def size(self) -> int:
        """Count the questions of an attempt."""
        return sum(one.draw or 1 for one in self.places)

    @property
    def content(self) -> dict[str, Any]:
        """Return the fields of its file that are its content."""
        return quiz_content(
            title=self.title,
            summary=self.summary,
            questions=[one.content for one in self.places],
            shuffle=self.shuffle,
            class_only=self.class_only,
        )

    @property
    def content_hash(self) -> str:
        return quiz_hash(self.content)


def quiz_content(
    *, title: str, summary: str, questions: list[Any], shuffle: bool, class_only: bool
) -> dict[str, Any]:
    """Return the fields of a quiz's file; a flag that is not set is left out."""
    flags = {"shuffle": shuffle, "class_only": class_only}
    told = {name: True for name, is_set in flags.items() if is_set}
    return {"title": title, "summary": summary, "questions": questions, **told}


def question_hash(**content: Any) -> str:
    """Return the hash of a question's parsed content; the layout of its file does not matter."""
    return hash_of(content)


def quiz_hash(content: Mapping[str, Any]) -> str:
    """Return the hash of a quiz's content; without flags it is that of the time before them."""
    known = ["title", "summary", "questions"]
    more = {name: content[name] for name in sorted(content.keys() - set(known))}
    return hash_of([content[name] for name in known] + ([more] if more else []))
