"""Things of a course that got another name: their rows, learners' work and old addresses.

A thing keeps its row, and with it attempts, submissions and versions. What is kept under names,
which are the record of progress, cards for review, the steps that answers were given in and those
that assignments count, is renamed with it. Texts of old versions are not touched: they link to the
old address, which leads on (`courses.old_names`).
"""

from collections.abc import Collection, Iterable
from typing import Any

from quizzes.assessment.models import Question, Quiz
from quizzes.assessment.store import rename_step, rename_steps_below
from quizzes.authoring.course_files import CourseFiles, Rename
from quizzes.classes.marks.lesson_steps import (
    rename_assigned_lesson,
    rename_assigned_question,
    rename_assigned_step,
)
from quizzes.courses.drafts import rename_texts
from quizzes.courses.models import Course, OldName
from quizzes.exercises.models import Exercise
from quizzes.learners.models import Progress, ReviewCard
from quizzes.learners.services import (
    rename_cards,
    rename_cards_below,
    rename_progress,
    rename_progress_below,
)
from quizzes.lessons.models import Lesson, Step

Kind = OldName.Kind
MODELS: dict[str, type[Any]] = {
    Kind.LESSON: Lesson,
    Kind.QUESTION: Question,
    Kind.QUIZ: Quiz,
    Kind.EXERCISE: Exercise,
}


def new_renames(course: Course, files: CourseFiles) -> list[Rename]:
    """Return what the files say was renamed and the site does not know yet. One query."""
    rows = OldName.objects.filter(course=course).values_list("kind", "old", "new")
    known = {(kind, old): new for kind, old, new in rows}
    return [
        rename for rename in files.renames if known.get((rename.kind, rename.old)) != rename.new
    ]


def retaken_names(course: Course, files: CourseFiles) -> list[int]:
    """Return the old names, by key, that things of the files have now. One query."""
    rows = OldName.objects.filter(course=course).values_list("pk", "kind", "old")
    return [pk for pk, kind, old in rows if old in files.names.get(kind, ())]


def apply(course: Course, renames: Iterable[Rename]) -> None:
    """Rename things that are stored, lessons before their steps. Call it inside a transaction.

    What has an old name that is noted went elsewhere with its work long ago: a row of this name is
    another thing, made in the browser since. Then only the address leads to another place.
    """
    noted = set(OldName.objects.filter(course=course).values_list("kind", "old"))
    for rename in sorted(renames, key=lambda rename: list(Kind).index(Kind(rename.kind))):
        if (rename.kind, rename.old) not in noted:
            _rename_row(course, rename)
            _rename_work(course, rename)
        _note(course, rename)


def is_held_back(course: Course, rename: Rename, replaced: Collection[str]) -> bool:
    """Return whether a step keeps its name, since its lesson was edited and is not replaced.

    `replaced`: the lessons that a load stores from their files or withdraws. They have their new
    names already.
    """
    if rename.kind != Kind.STEP:
        return False
    there = Step.objects.filter(lesson__course=course, lesson__withdrawn_at=None)

    def has(path: str) -> bool:
        lesson, _, slug = path.partition("/")
        return there.filter(lesson__slug=lesson, slug=slug).exists()

    old = _name_now(course, rename)
    stays = old.partition("/")[0] not in replaced and has(old)
    return stays or (rename.new.partition("/")[0] not in replaced and not has(rename.new))


def _rename_row(course: Course, rename: Rename) -> None:
    """Give the row its new name, unless a row has that name: then the old one is withdrawn."""
    if rename.kind not in MODELS:
        return  # steps are rows of their lesson, written again with it
    rows = MODELS[rename.kind].objects.filter(course=course)
    if not rows.filter(slug=rename.new).exists():
        rows.filter(slug=rename.old).update(slug=rename.new)
        if rename.kind == Kind.LESSON and rename.old in course.lesson_order:
            order = [rename.new if slug == rename.old else slug for slug in course.lesson_order]
            course.lesson_order = order
            Course.objects.filter(pk=course.pk).update(lesson_order=order)
        rename_texts(course, kind=rename.kind, old=rename.old, new=rename.new)


def _rename_work(course: Course, rename: Rename) -> None:
    kind, names = rename.kind, {"old": _name_now(course, rename), "new": rename.new}
    rename_progress(course.pk, kind=Progress.Kind(kind), **names)
    if kind == Kind.LESSON:
        rename_progress_below(course.pk, kind=Progress.Kind.STEP, **names)
        rename_steps_below(course, **names)
        rename_assigned_lesson(course, **names)
    elif kind == Kind.STEP:
        rename_step(course, **names)
        rename_assigned_step(course, **names)
    elif kind == Kind.QUESTION:
        rename_cards(course.pk, kind=ReviewCard.Kind.QUESTION, **names)
        rename_assigned_question(course, **names)
    elif kind == Kind.EXERCISE:
        rename_cards_below(course.pk, kind=ReviewCard.Kind.MISTAKE, **names)


def _name_now(course: Course, rename: Rename) -> str:
    """Return the name that work has now: a step's lesson may have been renamed a moment ago."""
    if rename.kind != Kind.STEP:
        return rename.old
    lesson, _, step = rename.old.partition("/")
    lessons = OldName.objects.filter(course=course, kind=Kind.LESSON, old=lesson)
    return f"{lessons.values_list('new', flat=True).first() or lesson}/{step}"


def _note(course: Course, rename: Rename) -> None:
    """Have the old address lead on, and those that led to it: no address leads on twice."""
    rows = OldName.objects.filter(course=course)
    same = rows.filter(kind=rename.kind)
    same.filter(old=rename.new).delete()
    same.filter(new=rename.old).update(new=rename.new)
    same.update_or_create(
        kind=rename.kind, old=rename.old, defaults={"course": course, "new": rename.new}
    )
    if rename.kind == Kind.LESSON:
        for row in rows.filter(kind=Kind.STEP, new__startswith=f"{rename.old}/"):
            row.new = f"{rename.new}{row.new.removeprefix(rename.old)}"
            row.save(update_fields=["new"])
