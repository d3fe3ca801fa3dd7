"""Exercise folders: read with the line of every fault, saved as versions, verified, published."""

import shutil

import pytest

from quizzes.content_files.files import DiskFiles
from quizzes.exercises import publishing
from quizzes.exercises.files import read_exercises, save_exercise, stored_exercises
from quizzes.exercises.models import ExerciseVersion
from tests.course_folders import COURSES, name_of
from tests.courses import some_course
from tests.exercises import making

pytestmark = [pytest.mark.both_databases(postgresql="soak")]


@pytest.fixture
def course(tmp_path):
    shutil.copytree(making.FOLDER, tmp_path / "exercises" / "sinusoidal-table")
    return tmp_path


def edit(course, name, old, new):
    path = course / "exercises" / "sinusoidal-table" / name
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def read_one(course):
    (source,), problems = read_exercises(DiskFiles(course))
    assert problems == []
    return source


@pytest.mark.parametrize("course", COURSES, ids=name_of)
def test_a_shipped_course_has_no_fault(course):
    sources, problems = read_exercises(DiskFiles(course))
    assert problems == []
    folders = {path.parent.name for path in course.glob("exercises/*/exercise.yaml")}
    assert folders
    assert {source.slug for source in sources} == folders


def test_a_course_without_exercises_is_fine(tmp_path):
    assert read_exercises(DiskFiles(tmp_path)) == ([], [])


def test_every_step_is_named_with_where_it_stands(course):
    source = read_one(course)
    places = {problem.path: (step, problem.line) for step, problem in source.steps}
    assert places["exercises/sinusoidal-table/exercise.yaml"][0] == source.definition.step
    for path, (_, line) in places.items():
        assert "tep:" in (course / path).read_text().splitlines()[line - 1]


def test_a_fault_names_file_and_line(course):
    edit(course, "exercise.yaml", "kind: function", "kind: poem")
    sources, (problem,) = read_exercises(DiskFiles(course))
    assert sources == []
    assert problem.path == "exercises/sinusoidal-table/exercise.yaml"
    line = (course / problem.path).read_text().splitlines()[problem.line - 1]
    assert line == "kind: poem"


def test_a_bad_formula_in_the_statement_is_a_fault(course):
    path = course / "exercises" / "sinusoidal-table" / "statement.md"
    path.write_text("Fine.\n\n$\\frac{1$\n")
    _, (problem,) = read_exercises(DiskFiles(course))
    assert (problem.path, problem.line) == ("exercises/sinusoidal-table/statement.md", 3)


def test_a_folder_whose_name_is_no_address_is_a_fault(course):
    (course / "exercises" / "sinusoidal-table").rename(course / "exercises" / "Sinus_Table")
    sources, (problem,) = read_exercises(DiskFiles(course))
    assert sources == []
    assert "Sinus_Table" in problem.message


@pytest.mark.django_db
def test_saving_twice_changes_nothing(course):
    source = read_one(course)
    assert [save_exercise(some_course(), source) for _ in range(2)] == ["created", "unchanged"]
    assert ExerciseVersion.objects.count() == 1
    stored = stored_exercises(some_course())["sinusoidal-table"]
    assert stored.loaded_hash == stored.content_hash == source.content_hash


@pytest.mark.django_db
def test_line_ends_are_no_change(course):
    save_exercise(some_course(), read_one(course))
    path = course / "exercises" / "sinusoidal-table" / "reference.py"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert save_exercise(some_course(), read_one(course)) == "unchanged"


@pytest.mark.django_db
def test_a_change_is_a_new_version_and_the_old_one_stays_as_it_was(course):
    save_exercise(some_course(), read_one(course))
    first = ExerciseVersion.objects.get()
    edit(course, "exercise.yaml", "title: ", "title: Again ")
    assert save_exercise(some_course(), read_one(course)) == "updated"
    second = ExerciseVersion.objects.get(number=2)
    first_again = ExerciseVersion.objects.get(number=1)
    assert first_again.files == first.files != second.files
    assert second.title == f"Again {first.title}"


@pytest.mark.django_db
def test_learners_meet_a_new_version_once_it_is_verified(course):
    exercise = making.ready_exercise()
    edit(course, "exercise.yaml", "title: ", "title: Again ")
    save_exercise(some_course(), read_one(course))
    exercise.refresh_from_db()
    assert exercise.current.number == 1
    version = publishing.lease_unverified()
    assert publishing.accept(version=version, seed=1, data=b"", outline={})
    exercise.refresh_from_db()
    assert exercise.current.number == 2


@pytest.mark.django_db
def test_a_refused_version_leaves_the_verified_one_in_place(course):
    exercise = making.ready_exercise()
    edit(course, "exercise.yaml", "title: ", "title: Again ")
    save_exercise(some_course(), read_one(course))
    publishing.refuse(version=publishing.lease_unverified(), problems=["starter.py: is correct"])
    exercise.refresh_from_db()
    assert exercise.current.number == 1
    assert ExerciseVersion.objects.get(number=2).problems == ["starter.py: is correct"]
