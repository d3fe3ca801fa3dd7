"""A zip uploaded in the browser: checked, shown as a plan, and applied if the plan still holds.

Nothing of it is stored in a course before somebody has looked at the plan and applied it. What is
applied is loaded as a folder is, by the same rules of conflicts. Code in it is not run here: a
worker verifies new versions of exercises in the author sandbox, as after every load.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.db import transaction
from django.utils import timezone

from quizzes.assessment.option_lengths import course_remarks
from quizzes.authoring.begun_courses import begin_course
from quizzes.authoring.changed_content import (
    OutdatedPlanError,
    PlannedChange,
    planned_changes,
)
from quizzes.authoring.course_files import FOLDERS, CourseFiles, read_course_files
from quizzes.authoring.course_zip import ZipError, read_zip
from quizzes.authoring.loading import Choice, LoadReport, load
from quizzes.authoring.published_content import published_names, without_standing_faults
from quizzes.classes.publishing.running_work import has_running_work
from quizzes.content_files.files import Entry, MemoryFiles
from quizzes.content_files.plain_file import MAX_FILE_BYTES
from quizzes.content_files.stored_hashes import hash_of
from quizzes.courses.audit import record
from quizzes.courses.models import ContentDraft, Course
from quizzes.learners.models import User

MAX_SECONDS = 10  # of processor time; the longest shipped course takes 3
MAX_THINGS = 600  # lessons, questions, quizzes and exercises; that course has 250


@dataclass(frozen=True)
class MeteredFiles(MemoryFiles):
    """Files of a zip that are read for so long and no longer.

    `held`: their bytes by path, where `texts` has their names alone. `until`: when the time is
    over, by the processor time of this thread.
    """

    held: Mapping[str, bytes]
    until: float

    def data(self, path: str) -> bytes:
        return self.held[path]

    def text(self, path: str, *, max_bytes: int = MAX_FILE_BYTES) -> str:
        self.tick()
        return super().text(path, max_bytes=max_bytes)

    def content(self, path: str, *, max_bytes: int) -> bytes:
        self.tick()
        return super().content(path, max_bytes=max_bytes)

    def entries(self, folder: str) -> list[Entry]:
        self.tick()
        return super().entries(folder)

    def tick(self) -> None:
        """Raise ZipError when the time is over."""
        if time.thread_time() > self.until:
            raise ZipError(
                f"The check was ended after {MAX_SECONDS} seconds: the files take too long to read."
                " Check them with check_content, which names what is unusual"
            )


@dataclass(frozen=True)
class Plan:
    """What an upload would do. `digest` says all of it; with `faults` it can do nothing."""

    files: CourseFiles
    faults: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    changes: Sequence[PlannedChange] = ()
    drafts: dict[tuple[str, str], ContentDraft] = field(default_factory=dict)
    # What it would mean to classes, in sentences; in a conflict, if the zip wins.
    in_class: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        return hash_of([[item.kind, item.slug, item.change, item.hashes] for item in self.changes])

    @property
    def listings(self) -> int:
        """Return the number of listings in new and changed lessons: nobody has run them."""
        changed = {item.slug for item in self.changes if item.kind == "lesson"}
        return sum(
            block.kind == "listing"
            for lesson in self.files.sources["lesson"]
            if lesson.slug in changed
            for step in lesson.steps_read
            for block in step.page.blocks
        )


def plan_upload(slug: str, data: bytes) -> Plan:
    """Return what a zip would do to the course of this name, or as a new one. Raises ZipError."""
    plan = _plan(slug, data)
    course = Course.objects.filter(slug=slug, has_folder=False).first()
    if course is None or not plan.changes or not has_running_work(course):
        return plan
    tried = _tried(plan)
    in_class, lost = tuple(map(str, tried.in_class)), tuple(map(str, tried.lost))
    return replace(plan, in_class=in_class, lost=lost)


def _tried(plan: Plan) -> LoadReport:
    """Load the files and roll it back: so what is said of classes is what a load says.

    A load takes a second or two, in which nobody else writes; so only for a course with a class.
    """
    with transaction.atomic():
        tried = load(plan.files, choice=Choice.OURS, of_folder=False)
        transaction.set_rollback(True)
    return tried


def _plan(slug: str, data: bytes) -> Plan:
    files = _read(slug, data)
    files, standing = without_standing_faults(files, published_names(files))
    remarks = [str(item) for item in standing]
    remarks += map(str, files.remarks(timezone.localdate()))
    remarks += map(str, course_remarks(files.sound("question"), files.sources["quiz"]))
    if files.problems:
        return Plan(files, tuple(map(str, files.problems)), tuple(remarks))
    course = Course.objects.filter(slug=slug).first()
    drafts = {} if course is None else {(item.kind, item.slug): item for item in _drafts(course)}
    return Plan(files, (), tuple(remarks), planned_changes(course, files), drafts)


def apply_upload(
    slug: str, data: bytes, *, digest: str, choice: Choice, by: User
) -> tuple[Course, LoadReport]:
    """Load a zip into its course, or as a new one that `by` owns.

    Raises ZipError; OutdatedPlanError where the plan is another than the one of this digest;
    FolderError; TakenError.
    """
    plan = _plan(slug, data)
    if plan.faults or plan.digest != digest:
        raise OutdatedPlanError(slug)
    course = Course.objects.filter(slug=slug).first()
    if course is None:
        return begin_course(plan.files, owner=by, act="uploaded the course"), LoadReport()
    loaded = load(plan.files, choice=choice, of_folder=False, agreed=plan.changes)
    about = ", ".join(
        f"{what}: {sum(counts.values())}" for what, counts in sorted(loaded.counts.items())
    )
    record(by=by, act="uploaded a zip", about=about, course=course)
    return course, loaded


def _read(slug: str, data: bytes) -> CourseFiles:
    until = time.thread_time() + MAX_SECONDS
    held = read_zip(data)
    # Pictures have a limit of their own, and take no time.
    folders = FOLDERS.keys() - {"pictures"}
    things = {tuple(path.split("/")[:2]) for path in held if path.partition("/")[0] in folders}
    if len(things) > MAX_THINGS:
        raise ZipError(
            f"The zip has {len(things)} lessons, questions, quizzes and exercises; the limit is"
            f" {MAX_THINGS}."
        )
    files = MeteredFiles(slug, dict.fromkeys(held, ""), held=held, until=until)
    return read_course_files(files, tick=files.tick)


def _drafts(course: Course) -> Sequence[ContentDraft]:
    return list(ContentDraft.objects.filter(course=course).select_related("edited_by"))
