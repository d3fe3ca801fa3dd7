"""Courses that are begun in the browser: whole from the start, and of no folder until exported."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from quizzes.authoring.begun_courses import TakenError, begin_course, files_of_new_course
from quizzes.authoring.copies import copy_course
from quizzes.authoring.course_files import read_course_files
from quizzes.authoring.exporting import export, texts_of
from quizzes.authoring.loading import FolderError, load
from quizzes.authoring.skeletons import write_course
from quizzes.content_files.files import DiskFiles, MemoryFiles
from quizzes.courses.models import Course
from quizzes.courses.roles import Role, role_in
from quizzes.learners.models import User
from tests.authoring.whole_course import write_whole_course

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]


@pytest.fixture
def eve() -> User:
    return User.objects.create_user("eve")


def begin(eve: User, slug: str = "algebra", *, example: bool = False) -> Course:
    files = files_of_new_course(slug, title="Algebra: a start", summary="Sums.", example=example)
    assert files.problems == ()
    return begin_course(files, owner=eve, act="began the course")


@pytest.mark.parametrize("example", [False, True])
def test_begun_course_is_same_from_its_files(eve: User, *, example: bool) -> None:
    course = begin(eve, example=example)
    assert (course.title, course.summary, course.is_listed) == ("Algebra: a start", "Sums.", False)
    assert role_in(course, eve) == Role.OWNER
    assert course.lessons.count() == int(example)
    again = read_course_files(MemoryFiles("algebra", texts_of(course)))
    assert again.problems == ()
    assert load(again, of_folder=False).counts == {}


def test_no_folder_is_loaded_over_a_begun_course(eve: User, tmp_path: Path) -> None:
    course = begin(eve)
    root = write_course(tmp_path, "algebra")
    with pytest.raises(CommandError, match="'algebra' was begun in the browser") as refused:
        call_command("load_content", root, stdout=StringIO())
    assert refused.value.returncode == 1
    course.refresh_from_db()
    assert (course.title, course.lessons.count()) == ("Algebra: a start", 0)


def test_an_export_gives_a_begun_course_a_folder(eve: User, tmp_path: Path) -> None:
    course = begin(eve)
    elsewhere, home = tmp_path / "backup", tmp_path / "algebra"
    for root in (elsewhere, home):
        root.mkdir()
        export(root, course)
        course.refresh_from_db()
        assert course.has_folder == (root == home)
    files = read_course_files(DiskFiles(home))
    loaded = load(files)
    assert (loaded.conflicts, loaded.counts) == ([], {})
    with pytest.raises(FolderError, match="is loaded from a folder"):
        load(files, of_folder=False)


def test_a_copy_belongs_to_no_folder(tmp_path: Path) -> None:
    root = write_whole_course(tmp_path)
    load(read_course_files(DiskFiles(root)))
    copy = copy_course(Course.objects.get(), slug="copy")
    assert not copy.has_folder


def test_a_name_that_is_taken_begins_nothing(eve: User) -> None:
    begin(eve)
    with pytest.raises(TakenError, match="algebra"):
        begin(eve)
    assert Course.objects.count() == 1
