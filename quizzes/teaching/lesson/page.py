"""How lessons are written in the browser: the kind's declaration for `studio_views.py`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, QueryDict
from django.shortcuts import get_object_or_404
from posenc.registry import REGISTRY

from quizzes.authoring.lost_steps import lost_steps
from quizzes.classes.publishing.lesson_drafts import BLANK, MOST_STEPS, EditableLesson
from quizzes.classes.publishing.step_users import CourseNames, users_of
from quizzes.content_files.problems import ContentProblem
from quizzes.courses.drafts import CurrentText
from quizzes.courses.editions import PastText
from quizzes.courses.models import ContentDraft, Course
from quizzes.lessons.canonical_files import lesson_form_content
from quizzes.lessons.lesson_files import LessonSource
from quizzes.lessons.models import Lesson
from quizzes.teaching.changes import changes
from quizzes.teaching.forms import clean_field
from quizzes.teaching.lesson.form import (
    BLOCKS,
    FORMS,
    missing_in_lesson,
    place_after,
    press_button,
    read_lesson,
    step_rows,
)
from quizzes.teaching.lesson.listings import (
    RUN,
    fill_in,
    listings_context,
    run_again,
    run_missing,
)
from quizzes.teaching.lesson.preview import step_preview
from quizzes.teaching.studio import StudioPage, Words, history_of, own_address

PART = "teaching/_preview_part.html"  # for a script, which has the frame of its own page


class LessonPage(StudioPage):
    """The page on which lessons are written."""

    template = "teaching/lesson.html"
    list_template = "teaching/lessons.html"
    preview_template = "teaching/lesson_preview.html"
    preview_methods = ("GET", "HEAD", "POST")
    version_template = "teaching/_lesson_version.html"
    says_every_save = True
    withdrawn = "Withdrawn: only learners who have started it can still find it."
    restored = "Restored: learners can find it again."
    words = Words(
        new_draft="{slug} is now a draft. Learners will see it when you publish it.",
        saved_draft="Saved as a draft. Learners will see it when you publish it.",
        plan="",
        running_work="",
        plan_dropped="",
        discarded="The lesson {slug} has been discarded.",
        brought_back="Version {number} is now your draft. Learners will see it when you publish "
        "it.",
    )

    def row(self, course: Course, slug: str) -> Lesson:
        rows = Lesson.objects.select_related("course").exclude(title="")
        return get_object_or_404(rows, course=course, slug=slug)

    def warning(self, row: Lesson) -> str:
        users = _users_of_lesson(row)
        if not users:
            return ""
        return (
            "Not withdrawn: other things in the course lead to this lesson. They are listed above"
            " the button: tick “Withdraw it anyway” there if you are sure."
        )

    def thing(self, course: Course, slug: str) -> EditableLesson:
        rows = Lesson.objects.select_related("course").prefetch_related("steps")
        return EditableLesson(get_object_or_404(rows, course=course, slug=slug))

    def list_context(self, request: HttpRequest, course: Course) -> dict[str, Any]:
        del request
        return {"lessons": lesson_list(course)}

    def blank(self, data: QueryDict) -> Mapping[str, Any]:
        return {**BLANK, "title": clean_field(data, "title")}

    def read(self, data: QueryDict, button: str) -> dict[str, Any]:
        return press_button(read_lesson(data), data, button)

    def finish(
        self, request: HttpRequest, thing: EditableLesson, content: dict[str, Any], button: str
    ) -> dict[str, Any]:
        return fill_in(request, thing, content, button)

    def after_save(
        self, request: HttpRequest, thing: EditableLesson, content: Any, button: str
    ) -> None:
        if button == RUN:
            run_again(request, thing, content)

    def not_ready(
        self,
        request: HttpRequest,
        thing: EditableLesson,
        content: Any,
        problems: Sequence[ContentProblem],
    ) -> str:
        if not any(problem.code == "not_run" for problem in problems):
            return super().not_ready(request, thing, content, problems)
        run_missing(request, thing, content)
        others = sum(problem.code != "not_run" for problem in problems)
        fix = f" Fix the other problem{'s' * (others != 1)} meanwhile." if others else ""
        return f"Saved, not published: its listings are run first.{fix} Then publish it again."

    def context(
        self, request: HttpRequest, thing: EditableLesson, now: CurrentText
    ) -> dict[str, Any]:
        del request
        content, draft, lesson = now.content, now.draft, thing.row
        missing = missing_in_lesson(thing.check(content).problems, content)
        met, published = thing.published_steps, thing.published()
        return {
            "content": content,
            "prerequisites": "\n".join(content["prerequisites"]),
            "revision": now.revision,
            "draft": draft,
            "behind": bool(draft and published and draft.base != thing.published_hash()),
            "edited_since_load": bool(lesson.loaded_hash)
            and thing.published_hash() != lesson.loaded_hash,
            "steps": step_rows(content, met=met, missing=missing),
            "most_steps": MOST_STEPS,
            "forms": FORMS.items(),
            "works": sorted(lesson.course.sources),
            "menus": block_menus(thing.names),
            "missing": missing,
            "listings": listings_context(thing, content),
            "changes": changes(published, content) if draft and published else [],
            "versions": history_of(thing),
            "users": _users_of_lesson(lesson) if lesson.title and not lesson.withdrawn_at else [],
        }

    def preview(
        self, request: HttpRequest, thing: EditableLesson, content: Mapping[str, Any]
    ) -> dict[str, Any]:
        return {
            "lesson": thing.row,
            "content": content,
            "frame_template": PART if request.headers.get("HX-Request") else "base.html",
            "is_saved": request.method != "POST",
            **step_preview(request, thing.row, content),
        }

    def version(
        self, request: HttpRequest, thing: EditableLesson, text: PastText
    ) -> dict[str, Any]:
        del request, thing
        return {"content": text.content}

    def publication(self, thing: EditableLesson, source: LessonSource) -> str:
        steps = len(source.steps_read)
        words = f"Published with {steps} step{'s' * (steps != 1)}: learners can now read it."
        own = f"{thing.row.slug}/"
        lost = [str(step) for step in lost_steps(thing.row.course) if step.step.startswith(own)]
        return " ".join([words, *lost])

    def next_address(self, request: HttpRequest, thing: EditableLesson, button: str) -> str:
        return f"{own_address(thing)}{place_after(request.POST, button)}"


def _users_of_lesson(lesson: Lesson) -> list[str]:
    """Return what else in the course leads to a lesson or names one of its steps."""
    steps = [step.slug for step in lesson.steps.all()]
    users = users_of(lesson.course, lesson.slug, ["", *steps])
    return list(dict.fromkeys(user.words for user in users))


@dataclass(frozen=True)
class LessonLine:
    """A lesson in the list, with the number of its steps, and its draft."""

    lesson: Lesson
    steps: int
    draft: ContentDraft | None

    @property
    def title(self) -> str:
        drafted = str(lesson_form_content(self.draft.files)["title"]) if self.draft else ""
        return self.lesson.title or drafted or self.lesson.slug


def lesson_list(course: Course) -> list[LessonLine]:
    """Return the lessons of a course in its order, with their drafts. Three queries."""
    rows = Lesson.objects.filter(course=course).with_steps().order_by("number", "pk")
    drafts = course.drafts.filter(kind=ContentDraft.Kind.LESSON).select_related("edited_by")
    by_slug = {draft.slug: draft for draft in drafts}
    return [
        LessonLine(lesson, len(lesson.steps.all()), by_slug.get(lesson.slug)) for lesson in rows
    ]


@dataclass(frozen=True)
class BlockMenu:
    """Blocks of one kind that can be put into a step: value and words of each choice."""

    label: str
    block: str  # its Markdown, in which NAME and VIEW stand for what was chosen
    choices: Sequence[tuple[str, str]]


def block_menus(names: CourseNames) -> list[BlockMenu]:
    """Return what can be put into a step. Three queries."""
    figures = [(f"{slug}/{view}", f"{slug}: {view}") for slug, entry in REGISTRY.items()
               for view in entry.views]  # fmt: skip
    plain = {"listing": "A program and what it prints", "check": "A claim and its number",
             "table": "A table"}  # fmt: skip
    return [
        BlockMenu("Figure", BLOCKS["figure"], _choices("figure", figures)),
        BlockMenu("Plot", BLOCKS["plot"], _choices("plot", _same(sorted(names.plots)))),
        BlockMenu("Question", BLOCKS["question"], _choices("question", _same(names.questions))),
        BlockMenu("Exercise", BLOCKS["exercise"], _choices("exercise", _same(names.exercises))),
        BlockMenu("Picture", BLOCKS["picture"], _choices("picture", _same(names.pictures))),
        *(BlockMenu(words, BLOCKS[kind], [(kind, words)]) for kind, words in plain.items()),
    ]


def _same(names: Sequence[str]) -> list[tuple[str, str]]:
    return [(name, name) for name in names]


def _choices(kind: str, named: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(f"{kind}:{name}", words) for name, words in named]
