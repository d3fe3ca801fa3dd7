"""A step of a lesson that is being written, as learners would meet it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from django.http import HttpRequest
from django.utils.safestring import SafeString

from quizzes.content_files.problems import ContentProblem
from quizzes.content_files.typed_text import read_whole_number
from quizzes.courses.models import Course
from quizzes.lessons.canonical_files import step_file
from quizzes.lessons.glossary import TermLinks
from quizzes.lessons.lesson_files import MOST_WORDS_OF_SCREEN
from quizzes.lessons.models import Lesson, Step
from quizzes.pages.blocks import (
    Block,
    Page,
    PageContext,
    Prose,
    block_kinds,
    parse_page,
    render_page,
)
from quizzes.pages.markdown import render_markdown


@dataclass(frozen=True)
class ScreenWords:
    """A screen of a step and the words of its text. `number` is counted from 1."""

    number: int
    words: int
    most: int = MOST_WORDS_OF_SCREEN

    @property
    def size(self) -> str:
        """Return the number of its words, and the most that it may have where there are more."""
        return f"{self.words}, more than {self.most}" if self.words > self.most else f"{self.words}"


def asked_step(request: HttpRequest, content: Mapping[str, Any]) -> int:
    """Return the place of the step that a request asks for, from 0; the first for none."""
    step = request.POST.get("step") or request.GET.get("step", "")
    number = read_whole_number(step) or 1
    return min(number, max(len(content["steps"]), 1)) - 1


def step_preview(
    request: HttpRequest, lesson: Lesson, content: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the context of the step that is asked for, as somebody meets it who is new."""
    place, steps = asked_step(request, content), content["steps"]
    if not steps:
        return {"step": None, "steps": steps}
    text, course = steps[place], lesson.course
    path = step_file(lesson.slug, place + 1, text["slug"])
    page = _without_faulty_blocks(parse_page(text["text"], path=path))
    shown = Lesson(course=course, slug=lesson.slug, title=content["title"], form=content["form"])
    step = Step(lesson=shown, slug=text["slug"] or "new", title=text["title"], text=text["text"])
    step.as_of = _day(text["as_of"])
    terms = TermLinks(course, shown, step)
    reader = PageContext(request, None, course, lesson.slug, step.slug)
    body = render_page(page, reader, finish_prose=terms.link, margin=terms.margin)
    return {
        "step": step,
        "steps": steps,
        "place": place + 1,
        "page": page,
        "kinds": {block.kind for block in page.blocks},
        "body": SafeString(body + terms.cards()),
        "screens": [
            ScreenWords(number, screen.running_words)
            for number, screen in enumerate(page.screens, start=1)
            if page.is_divided
        ],
        "sources": _sources(course, text["sources"]),
    }


def _day(text: str) -> date | None:
    """Return a day of the form, None where it is none yet."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _without_faulty_blocks(page: Page) -> Page:
    """Return a page in which a text stands where a block has a fault: none of them can be drawn."""
    if not any(_faults(block) for block in page.blocks):
        return page
    screens = (
        replace(screen, parts=tuple(_part(part) for part in screen.parts))
        for screen in page.screens
    )
    return replace(page, screens=tuple(screens))


def _faults(block: Block) -> list[ContentProblem]:
    return list(block_kinds()[block.kind].check(block))


def _part(part: Block | Prose) -> Block | Prose:
    if isinstance(part, Prose):
        return part
    if not _faults(part):
        return part
    words = f"*The {part.kind} in line {part.line} cannot be shown until its fault is fixed.*"
    return Prose(render_markdown(words), 0, 0)


def _sources(course: Course, sources: Sequence[Mapping[str, str]]) -> list[dict[str, str]]:
    """Return the sources of a step in words, as its page has them."""
    return [
        {
            **course.sources.get(source["work"], {"text": source["work"], "url": ""}),
            "where": source["where"],
        }
        for source in sources
    ]
