"""Questions and quizzes as read from files, before any of it is stored."""

from collections.abc import Mapping
from dataclasses import dataclass, field
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

    A numeric one has an `answer` and no options. A generated one has neither, but files that make
    them: `generator`, by name.
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

    @property
    def content_hash(self) -> str:
        options = [
            [option.text, option.is_key, option.reason, *([option.mistake] * bool(option.mistake))]
            for option in self.options
        ]
        more: dict[str, Any] = {"answer": self.answer, "generator": self.generator}
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
class QuizSource:
    """One quiz as read. `questions`: the slugs in order, each with the fault if there is none."""

    slug: str
    path: str
    line: int
    title: str
    summary: str
    questions: tuple[tuple[str, ContentProblem], ...]
    renamed_from: tuple[FormerName, ...] = ()

    @property
    def content_hash(self) -> str:
        return quiz_hash(self.title, self.summary, [slug for slug, _ in self.questions])


def question_hash(**content: Any) -> str:
    """Return the hash of a question's parsed content; the layout of its file does not matter."""
    return hash_of(content)


def quiz_hash(title: str, summary: str, questions: list[str]) -> str:
    """Return the hash of a quiz's parsed content."""
    return hash_of([title, summary, questions])
