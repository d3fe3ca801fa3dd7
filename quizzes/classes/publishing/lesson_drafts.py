"""Lessons that are written in the browser: what is missing, how they are published.

The name of a step that learners have met is fixed: their progress is kept under it, and addresses
have it. A step that was never published may take any name that no step of the course had. A step
that is left out of the lesson is removed unless something else in the course names it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from quizzes.assessment.question_drafts import node_of, unseen_problems
from quizzes.classes.publishing.moved_questions import move_questions, offered_questions
from quizzes.classes.publishing.step_places import move_exercises
from quizzes.classes.publishing.step_users import CourseNames, users_of
from quizzes.content_files.fields import is_slug
from quizzes.content_files.files import MemoryFiles
from quizzes.content_files.problems import ContentProblem, refused
from quizzes.courses.drafts import CheckedText
from quizzes.courses.editions import PastText, editions_of
from quizzes.courses.models import ContentDraft, OldName
from quizzes.courses.old_names import new_names
from quizzes.courses.text_links import link_fault, links_in
from quizzes.learners.models import User
from quizzes.lessons.canonical_files import lesson_files, lesson_form_content, step_file
from quizzes.lessons.lesson_files import LessonSource, Work, lesson_from
from quizzes.lessons.listing_block import Listing, listing_of
from quizzes.lessons.listing_runs import digest_of, listings_in, run_faults, runs_of
from quizzes.lessons.models import Lesson
from quizzes.lessons.plots.plot_files import KIND, plot_block_problems
from quizzes.lessons.store import content_of_lesson, lesson_hash, put_lesson

MOST_STEPS = 40
MOST_BYTES = 1024 * 1024  # of all texts of a draft
UNNAMED = "unnamed"  # in the file's name of a step whose own cannot be read
NEW_STEP: Mapping[str, Any] = {
    "slug": "",
    "title": "",
    "going_deeper": False,
    "as_of": "",
    "sources": [],
    "text": "",
}
BLANK: Mapping[str, Any] = {
    "title": "",
    "summary": "",
    "form": Lesson.Form.STEPS.value,
    "prerequisites": [],
    "steps": [NEW_STEP],
}


@dataclass
class EditableLesson:
    """A lesson for the mechanism of drafts."""

    row: Lesson
    kind = ContentDraft.Kind.LESSON

    @cached_property
    def names(self) -> CourseNames:
        """Return the names of the course's things."""
        return CourseNames(self.row.course)

    @property
    def published_steps(self) -> list[str]:
        """Return the names of the steps that learners meet. One query, none where they are read."""
        return [step.slug for step in self._row_with_steps().steps.all()]

    def _row_with_steps(self) -> Lesson:
        if "steps" not in getattr(self.row, "_prefetched_objects_cache", {}):
            self.refresh()
        return self.row

    def refresh(self) -> None:
        rows = Lesson.objects.select_related("course").prefetch_related("steps")
        self.row = rows.get(pk=self.row.pk)

    def published(self) -> dict[str, Any] | None:
        return content_of_lesson(self._row_with_steps()) if self.row.title else None

    def published_hash(self) -> str:
        return lesson_hash(self._row_with_steps()) if self.row.title else ""

    def blank(self) -> Mapping[str, Any]:
        return BLANK

    def files(self, content: Mapping[str, Any]) -> dict[str, str]:
        return lesson_files(content)

    def content(self, files: Mapping[str, str]) -> dict[str, Any]:
        """Return the fields of a form; steps have the names that they have now."""
        content = lesson_form_content(files)
        named = {step["slug"] for step in content["steps"]}
        lesson, published = self.row.slug, self.published_steps
        unknown = {f"{lesson}/{slug}" for slug in named.difference(published)}
        new = new_names(self.row.course, OldName.Kind.STEP, unknown) if unknown else {}
        for step in content["steps"]:
            home, _, name = new.get(f"{lesson}/{step['slug']}", "").partition("/")
            if home == lesson and name in published and name not in named:
                step["slug"] = name
        return content

    def check(self, content: Mapping[str, Any]) -> CheckedText:
        """Read a draft by the rules of lesson files. Some ten queries."""
        source, problems = self._read(content)
        problems += self._reference_problems(source)
        problems += self._name_problems(content)
        problems += self._listing_problems(source)
        problems += _size_problems(content)
        same = bool(self.row.title) and self.published_hash() == source.content_hash
        own = [replace(problem, path=_field(problem.path)) for problem in problems]
        return CheckedText(source, tuple(sorted(set(refused(own, is_published=same)), key=_place)))

    def _read(self, content: Mapping[str, Any]) -> tuple[LessonSource, list[ContentProblem]]:
        steps, course, slug = content["steps"], self.row.course, self.row.slug
        texts = {
            step_file(slug, number, step["slug"] if is_slug(step["slug"]) else UNNAMED): step[
                "text"
            ]
            for number, step in enumerate(steps, start=1)
            if not is_slug(step["slug"]) or _is_first(steps, number)
        }
        # The reader of files has characters that nobody sees with their lines.
        unseen = (fault for fault in unseen_problems(content) if not fault.path.endswith(".text"))
        problems = list(unseen)
        works = {key: Work(work["text"], work["url"]) for key, work in course.sources.items()}
        fields = [{name: value for name, value in step.items() if name != "text"} for step in steps]
        node = node_of({**content, "steps": fields})
        files = MemoryFiles(course.slug, texts)
        number = self.row.number
        return lesson_from(node, files, slug, works, problems, number=number), problems

    def _reference_problems(self, source: LessonSource) -> Iterator[ContentProblem]:
        for kind, slug, problem in source.refers_to:
            if not self.names.has(kind, slug):
                yield problem
        for step in source.steps_read:
            if any(block.kind == KIND for block in step.page.blocks):
                yield from plot_block_problems(step.page, self.names.plots)
        own = source.step_paths

        def has(kind: str, name: str) -> bool:
            if kind == "lesson" and name == source.slug:
                return True
            if kind == "step" and name.partition("/")[0] == source.slug:
                return name in own
            return self.names.has(kind, name)

        texts = [(step.path, step.text) for step in source.steps_read]
        texts += [
            (f"prerequisites.{place}", line) for place, line in enumerate(source.prerequisites)
        ]
        for path, text in texts:
            for line, target in links_in(text):
                if fault := link_fault(target, source.course, has):
                    yield ContentProblem(path, line, fault)

    def _name_problems(self, content: Mapping[str, Any]) -> Iterator[ContentProblem]:
        """Yield a fault for each name that is taken, and for each that others still use."""
        lesson, published = self.row.slug, self.published_steps
        named = [step["slug"] for step in content["steps"]]
        new = {f"{lesson}/{slug}" for slug in named if slug not in published}
        taken = new_names(self.row.course, OldName.Kind.STEP, new) if new else {}
        for number, slug in enumerate(named):
            if now := taken.get(f"{lesson}/{slug}"):
                words = f"slug: {slug!r} is the former name of {now}; expected another name"
                yield ContentProblem(f"steps.{number}.slug", 1, words, key="slug")
        gone = [slug for slug in published if slug not in named]
        users: dict[str, list[str]] = {}
        for user in users_of(self.row.course, lesson, gone) if gone else ():
            users.setdefault(user.named.name, []).append(user.words)
        for path, names in users.items():
            words = f"step {path} was removed, and is named by {'; '.join(names)}"
            yield ContentProblem("steps", 1, words)

    def _listing_problems(self, source: LessonSource) -> Iterator[ContentProblem]:
        """Yield what listings print that their page does not say, and those that nobody ran.

        A listing that learners have as it is was run before. One query, none without listings.
        """
        listings = [
            listing for step in source.steps_read for listing in listings_in(step.text, step.path)
        ]
        runs = runs_of(self.row.course_id, listings)
        for listing in listings:
            run = runs.get(digest_of(listing_of(listing).code))
            for fault in run_faults(listing, run):
                if fault.code != "not_run" or listing_of(listing) not in self.published_listings:
                    yield fault

    @cached_property
    def published_listings(self) -> list[Listing]:
        """Return the listings that learners have: these were run before."""
        published = self.published() or BLANK
        return [
            listing_of(block)
            for step in published["steps"]
            for block in listings_in(step["text"], "published")
        ]

    def store_published(self, source: LessonSource, editor: User | None) -> str:
        """Give learners the lesson under its address; what they answered in it goes along."""
        before = offered_questions(self.row.course)
        # What the files name no longer belongs to the browser from now on: no load takes it again.
        if self.row.withdrawn_at is not None:
            self.row.loaded_hash = ""
        numbers = {step.slug: step.number for step in self._row_with_steps().steps.all()}
        put_lesson(self.row, source, by=editor)
        move_exercises(self.row, numbers)
        move_questions(self.row.course, before)
        self.refresh()
        return ""

    def versions(self) -> list[PastText]:
        """Return its editions, with the names that their steps have now."""
        now, editions = self.published_hash(), list(editions_of(self.row))
        return [
            PastText(
                edition.number,
                self.content(edition.files),
                edition.at,
                edition.by,
                edition.from_files,
                is_current=edition is editions[0] and now == edition.content_hash,
                row=edition,
            )
            for edition in editions
        ]

    def drop_unused(self) -> bool:
        """Delete a lesson that was never published."""
        if self.row.title:
            return False
        self.row.delete()
        return True


def _is_first(steps: Sequence[Mapping[str, Any]], number: int) -> bool:
    """Return whether no step before has the name of this one, whose number begins with 1."""
    slug = steps[number - 1]["slug"]
    return all(step["slug"] != slug for step in steps[: number - 1])


def _field(path: str) -> str:
    """Return the field of the form that a fault is about: a step's file is its text."""
    name = path.rpartition("/steps/")[2] if "/steps/" in path else ""
    return f"steps.{int(name.partition('-')[0]) - 1}.text" if name else path


def _place(problem: ContentProblem) -> tuple[int, int, str, int, str]:
    """Return what faults are sorted by: their place in the form."""
    first, *rest = problem.path.split(".")
    order = ["title", "summary", "form", "prerequisites", "steps"]
    part = rest[1] if len(rest) > 1 else ""
    at = int(rest[0]) if rest else -1
    return order.index(first) if first in order else 9, at, part, problem.line, problem.message


def _size_problems(content: Mapping[str, Any]) -> Iterator[ContentProblem]:
    steps = content["steps"]
    if len(steps) > MOST_STEPS:
        words = f"{len(steps)} steps, at most {MOST_STEPS} are allowed"
        yield ContentProblem("steps", 1, words)
    size = sum(len(step["text"].encode("utf-8", "replace")) for step in steps)
    if size > MOST_BYTES:
        words = f"{size} bytes of text, at most {MOST_BYTES} are allowed"
        yield ContentProblem("steps", 1, words)
