"""Exercises that are written in the browser: their files, what is wrong with them, publishing.

What is published was proved: a worker verified exactly these files. Publishing stores them as a
load does, as a new version, which a worker verifies once more before learners meet it.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from quizzes.classes.publishing.step_places import STEPS_AT_MOST
from quizzes.classes.publishing.step_users import CourseNames
from quizzes.content_files.files import MemoryFiles
from quizzes.content_files.problems import ContentProblem, refused
from quizzes.courses.drafts import CheckedText
from quizzes.courses.editions import PastText
from quizzes.courses.models import AuditEntry, ContentDraft
from quizzes.courses.text_links import link_fault, links_in
from quizzes.exercises.files import FOLDER, ExerciseSource, read_exercise
from quizzes.exercises.models import Exercise, ExerciseVersion
from quizzes.exercises.proofs.draft_proofs import is_proved, stop_proof
from quizzes.exercises.publishing import add_version, verify_again
from quizzes.learners.models import User
from quizzes.lessons.models import Step

TASK, SETTINGS, BELOW = "statement.md", "exercise.yaml", "below.py"
MAIN_FILES = (TASK, "starter.py", "reference.py", "cases.py")
MOST_BYTES = 1024 * 1024  # of all files of a draft
PROOF = "proof"  # the path of the fault that nothing proved these files
NOT_PROVED = "nothing has proved this text yet; press Prove first"
BLANK: Mapping[str, Any] = {"files": dict.fromkeys((*MAIN_FILES, SETTINGS), "")}
_NUMBER = re.compile(r"version (\d+)")
Verification = ExerciseVersion.Verification


@dataclass
class EditableExercise:
    """An exercise for the mechanism of drafts; its content is `{"files": {name: text}}`."""

    row: Exercise
    kind = ContentDraft.Kind.EXERCISE
    _version: ExerciseVersion | None = field(default=None, init=False)
    _is_read: bool = field(default=False, init=False)

    @cached_property
    def names(self) -> CourseNames:
        """Return the names of the course's things."""
        return CourseNames(self.row.course)

    def refresh(self) -> None:
        self.row = Exercise.objects.select_related("course", "current").get(pk=self.row.pk)
        self._is_read = False

    @property
    def version(self) -> ExerciseVersion | None:
        """Return the newest version; where that was refused, the one that learners have."""
        if not self._is_read:
            newest = self.row.versions.order_by("-number").first()
            is_refused = newest is not None and newest.verification == Verification.REFUSED
            self._version = self.row.current if is_refused and self.row.current else newest
            self._is_read = True
        return self._version

    def published(self) -> dict[str, Any] | None:
        return self.content(self.version.files) if self.version else None

    def published_hash(self) -> str:
        return self.version.content_hash if self.version else ""

    def blank(self) -> Mapping[str, Any]:
        return BLANK

    def files(self, content: Mapping[str, Any]) -> dict[str, str]:
        return dict(content["files"])

    def content(self, files: Mapping[str, str]) -> dict[str, Any]:
        return {"files": {name: files[name] for name in sorted(files, key=place_of)}}

    def check(self, content: Mapping[str, Any]) -> CheckedText:
        """Read a draft by the rules of an exercise's folder. Some five queries."""
        problems: list[ContentProblem] = []
        source = self._read(content["files"], problems)
        if source is not None:
            problems += self._reference_problems(source)
        problems += _size_problems(content["files"])
        content_hash = source.content_hash if source is not None else ""
        same = source is not None and self.published_hash() == content_hash
        within = f"{FOLDER}/{self.row.slug}/"
        own = (replace(fault, path=fault.path.removeprefix(within)) for fault in problems)
        faults = sorted(set(refused(own, is_published=same)))
        if not (faults or same or is_proved(self.row, content_hash)):
            faults.append(ContentProblem(PROOF, 1, NOT_PROVED))
        return CheckedText(source, tuple(faults))

    def _read(
        self, files: Mapping[str, str], problems: list[ContentProblem]
    ) -> ExerciseSource | None:
        texts = {f"{FOLDER}/{self.row.slug}/{name}": text for name, text in files.items()}
        return read_exercise(MemoryFiles(self.row.course.slug, texts), self.row.slug, problems)

    def _reference_problems(self, source: ExerciseSource) -> Iterator[ContentProblem]:
        """Yield a fault for each step and link that leads nowhere, as for files of a course."""
        for step, problem in source.steps:
            if not self.names.has("step", step):
                yield problem
        for former in source.renamed_from:
            if former.name in self.names.exercises:
                yield former.problem("is still a exercise of this course")
        path = f"{FOLDER}/{source.slug}/{TASK}"
        for line, target in links_in(source.definition.statement):
            if fault := link_fault(target, self.row.course.slug, self.names.has):
                yield ContentProblem(path, line, fault)

    def store_published(self, source: ExerciseSource, editor: User | None) -> str:
        """Store the files as a new version, unless the newest has them; a refused one is tried."""
        del editor  # the log has who published
        exercise = Exercise.objects.select_for_update(of=("self",)).get(pk=self.row.pk)
        newest = exercise.versions.order_by("-number").first()
        if newest is None or newest.content_hash != source.content_hash:
            newest = add_version(
                exercise=exercise, definition=source.definition, files=source.files
            )
        elif newest.verification == Verification.REFUSED:
            verify_again(version=newest)
        # What was withdrawn belongs to the browser from now on: no load takes it again.
        Exercise.objects.filter(pk=exercise.pk, withdrawn_at__isnull=False).update(
            withdrawn_at=None, loaded_hash=""
        )
        if (place := self._place(source.definition.step)) is not None:
            Exercise.objects.filter(pk=exercise.pk).update(place=place)
        self.refresh()
        return f"version {newest.number}"

    def _place(self, step: str | None) -> int | None:
        """Return the place of its step in the order of the course, None without one."""
        lesson, _, slug = (step or "").partition("/")
        steps = Step.objects.filter(lesson__course=self.row.course, lesson__slug=lesson, slug=slug)
        numbers = steps.values_list("lesson__number", "number").first()
        return None if numbers is None else numbers[0] * STEPS_AT_MOST + numbers[1]

    def versions(self) -> list[PastText]:
        """Return its versions, with who published them in the browser. Two queries."""
        editors = self._editors()
        return [
            PastText(
                version.number,
                self.content(version.files),
                version.created_at,
                editors.get(version.number),
                from_files=version.content_hash == self.row.loaded_hash,
                is_current=version.pk == self.row.current_id,
                row=version,
            )
            for version in self.row.versions.defer("proof", "outline").order_by("-number")
        ]

    def _editors(self) -> dict[int, User]:
        """Return who published a version, as the log of the course has it."""
        published = AuditEntry.objects.filter(
            course=self.row.course, act="published", about__startswith="version ", by__isnull=False
        )
        editors: dict[int, User] = {}
        for entry in published.select_related("by"):
            number = _NUMBER.match(entry.about)
            if (
                entry.by
                and number
                and [self.kind, self.row.slug] in [part[:2] for part in entry.subjects]
            ):
                editors.setdefault(int(number[1]), entry.by)
        return editors

    def drop_unused(self) -> bool:
        """Delete an exercise that was never published."""
        stop_proof(self.row)  # else it would keep the only one that its editor may have
        if self.row.versions.exists():
            return False
        self.row.delete()
        return True


def place_of(name: str) -> tuple[int, str]:
    """Return what an exercise's files are sorted by: their place in the form."""
    order = (*MAIN_FILES, "wrong", "", SETTINGS)
    key = "wrong" if name.startswith("wrong/") else name if name in order else ""
    return order.index(key), name


def _size_problems(files: Mapping[str, str]) -> Iterator[ContentProblem]:
    size = sum(len(text.encode("utf-8", "replace")) for text in files.values())
    if size > MOST_BYTES:
        yield ContentProblem(".", 1, f"{size} bytes of text, at most {MOST_BYTES} are allowed")
