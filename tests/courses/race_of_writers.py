"""Twenty save, load and publish one thing at once: `race_of_writers.py KIND`, on DATABASE_URL.

With `withdraw` as a second word, it is withdrawn while an editor publishes its draft.

A process of its own, since pytest's database in memory has one connection. It prints what became
of each writer, and what the database has then, as JSON.
"""

import json
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier, Event
from typing import Any

import django

django.setup()

from django.db import connections  # noqa: E402

from quizzes.assessment.models import Question, Quiz  # noqa: E402
from quizzes.assessment.quiz_drafts import EditableQuiz  # noqa: E402
from quizzes.authoring.course_files import CourseFiles, read_course_files  # noqa: E402
from quizzes.authoring.loading import load  # noqa: E402
from quizzes.authoring.skeletons import new_course  # noqa: E402
from quizzes.classes.publishing.editable_kinds import editable_question  # noqa: E402
from quizzes.classes.publishing.lesson_drafts import EditableLesson  # noqa: E402
from quizzes.courses.drafts import (  # noqa: E402
    CheckedText,
    Editable,
    StaleRevisionError,
    current_text,
    publish,
    save_draft,
)
from quizzes.courses.withdrawal import withdraw  # noqa: E402
from quizzes.learners.models import User  # noqa: E402
from quizzes.lessons.models import Lesson  # noqa: E402

WRITERS = 20
THINGS = {  # the name of a thing of the skeleton, its file, and a field with its text there
    "lesson": ("basics", "lessons/basics/lesson.yaml", "title"),
    "question": ("mean-of-three", "questions/mean-of-three/question.yaml", "prompt"),
    "quiz": ("basics-quiz", "quizzes/basics-quiz.yaml", "title"),
}
BY_LOAD = "By a load"
MOMENT = 1.0  # seconds in which a withdrawal that waits for nobody is done


def thing_of(kind: str) -> Editable:
    """Return the thing, read again: each writer has a row of its own."""
    if kind == "question":
        rows = Question.objects.select_related("course", "current")
        return editable_question(rows.get(slug=THINGS[kind][0]))
    if kind == "lesson":
        rows = Lesson.objects.select_related("course").prefetch_related("steps")
        return EditableLesson(rows.get(slug=THINGS[kind][0]))
    return EditableQuiz(Quiz.objects.get(slug=THINGS[kind][0]))


def changed_files(kind: str) -> CourseFiles:
    """Return the course with another text of the thing."""
    _, path, field = THINGS[kind]
    files = new_course("race")
    lines = files.texts[path].splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith(f"{field}:"))
    lines[at] = f"{field}: {BY_LOAD}"
    texts = {**files.texts, path: "\n".join(lines) + "\n"}
    return read_course_files(replace(files, texts=texts))


def run(kind: str) -> dict[str, object]:
    load(read_course_files(new_course("race")))
    field, files = THINGS[kind][2], changed_files(kind)
    editor = User.objects.create_user("ada")
    text = current_text(thing_of(kind))
    seen = {**text.content, field: "Seen"}
    first = save_draft(thing_of(kind), content=seen, revision=text.revision, editor=editor)
    start = Barrier(WRITERS)

    def write(number: int) -> str:
        try:
            thing = thing_of(kind)
            start.wait(120)
            if number % 5 == 0:
                report = load(files)
                return "conflict" if report.conflicts else "loaded" if report.counts else "nothing"
            if number % 2:
                publish(thing, revision=first, editor=editor)
                return "Seen"
            own = {**text.content, field: f"By {number}"}
            save_draft(thing, content=own, revision=first, editor=editor)
            return f"By {number}"
        except StaleRevisionError:
            return "stale"
        finally:
            connections.close_all()

    with ThreadPoolExecutor(WRITERS) as pool:
        ends = list(pool.map(write, range(WRITERS)))
    thing = thing_of(kind)
    now = current_text(thing)
    published = thing.published() or {}
    return {
        "ends": ends,
        "draft": now.content[field] if now.draft else None,
        "published": published[field],
        "versions": [version.content[field] for version in thing.versions()],
    }


def run_withdrawal(kind: str) -> dict[str, object]:
    """Withdraw a thing while an editor publishes its draft."""
    load(read_course_files(new_course("race")))
    text, editor = current_text(thing_of(kind)), User.objects.create_user("ada")
    seen = {**text.content, THINGS[kind][2]: "Seen"}
    first = save_draft(thing_of(kind), content=seen, revision=text.revision, editor=editor)
    thing, is_checked, is_withdrawn = thing_of(kind), Event(), Event()
    check = thing.check

    def check_slowly(content: Mapping[str, Any]) -> CheckedText:
        is_checked.set()
        is_withdrawn.wait(MOMENT)
        return check(content)

    def publish_slowly() -> None:
        thing.check = check_slowly  # type: ignore[method-assign]
        try:
            publish(thing, revision=first, editor=editor)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        published = pool.submit(publish_slowly)
        is_checked.wait(120)
        is_changed = withdraw(thing_of(kind).row)
        is_withdrawn.set()
        published.result()
    now = thing_of(kind)
    is_open = now.row.is_open if isinstance(now.row, Quiz) else now.row.withdrawn_at is None
    return {"is_changed": is_changed, "is_open": is_open, "versions": len(now.versions())}


if __name__ == "__main__":
    write = run_withdrawal if sys.argv[2:] == ["withdraw"] else run
    json.dump(write(sys.argv[1]), sys.stdout)
