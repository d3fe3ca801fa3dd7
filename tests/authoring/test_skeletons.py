"""`new_course` and `new_exercise`: what they write is sound, and they overwrite nothing."""

import shutil
from pathlib import Path

import pytest
from django.conf import settings

from quizzes.authoring.skeletons import SKELETON, write_course, write_exercise
from quizzes.content_files.characters import REFUSED
from quizzes.content_files.fields import MAX_SLUG
from quizzes.courses.models import Course
from quizzes.exercises.models import Exercise
from tests.authoring.test_check_and_load import run

ALL = (
    "1 course, 1 question, 1 quiz, 1 exercise, 0 plots, 1 lesson, 0 pictures, 1 concept map,"
    " 0 lists of models; no errors"
)


def contents(folder: Path) -> dict[str, str]:
    """Return all files below a folder, hidden ones too."""
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.mark.slow
@pytest.mark.sandbox
@pytest.mark.django_db
def test_two_new_courses_are_accepted_as_they_are_and_loaded_beside_each_other(
    tmp_path: Path,
) -> None:
    for name in ("linear-algebra", "3d"):
        code, said = run("new_course", name, "--in", str(tmp_path))
        assert code == 0, said
        assert f"manage.py check_content {tmp_path / name}" in said
        code, said = run("check_content", tmp_path / name)
        assert (code, said) == (0, f"{tmp_path / name}: {ALL}\n")
        code, said = run("load_content", tmp_path / name)
        assert code == 0, said
    assert set(Course.objects.values_list("slug", "title")) == {
        ("linear-algebra", "Linear algebra"),
        ("3d", "3d"),
    }
    assert Exercise.objects.count() == 2
    for name in ("linear-algebra", "3d"):
        assert run("load_content", tmp_path / name)[1].endswith("nothing changed\n")


@pytest.mark.slow
@pytest.mark.sandbox
def test_new_exercises_are_verified_as_they_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    course = write_course(tmp_path, "linear-algebra")
    for name in ("softmax", "matrix-product"):
        code, said = run("new_exercise", course, name)
        assert code == 0, said
        assert f"manage.py verify_exercise {course} {name}" in said
    code, said = run("verify_exercise", course)
    assert code == 0, said
    told = [line for line in said.splitlines() if "known mistakes are caught" in line]
    assert [line.split(":")[0] for line in told] == [
        "matrix-product",
        "moving-average",
        "softmax",
    ]
    assert all(
        "3 of 3 known mistakes are caught, and 3 are named correctly" in line for line in told
    )
    code, said = run("check_content", course)
    assert (code, said) == (0, f"{course}: {ALL.replace('1 exercise', '3 exercises')}\n")


def test_nothing_of_the_skeleton_keeps_its_name(tmp_path: Path) -> None:
    course = write_course(tmp_path, "linear-algebra")
    write_exercise(course, "softmax")
    assert len(contents(course)) == len(contents(SKELETON)) + 8
    for name, text in contents(course).items():
        assert "skeleton" not in f"{name}{text}".lower(), name
    assert [path.name for path in tmp_path.iterdir()] == ["linear-algebra"], "no draft is left"
    assert 'title: "Softmax"' in (course / "exercises/softmax/exercise.yaml").read_text()


@pytest.mark.slow
def test_the_longest_names_are_no_fault(tmp_path: Path) -> None:
    course = write_course(tmp_path, "c" * MAX_SLUG)
    write_exercise(course, "e" * MAX_SLUG)
    code, said = run("check_content", course, "--without-proofs")
    assert code == 0, said


def test_a_course_goes_beside_the_shipped_one_by_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "COURSE", tmp_path / "content/positional-encodings")
    monkeypatch.chdir(tmp_path)
    code, said = run("new_course", "linear-algebra")
    assert code == 0, said
    assert "    manage.py check_content content/linear-algebra\n" in said
    assert (tmp_path / "content" / "linear-algebra/course.yaml").is_file()


def test_an_empty_folder_becomes_the_course(tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    assert run("new_course", "new", "--in", str(tmp_path))[0] == 0
    assert (tmp_path / "new/course.yaml").is_file()


@pytest.mark.parametrize(
    "name", ["Linear", "linear_algebra", "a b", "../up", "", ".", "a--b", "é", "a\n", "a/b"]
)
def test_a_name_that_is_no_slug_is_refused(tmp_path: Path, name: str) -> None:
    course = write_course(tmp_path, "course")
    before = contents(tmp_path)
    for code, said in (
        run("new_course", name, "--in", str(tmp_path)),
        run("new_exercise", course, name),
    ):
        assert code == 2
        assert "must be a slug: lower-case letters a-z and digits, in words joined by" in said
        assert len(said.splitlines()) == 1
    assert contents(tmp_path) == before


def test_a_name_that_is_too_long_is_refused(tmp_path: Path) -> None:
    course = write_course(tmp_path, "course")
    for more in (1, 10_000):
        code, said = run("new_course", "c" * (MAX_SLUG + more), "--in", str(tmp_path))
        assert (code, f"at most {MAX_SLUG} characters" in said) == (2, True)
        code, said = run("new_exercise", course, "e" * (MAX_SLUG + more))
        assert (code, f"at most {MAX_SLUG} characters" in said) == (2, True)


@pytest.mark.parametrize("kind", ["course", "folder with a file", "file", "broken link", "link"])
def test_what_exists_is_never_overwritten(tmp_path: Path, kind: str) -> None:
    target = tmp_path / "there/new"
    target.parent.mkdir()
    if kind == "course":
        write_course(target.parent, "new")
        (target / "course.yaml").write_text("mine")
    elif kind == "folder with a file":
        target.mkdir()
        (target / ".hidden").write_text("mine")
    elif kind == "file":
        target.write_text("mine")
    elif kind == "broken link":
        target.symlink_to(tmp_path / "nowhere")
    else:
        (tmp_path / "elsewhere").mkdir()
        target.symlink_to(tmp_path / "elsewhere")
    before = contents(tmp_path)
    code, said = run("new_course", "new", "--in", str(target.parent))
    assert code == 2
    assert f"{target}: " in said
    assert len(said.splitlines()) == 1
    assert contents(tmp_path) == before
    assert [path.name for path in target.parent.iterdir()] == ["new"], "no draft is left"


def test_an_exercise_that_exists_is_never_overwritten(tmp_path: Path) -> None:
    course = write_course(tmp_path, "course")
    write_exercise(course, "mine")
    (course / "exercises/mine/reference.py").write_text("mine")
    before = contents(tmp_path)
    code, said = run("new_exercise", course, "mine")
    assert (code, said) == (
        2,
        f"{course}/exercises/mine: already exists, and nothing is overwritten",
    )
    assert contents(tmp_path) == before


@pytest.mark.parametrize("parent", ["file", "file/below", "long"])
def test_a_place_that_cannot_be_written_is_told_in_a_line(tmp_path: Path, parent: str) -> None:
    (tmp_path / "file").write_text("mine")
    folder = tmp_path / ("x" * 300 if parent == "long" else parent)
    code, said = run("new_course", "new", "--in", str(folder))
    assert code == 2
    assert f"{folder}/new: cannot be written: " in said
    assert len(said.splitlines()) == 1


def test_a_write_that_fails_half_way_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    course = write_course(tmp_path, "course")
    before = contents(tmp_path)
    write = Path.write_bytes

    def fail(path: Path, content: bytes) -> int:
        if path.name == "reference.py":
            raise OSError(28, "No space left on device")
        return write(path, content)

    monkeypatch.setattr(Path, "write_bytes", fail)
    code, said = run("new_exercise", course, "mine")
    assert (code, "cannot be written: No space left on device" in said) == (2, True)
    assert contents(tmp_path) == before
    assert sorted(path.name for path in (course / "exercises").iterdir()) == ["moving-average"]


def test_an_exercise_needs_a_course(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "none", tmp_path / "gone\x1b[2J\u202e\nwritten"):
        code, said = run("new_exercise", folder, "mine")
        assert code == 2
        assert "must be a course folder, which has a course.yaml" in said
        assert len(said.splitlines()) == 1
        assert not REFUSED.search(said)
    assert contents(tmp_path) == {}


def test_an_exercise_may_be_the_first_of_its_course(tmp_path: Path) -> None:
    course = write_course(tmp_path, "course")
    shutil.rmtree(course / "exercises")
    assert run("new_exercise", course, "mine")[0] == 0
    assert (course / "exercises/mine/exercise.yaml").is_file()
