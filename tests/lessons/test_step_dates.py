"""`as_of` of a step: read, stored, shown to readers, and remarked on after a year."""

from datetime import UTC, date, datetime
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from quizzes.content_files.files import DiskFiles
from quizzes.courses.models import Course
from quizzes.lessons.lesson_files import LessonSource, read_lessons
from quizzes.lessons.models import Lesson, Step
from quizzes.lessons.store import save_lesson, stored_lessons
from tests.lessons.course import write_course, write_lesson

TEXTS = {"one": "Words.", "two": "Llama 3 turns queries."}
DATED = {"two": "2025-03-04"}


def lesson_of(root: Path) -> LessonSource:
    ((lesson,), problems) = read_lessons(DiskFiles(root))
    assert problems == []
    return lesson


def test_a_step_says_when_it_was_compared(tmp_path: Path) -> None:
    lesson = lesson_of(write_course(tmp_path, TEXTS, as_of=DATED))
    assert [step.as_of for step in lesson.steps_read] == ["", "2025-03-04"]


@pytest.mark.parametrize("day", ["March", "2025-02-30", "2025-3-4", "04.03.2025"])
def test_a_day_that_is_none_is_a_fault(tmp_path: Path, day: str) -> None:
    _, problems = read_lessons(DiskFiles(write_course(tmp_path, TEXTS, as_of={"two": day})))
    (problem,) = map(str, problems)
    assert (
        problem
        == f"lessons/first/lesson.yaml:11: as_of: {day!r}: must be a day, such as 2026-11-30"
    )


def test_a_step_is_remarked_on_after_a_year(tmp_path: Path) -> None:
    lesson = lesson_of(write_course(tmp_path, TEXTS, as_of=DATED))
    assert list(lesson.remarks(date(2026, 3, 4))) == []
    (remark,) = lesson.remarks(date(2026, 3, 5))
    assert str(remark) == (
        "lessons/first/lesson.yaml:8: step 'two': as_of 2025-03-04: look at its source again"
    )


@pytest.mark.parametrize(
    ("today", "warned"),
    [(datetime(2026, 3, 4, 23, tzinfo=UTC), False), (datetime(2026, 3, 5, 1, tzinfo=UTC), True)],
)
def test_the_check_warns_by_the_clock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, today: datetime, warned: bool
) -> None:
    root = write_course(tmp_path, TEXTS, as_of=DATED)
    monkeypatch.setattr(timezone, "now", lambda: today)
    out = StringIO()
    call_command("check_content", root, without_proofs=True, stdout=out)
    assert ("warning: lessons/first/lesson.yaml:8: step 'two'" in out.getvalue()) == warned
    assert "no errors" in out.getvalue()


@pytest.mark.django_db
def test_an_old_date_stops_no_load(tmp_path: Path) -> None:
    root = write_course(tmp_path, TEXTS, as_of={"two": "2001-01-01"})
    call_command("load_content", root, stdout=StringIO())
    assert Step.objects.get(slug="two").as_of == date(2001, 1, 1)


@pytest.mark.django_db
def test_a_date_alone_is_a_change_of_a_lesson(tmp_path: Path) -> None:
    course = Course.objects.create(slug="course")
    for name, as_of, said in [("a", {}, "created"), ("b", DATED, "updated"), ("c", {}, "updated")]:
        source = lesson_of(write_course(tmp_path / name, TEXTS, as_of=as_of))
        assert [save_lesson(course, source) for _ in range(2)] == [said, "unchanged"]
        stored = stored_lessons(course)["first"]
        assert stored.loaded_hash == stored.content_hash == source.content_hash


@pytest.mark.django_db
@pytest.mark.parametrize("form", ["steps", "cards"])
def test_readers_see_the_date_below_the_sources(client: Client, tmp_path: Path, form: str) -> None:
    root = write_course(tmp_path, {})
    write_lesson(root, "first", TEXTS, title="First lesson", form=form, as_of=DATED)
    call_command("load_content", root, stdout=StringIO())
    lesson = Lesson.objects.get(slug="first")
    pages = {
        step.slug: " ".join(
            client.get(step.get_absolute_url(), follow=True).content.decode().split()
        )
        for step in lesson.steps.all()
    }
    assert ">Models and libraries as of 4 March 2025.<" in pages["two"]
    assert "Models and libraries as of" not in pages["one"]
