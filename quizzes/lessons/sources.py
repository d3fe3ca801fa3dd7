"""What is read from a course's files, before any of it is stored."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from quizzes.pages.blocks import Page
from quizzes.pages.source import Fault
from quizzes.pages.stored import hash_of

WORDS_PER_MINUTE = 200
BLOCK_SECONDS = {"check": 10, "figure": 60, "listing": 40, "question": 40, "exercise": 900}


def content_hash_of(*parts: Any) -> str:
    """Return the hash of parsed content, in which the layout of files does not matter."""
    return hash_of(parts)


@dataclass(frozen=True)
class StepSource:
    """One step as read; `sources` are (key of the course's works, where in the work)."""

    slug: str
    title: str
    text: str
    sources: tuple[tuple[str, str], ...]
    path: str
    page: Page = field(repr=False, compare=False)

    @property
    def reading_seconds(self) -> int:
        seconds = self.page.words * 60 // WORDS_PER_MINUTE
        return seconds + sum(BLOCK_SECONDS.get(block.kind, 30) for block in self.page.blocks)

    def content(self) -> dict[str, Any]:
        sources = [list(pair) for pair in self.sources]
        return {"slug": self.slug, "title": self.title, "text": self.text, "sources": sources}


@dataclass(frozen=True)
class LessonSource:
    """One lesson as read. `refers_to` holds (block kind, slug, fault if there is no such thing)."""

    slug: str
    path: str
    line: int
    course: str
    number: int
    title: str
    summary: str
    form: str  # of Lesson.Form
    prerequisites: tuple[str, ...]
    steps_read: tuple[StepSource, ...]

    @property
    def content_hash(self) -> str:
        return content_hash_of(
            self.number,
            self.title,
            self.summary,
            self.form,
            list(self.prerequisites),
            [step.content() for step in self.steps_read],
        )

    @property
    def step_paths(self) -> set[str]:
        """Return "lesson/step" of every step."""
        return {f"{self.slug}/{step.slug}" for step in self.steps_read}

    @property
    def refers_to(self) -> tuple[tuple[str, str, Fault], ...]:
        return tuple(
            (block.kind, str(slug), block.fault(f"there is no {block.kind} {slug!r}"))
            for step in self.steps_read
            for block in step.page.blocks
            if (slug := block.options.get("slug"))
        )


@dataclass(frozen=True)
class Work:
    """A work that steps name as their source."""

    text: str
    url: str


@dataclass(frozen=True)
class CourseSource:
    """The course as read."""

    slug: str
    path: str
    line: int
    title: str
    summary: str
    sources: Mapping[str, Work]
    lessons: tuple[str, ...]

    @property
    def content_hash(self) -> str:
        works = {key: asdict(work) for key, work in self.sources.items()}
        return content_hash_of(self.title, self.summary, works, list(self.lessons))
