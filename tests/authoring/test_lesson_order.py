"""The order of lessons is the course's: moving one edits no lesson, and loads leave it alone."""

import io
import re
import shutil
import zipfile
from pathlib import Path
from typing import Any

import pytest

from quizzes.assessment.models import Quiz
from quizzes.authoring import loading
from quizzes.authoring.course_files import CourseFiles, read_course_files
from quizzes.authoring.course_zip import write_zip
from quizzes.authoring.exporting import export, texts_of
from quizzes.authoring.lesson_order import (
    StaleOrderError,
    move_lesson,
    order_token,
    ordered_lessons,
)
from quizzes.authoring.loading import Choice, load
from quizzes.content_files.files import DiskFiles, MemoryFiles
from quizzes.courses.models import AuditEntry, Course
from quizzes.courses.withdrawal import restore, withdraw
from quizzes.exercises.models import Exercise
from quizzes.learners.models import User
from quizzes.lessons.models import Lesson
from quizzes.lessons.store import stored_course, stored_lessons
from tests.authoring.whole_course import write_whole_course

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = write_whole_course(tmp_path)
    with (root / "exercises/causal-mask/exercise.yaml").open("a") as file:
        file.write("step: first/one\n")
    load(read(root))
    return root


@pytest.fixture
def eve() -> User:
    return User.objects.create_user("eve")


def read(root: Path) -> CourseFiles:
    files = read_course_files(DiskFiles(root))
    assert files.problems == ()
    return files


def the_course() -> Course:
    return Course.objects.get(slug="course")


def order() -> list[str]:
    return [lesson.slug for lesson in ordered_lessons(the_course())]


def move_second_up(eve: User) -> None:
    shown = order_token(["first", "second"])
    assert move_lesson(the_course(), "second", by=-1, shown=shown, editor=eve).number == 1


def places() -> dict[str, int]:
    rows = [
        *Quiz.objects.values_list("slug", "place"),
        *Exercise.objects.values_list("slug", "place"),
    ]
    return dict(rows)


def test_moved_lesson_takes_exercises_and_quizzes_along(root: Path, eve: User) -> None:
    before = places()
    assert (before["causal-mask"] // 1000, before["sums"] // 1000) == (1, 1)
    move_second_up(eve)
    assert order() == ["second", "first"]
    assert list(Lesson.objects.order_by("number").values_list("slug", "number")) == [
        ("second", 1),
        ("first", 2),
    ]
    moved = {
        slug: place - 1000 if place // 1000 == 2 else place + 1000
        for slug, place in places().items()
    }
    assert moved == before
    load(read(root))  # the next start of the site
    assert order() == ["second", "first"]
    assert {slug: place // 1000 for slug, place in places().items()} == {
        "causal-mask": 2,
        "sums": 2,
        "end": 1,
    }


def test_moving_edits_the_course_and_no_lesson(root: Path, eve: User) -> None:
    move_second_up(eve)
    assert not any(thing.is_edited for thing in stored_lessons(the_course()).values())
    assert stored_course(the_course())["course"].is_edited
    assert AuditEntry.objects.get(act="moved the lesson").about == "Second, to place 1 of 2"


def test_a_load_of_the_unchanged_folder_changes_nothing(root: Path, eve: User) -> None:
    move_second_up(eve)
    loaded = load(read(root))
    assert (loaded.counts, loaded.conflicts) == ({}, [])
    assert order() == ["second", "first"]


@pytest.mark.parametrize(
    ("choice", "after"),
    [
        (Choice.NOBODY, ["second", "first"]),
        (Choice.THEIRS, ["second", "first"]),
        (Choice.OURS, ["first", "second"]),
    ],
)
def test_a_changed_course_file_conflicts_with_the_order(
    root: Path, eve: User, choice: Choice, after: list[str]
) -> None:
    move_second_up(eve)
    file = root / "course.yaml"
    file.write_text(file.read_text().replace("title: ", "title: New "))
    loaded = load(read(root), choice=choice)
    assert [thing.kind for thing in loaded.conflicts] == ["course"] * (choice is Choice.NOBODY)
    assert all("/contents/" in str(thing) for thing in loaded.conflicts)
    assert order() == after
    numbers = Lesson.objects.order_by("number").values_list("slug", "number")
    assert list(numbers) == [(slug, place) for place, slug in enumerate(after, start=1)]
    first = 1000 * (after.index("first") + 1)
    assert places()["causal-mask"] // 1000 * 1000 == first


def test_the_order_goes_into_files_and_back(root: Path, eve: User) -> None:
    move_second_up(eve)
    done = export(root, the_course())
    assert done.written == ["course.yaml"]
    loaded = load(read(root))
    assert (loaded.conflicts, order()) == ([], ["second", "first"])
    assert not stored_course(the_course())["course"].is_edited


def test_lessons_reordered_in_files_alone_are_moved(root: Path) -> None:
    file = root / "course.yaml"
    file.write_text(file.read_text().replace("[first, second]", "[second, first]"))
    loaded = load(read(root))
    assert loaded.counts == {"updated": {"course": 1}}
    assert order() == ["second", "first"]
    assert {slug: place // 1000 for slug, place in places().items()}["sums"] == 2


def test_a_move_from_an_older_page_is_refused(root: Path, eve: User) -> None:
    move_second_up(eve)
    with pytest.raises(StaleOrderError):
        move_second_up(eve)
    now = order_token(["second", "first"])
    with pytest.raises(StaleOrderError):
        move_lesson(the_course(), "gone", by=1, shown=now, editor=eve)
    assert (
        move_lesson(the_course(), "first", by=1, shown=now, editor=eve).number == 2
    )  # it is the last
    assert order() == ["second", "first"]


def test_a_zip_has_what_an_export_writes(root: Path, eve: User, tmp_path: Path) -> None:
    move_second_up(eve)
    target = tmp_path / "out" / "course"
    target.mkdir(parents=True)
    export(target, the_course())
    on_disk = {
        path.relative_to(target).as_posix(): path.read_text()
        for path in target.rglob("*")
        if path.is_file()
    }
    data = write_zip(the_course())
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        in_zip = {
            name.removeprefix("course/"): packed.read(name).decode() for name in packed.namelist()
        }
    assert in_zip == on_disk == texts_of(the_course())
    assert write_zip(the_course()) == data
    again = read_course_files(MemoryFiles("course", in_zip))
    loaded = load(again)
    assert (again.problems, loaded.conflicts, order()) == ((), [], ["second", "first"])


def numbers() -> dict[str, int]:
    return dict(Lesson.objects.values_list("slug", "number"))


def test_restored_lesson_shares_no_number(root: Path, eve: User) -> None:
    with (root / "course.yaml").open("r+") as file:
        text = file.read().replace("[first, second]", "[first, second, third]")
        file.seek(0)
        file.write(text)
    shutil.copytree(root / "lessons/second", root / "lessons/third")
    load(read(root))
    withdraw(Lesson.objects.get(slug="first"))
    move_lesson(the_course(), "third", by=-1, shown=order_token(["second", "third"]), editor=eve)
    restore(Lesson.objects.get(slug="first"))
    assert order() == ["third", "second", "first"]
    assert numbers() == {"third": 1, "second": 2, "first": 3}
    assert places()["causal-mask"] // 1000 == 3


def test_renamed_lesson_keeps_its_moved_place(root: Path, eve: User) -> None:
    move_second_up(eve)
    (root / "lessons/second").rename(root / "lessons/last")
    for path in root.rglob("*"):
        if path.suffix in {".yaml", ".md"}:
            path.write_text(re.sub(r"\bsecond\b", "last", path.read_text()))
    lesson = root / "lessons/last/lesson.yaml"
    lesson.write_text(f"{lesson.read_text()}renamed_from: [second]\n")
    load(read(root))
    assert the_course().lesson_order == ["last", "first"] == order()


def test_moved_course_gets_new_works(root: Path, eve: User) -> None:
    move_second_up(eve)
    course, lesson = root / "course.yaml", root / "lessons/second/lesson.yaml"
    work = "sources:\n  other: {text: Another, url: 'https://example.org/other'}\n"
    course.write_text(course.read_text().replace("sources:\n", work))
    lesson.write_text(lesson.read_text().replace("work: paper", "work: other"))
    loaded = load(read(root))
    assert [thing.kind for thing in loaded.conflicts] == ["course"]
    assert order() == ["second", "first"]
    assert {"paper", "other"} <= the_course().sources.keys()
    assert read_course_files(MemoryFiles("course", texts_of(the_course()))).problems == ()


def test_move_before_waiting_load_is_kept(root: Path, eve: User, monkeypatch: Any) -> None:
    first = root / "lessons/first/lesson.yaml"
    first.write_text(first.read_text().replace("title: ", "title: New ", 1))
    wait = loading.lock_course

    def move_meanwhile(course: int) -> None:
        monkeypatch.setattr(loading, "lock_course", wait)
        move_second_up(eve)
        wait(course)

    monkeypatch.setattr(loading, "lock_course", move_meanwhile)
    load(read(root))
    assert order() == ["second", "first"]
    assert numbers() == {"second": 1, "first": 2}
