"""Load a course: all of it in one transaction, and never over an edit in the browser.

A row remembers the hash of the file it was last loaded from. When the file has changed since and
the row has been edited in the browser as well, neither wins by itself: this is a conflict.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from django.db import connection, transaction
from django.db.models import Max, QuerySet
from django.urls import reverse
from django.utils import timezone

from quizzes.assessment.models import Question, Quiz
from quizzes.assessment.models.questions import set_withdrawn_cards_aside
from quizzes.authoring.changed_content import (
    PlannedChange,
    changed,
    is_edited,
    is_wanted,
    refuse_other_changes,
    unnamed,
)
from quizzes.authoring.course_files import ONE_OF_A_COURSE, CourseFiles, Kind
from quizzes.authoring.lesson_order import number_lessons
from quizzes.authoring.lost_steps import LostStep, lost_steps
from quizzes.authoring.renames import apply as apply_renames
from quizzes.authoring.renames import is_held_back, new_renames, retaken_names
from quizzes.classes.publishing.moved_questions import move_questions, offered_questions
from quizzes.classes.publishing.running_work import (
    RunningWork,
    tags_of,
    work_on_exercise,
    work_on_question,
    work_on_quiz,
)
from quizzes.classes.publishing.step_places import STEPS_AT_MOST
from quizzes.concepts.files import steps_of_concepts
from quizzes.content_files.stored_hashes import Stored
from quizzes.courses.drafts import cancel_plan, lock_course
from quizzes.courses.models import Course, OldName
from quizzes.exercises.models import Exercise
from quizzes.lessons.lesson_files import CourseSource
from quizzes.lessons.models import Lesson, Step
from quizzes.lessons.thumbnails import fill_step_thumbnails, fill_thumbnails

EDITED_IN_BROWSER = {
    "lesson",
    "question",
    "quiz",
    "exercise",
    "plot",
}  # each with a page of this name
LOADING_LOCK = 0x0D1A  # any number, as long as nothing else locks the same


class Choice(StrEnum):
    """Which side wins where file and row both changed."""

    NOBODY = "nobody"
    OURS = "ours"  # the files
    THEIRS = "theirs"  # the rows, as edited in the browser


@dataclass(frozen=True)
class Conflict:
    """A question, quiz or other content that changed both in its file and in the browser."""

    kind: str
    slug: str
    path: str
    stored: Stored
    file_hash: str  # "" where the files name it no longer
    page: str = ""  # the address where it was edited

    @classmethod
    def of_file(cls, kind: Kind, course: Course, source: Any, stored: Stored) -> "Conflict":
        """Return the conflict of a file with the row that it would overwrite."""
        page = _page(kind, course, source.slug)
        return cls(kind.name, source.slug, source.path, stored, source.content_hash, page)

    @classmethod
    def of_row(cls, kind: Kind, course: Course, slug: str, stored: Stored) -> "Conflict":
        """Return the conflict of a row that was edited and is in the files no longer."""
        return cls(kind.name, slug, "", stored, "", _page(kind, course, slug))

    def __str__(self) -> str:
        where = f"; see {self.page}" if self.page else ""
        if not self.file_hash:
            return (
                f"{self.kind} {self.slug!r} is no longer in the files and was changed in the "
                f"browser (now {self.stored.content_hash[:8]}); not withdrawn{where}"
            )
        return (
            f"{self.path}: {self.kind} {self.slug!r} was changed in the file"
            f" ({self.stored.loaded_hash[:8] or 'never loaded'} to {self.file_hash[:8]})"
            f" and in the browser (now {self.stored.content_hash[:8]}); nothing written{where}"
        )


def _page(kind: Kind, course: Course, slug: str) -> str:
    """Return the address of the page where a thing is edited; "" where it has none."""
    if kind.name == "course":
        return reverse("teaching:contents", args=[course.slug])
    if kind.name == "picture":
        return reverse("teaching:pictures", args=[course.slug])
    if kind.name not in EDITED_IN_BROWSER:
        return ""
    return reverse(f"teaching:{kind.name}", args=[course.slug, slug])


@dataclass(frozen=True)
class InClass:
    """A quiz, a question or an exercise that a class has to do while it is updated."""

    kind: str
    slug: str
    work: RunningWork

    def __str__(self) -> str:
        work, title = self.work, self.work.assignment.cohort.title
        begun = f"{work.still_open} open attempts, {work.handed_in} submitted"
        then = "attempts started from now on use what was loaded"
        if self.kind == "exercise":
            begun = f"{work.handed_in} submissions"
            then = "once it is verified, it grades what is submitted"
        return f"{self.kind} {self.slug!r}: assigned to the class {title} ({begun}); {then}"


@dataclass
class LoadReport:
    """The result of a load: how many of each kind it created and updated, and the conflicts.

    `withdrawn` names, by kind and slug, what learners are not given any more; `in_class` what was
    updated while a class has it to do; `lost` what a class has to do and no page shows any more.
    """

    counts: dict[str, dict[str, int]] = field(default_factory=dict)
    withdrawn: list[tuple[str, str]] = field(default_factory=list)
    in_class: list["InClass"] = field(default_factory=list)
    lost: list[LostStep] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)

    def count(self, kind: str, what: str) -> None:
        self.counts.setdefault(what, {}).setdefault(kind, 0)
        self.counts[what][kind] += 1


class FolderError(Exception):
    """The course belongs to no folder, or to one; the text is a sentence for who loads it."""


def load(
    files: CourseFiles,
    *,
    choice: Choice = Choice.NOBODY,
    of_folder: bool = True,
    agreed: Sequence[PlannedChange] | None = None,
) -> LoadReport:
    """Store a course, all or nothing. The files must be without faults.

    Only rows of this course are read and written: its name is the name of its folder. `of_folder`:
    whether the files are a folder, which must be the course's home; a zip or a copy is none. Raises
    FolderError: what was begun in the browser is not loaded over, and what comes from a folder is
    changed there, since its next load would undo anything else. With `agreed`, raises
    OutdatedPlanError where it would do something else by now.
    """
    if files.problems:
        raise ValueError(f"{len(files.problems)} errors: check before loading")
    loaded = LoadReport()
    course = Course.objects.filter(slug=files.slug).first()
    _refuse_other_home(course, of_folder=of_folder)
    if agreed is None and course is not None and not _differs(course, files):
        # Most starts of the site: nothing is written and nothing is locked, unless a newer release
        # counts the places in another way.
        set_places(course, files)
        fill_pictures(course, draws=of_folder)
        return loaded
    with transaction.atomic():
        wait_for_other_loads()
        course = _own_course(files.slug)
        lock_course(course.pk)
        course.refresh_from_db()  # somebody may have moved a lesson until the row was locked
        _refuse_other_home(course, of_folder=of_folder)
        if agreed is not None:
            refuse_other_changes(course, files, agreed)
        # Asked again, now that no other load and no editor can write.
        renames, questions = new_renames(course, files), offered_questions(course)
        apply_renames(course, [rename for rename in renames if rename.kind != OldName.Kind.STEP])
        differing = changed(course, files)
        replaced = _replaced_lessons(differing, unnamed(course, files), choice)
        renames = [row for row in renames if not is_held_back(course, row, replaced)]
        apply_renames(course, [rename for rename in renames if rename.kind == OldName.Kind.STEP])
        for rename in renames:
            loaded.count(rename.kind, "renamed")
        for kind, source, stored in differing:
            if stored is None or _is_taken(source, stored, choice):
                loaded.count(kind.name, done := kind.save(course, source))
                if done == "updated":
                    loaded.in_class += _in_class(kind, course, source.slug)
                continue
            if kind.model is Course:
                _add_works(course, source)
            if choice is Choice.THEIRS:
                _keep_as_edited(kind, course, source)
                loaded.count(kind.name, "kept as edited")
            else:
                loaded.conflicts.append(Conflict.of_file(kind, course, source, stored))
        _withdraw_unnamed(course, files, choice, loaded)
        _drop_retaken_names(course, files)
        move_questions(course, questions)
        set_withdrawn_cards_aside(course.pk)
        number_lessons(course)
        set_places(course, files)
        fill_pictures(course, draws=of_folder)
        loaded.lost = lost_steps(course)
    return loaded


def _is_taken(source: Any, stored: Stored | None, choice: Choice) -> bool:
    """Return whether a file that differs is stored, since no editor's work is in its place."""
    return stored is None or not is_edited(source, stored) or choice is Choice.OURS


def _replaced_lessons(
    differing: Sequence[tuple[Kind, Any, Stored | None]],
    gone: Sequence[tuple[Kind, str, Stored]],
    choice: Choice,
) -> set[str]:
    """Return the lessons that this load stores from their files or withdraws."""
    saved = {
        source.slug
        for kind, source, stored in differing
        if kind.model is Lesson and _is_taken(source, stored, choice)
    }
    return saved | {
        slug
        for kind, slug, stored in gone
        if kind.model is Lesson and (choice is Choice.OURS or not is_wanted(stored))
    }


def _drop_retaken_names(course: Course, files: CourseFiles) -> None:
    """Forget the old names that things have now; a file that was not stored has taken none."""
    retaken = OldName.objects.filter(pk__in=retaken_names(course, files))
    steps = retaken.filter(kind=OldName.Kind.STEP)
    rows = Step.objects.filter(lesson__course=course).values_list("lesson__slug", "slug")
    there = {f"{lesson}/{slug}" for lesson, slug in rows} if steps else set()
    retaken.exclude(pk__in=[row.pk for row in steps if row.old not in there]).delete()


def _add_works(course: Course, source: CourseSource) -> None:
    """Add the works that only the file has to an edited course: its lessons may name them."""
    works = {key: asdict(work) for key, work in source.sources.items()} | course.sources
    if works != course.sources:
        course.sources = works
        course.save(update_fields=["sources"])


def _withdraw_unnamed(
    course: Course, files: CourseFiles, choice: Choice, loaded: LoadReport
) -> None:
    for kind, slug, stored in unnamed(course, files):
        if not is_wanted(stored) or choice is Choice.OURS:
            withdraw(kind, course, slug)
            loaded.count(kind.name, "withdrawn")
            loaded.withdrawn.append((kind.name, slug))
        elif choice is Choice.THEIRS:
            # From now on it is a thing of the browser, which no file has to name.
            _rows(kind, course, slug).update(loaded_hash="")
            loaded.count(kind.name, "kept as edited")
        else:
            loaded.conflicts.append(Conflict.of_row(kind, course, slug, stored))


def _refuse_other_home(course: Course | None, *, of_folder: bool) -> None:
    if course is None or course.has_folder == of_folder:
        return
    if of_folder:
        raise FolderError(
            f"the course {course.slug!r} was begun in the browser and belongs to no folder:"
            f" nothing is loaded over it. Give this folder another name, or write the course into"
            f" a folder first with export_content {course.slug}"
        )
    raise FolderError(
        f"the course {course.slug!r} is loaded from a folder, and its next load would undo a zip:"
        f" put the files into the folder"
    )


def fill_pictures(course: Course, *, draws: bool = True) -> None:
    """Make the small pictures that lists and the map show, where they are missing or outdated.

    Without `draws` only those that another course has: drawing loads matplotlib, which no web
    process has. The start of the site draws the rest.
    """
    fill_thumbnails(course, draws=draws)
    fill_step_thumbnails(course, steps_of_concepts(course), draws=draws)


def _differs(course: Course, files: CourseFiles) -> bool:
    """Say whether the files hold anything that is not stored, or lack something that is."""
    return bool(
        changed(course, files)
        or unnamed(course, files)
        or new_renames(course, files)
        or retaken_names(course, files)
    )


def _own_course(slug: str) -> Course:
    """Return the course with this name; a new one comes after all others."""
    new = {"place": place_of_a_new_course()}
    return Course.objects.get_or_create(slug=slug, defaults=new)[0]


def place_of_a_new_course() -> int:
    """Return the place behind all courses of the site."""
    last = Course.objects.aggregate(last=Max("place"))["last"]
    return 0 if last is None else int(last) + 1


def _keep_as_edited(kind: Kind, course: Course, source: Any) -> None:
    """Note that the row won over this file; what had been withdrawn is named again, and back."""
    facts: dict[str, Any] = {"loaded_hash": source.content_hash}
    if hasattr(kind.model, "withdrawn_at"):
        facts["withdrawn_at"] = None
    _rows(kind, course, source.slug).update(**facts)


def withdraw(kind: Kind, course: Course, slug: str) -> None:
    """Take what the files no longer name from learners for whom it is not kept.

    A map or a list of models is made from its file and nothing refers to its row, so it goes.
    """
    rows = _rows(kind, course, slug)
    if kind.model in ONE_OF_A_COURSE:
        rows.delete()
    else:
        cancel_plan(course.pk, kind=kind.name, slug=slug)
        rows.update(withdrawn_at=timezone.now())


def _rows(kind: Kind, course: Course, slug: str) -> QuerySet[Any]:
    """Return the one row of a kind that has this name in this course."""
    rows: QuerySet[Any] = kind.model.objects.all()
    if kind.model is Course:
        return rows.filter(pk=course.pk)
    if kind.model in ONE_OF_A_COURSE:
        return rows.filter(course=course)
    return rows.filter(course=course, slug=slug)


def wait_for_other_loads() -> None:
    """Let one load at a time write. SQLite does so by itself: a transaction locks the file."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOADING_LOCK])


def _in_class(kind: Kind, course: Course, slug: str) -> list[InClass]:
    """Return the classes that have this to do now, with what there is of their work."""
    found: list[RunningWork] = []
    for row in _rows(kind, course, slug) if kind.model in {Quiz, Question, Exercise} else ():
        if isinstance(row, Quiz):
            found = work_on_quiz(row)
        elif isinstance(row, Question):
            found = work_on_question(row, tags_of(row, {}))
        else:
            found = work_on_exercise(row)
    return [InClass(kind.name, slug, one) for one in found]


# The order in which a course leads to its exercises and quizzes is that of its lessons: an exercise
# stands at its step, a quiz behind the lesson that explains most of its questions. Exercises and
# quizzes that belong to no lesson, since they were made in the browser, come last. Where a lesson
# stands, the course says and not its files: somebody may have moved it in the browser.


def set_places(course: Course, files: CourseFiles) -> None:
    """Store the places of exercises and quizzes. Writes only rows whose place changed."""
    rows = Lesson.objects.filter(course=course).values_list("slug", "number")
    numbers = dict(rows)
    at_step = {
        path: numbers.get(lesson.slug, lesson.number) * STEPS_AT_MOST + number
        for lesson in files.sources["lesson"]
        for number, path in enumerate((f"{lesson.slug}/{one.slug}" for one in lesson.steps_read), 1)
    }
    exercises = {one.slug: _first(one, at_step) for one in files.sources["exercise"]}
    _store(Exercise, course, exercises)
    of_question = {one.slug: _first(one, at_step) for one in files.sources["question"]}
    quizzes = {
        quiz.slug: _after_its_lesson([of_question.get(slug) for slug, _ in quiz.questions])
        for quiz in files.sources["quiz"]
    }
    _store(Quiz, course, quizzes)


def _first(source: Any, at_step: dict[str, int]) -> int | None:
    """Return the place of the step that a question or an exercise belongs to."""
    return next((at_step[path] for path, _ in source.steps if path in at_step), None)


def _after_its_lesson(places: list[int | None]) -> int | None:
    lessons = Counter(place // STEPS_AT_MOST for place in places if place is not None)
    return (lessons.most_common(1)[0][0] + 1) * STEPS_AT_MOST - 1 if lessons else None


def _store(model: type[Any], course: Course, places: dict[str, int | None]) -> None:
    moved = []
    for row in model.objects.filter(course=course, slug__in=places).only("pk", "slug", "place"):
        place = places[row.slug]
        if place is not None and row.place != place:
            row.place = place
            moved.append(row)
    model.objects.bulk_update(moved, ["place"])
