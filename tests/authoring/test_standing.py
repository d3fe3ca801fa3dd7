"""Rules that came after a course was published: it is warned, and what is new is refused."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from quizzes.authoring import course_files, published_content
from quizzes.authoring.copies import copy_course
from quizzes.authoring.course_files import read_course_files
from quizzes.authoring.loading import load
from quizzes.content_files.files import DiskFiles
from quizzes.content_files.problems import refused
from quizzes.courses.models import Course
from quizzes.lessons.models import Lesson
from tests.assessment.content import QUESTION, write_question, write_quiz
from tests.authoring.test_check_and_load import run
from tests.lessons.course import write_course

EXAMPLE = Path(__file__).resolve().parents[2] / "docs/example-exercise"
MAP = "concepts:\n  - {slug: order, title: Order, summary: Before., steps: [first/one]}\n"
# File of each kind, the words that a release before let pass, and how the fault is named.
LEFT = {
    "lessons/first/steps/01-one.md": ("Words.", "Words <b>.", "01-one.md:1: “<b>”"),
    "lessons/first/lesson.yaml": ("[numbers]", '["==numbers=="]', "lesson.yaml:3: “==numbers==”"),
    "questions/asked/question.yaml": ("Count on", "Count[^1] on", "question.yaml:8: “[^1]”"),
    "quizzes/sums.yaml": ("Adding up.", "Sums ==so==.", "sums.yaml:2: “==so==”"),
    "exercises/causal-mask/statement.md": ("", "\n\n- [ ] so\n", "statement.md:"),
    "course.yaml": ("About order.", "About **order**.", "course.yaml:2: “**”"),
    "map.yaml": ("summary: Before.", "summary: Be `fore`.", "map.yaml:2: “`”"),
}

pytestmark = [pytest.mark.django_db]


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A course with something of every kind, not loaded yet."""
    root = write_course(tmp_path, {"one": "Words."})
    write_question(root, "asked", QUESTION.replace("sums/adding", "first/one"))
    write_quiz(root, "sums", "asked")
    shutil.copytree(EXAMPLE, root / "exercises/causal-mask")
    (root / "map.yaml").write_text(MAP)
    return root


def spoil(course: Path, file: str) -> None:
    path, (before, after, _) = course / file, LEFT[file]
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after) if before else text + after)


def load_as_before(course: Path) -> None:
    """Load it as a release before these rules did."""
    files = read_course_files(DiskFiles(course))
    problems = refused(files.problems, is_published=True)
    load(course_files.CourseFiles(files.slug, files.sources, problems))


@pytest.mark.parametrize("file", LEFT)
def test_what_is_published_is_warned_and_what_is_new_refused(course: Path, file: str) -> None:
    named = LEFT[file][2]
    spoil(course, file)
    code, said = run("load_content", course)
    assert code == 1
    assert named in said
    assert not Course.objects.exists()
    load_as_before(course)
    code, said = run("load_content", course)
    assert code == 0, said
    assert f"warning: {file}" in said
    assert named in said
    assert run("check_content", course, "--without-proofs")[0] == 1


@pytest.mark.parametrize("file", list(LEFT)[:3])
def test_what_was_changed_is_refused(course: Path, file: str) -> None:
    spoil(course, file)
    load_as_before(course)
    changed = course / "lessons/first/lesson.yaml"
    if file.startswith("questions"):
        changed = course / "questions/asked/question.yaml"
    text = changed.read_text()
    changed.write_text(text.replace("title: First lesson", "title: First").replace("two", "both"))
    assert changed.read_text() != text
    code, said = run("load_content", course)
    assert code == 1, said
    assert LEFT[file][2] in said


def test_a_lesson_with_another_name_stands(course: Path) -> None:
    spoil(course, "lessons/first/steps/01-one.md")
    for file in ("questions", "quizzes", "exercises"):
        shutil.rmtree(course / file)
    (course / "map.yaml").unlink()
    load_as_before(course)
    (course / "lessons/first").rename(course / "lessons/start")
    facts = course / "lessons/start/lesson.yaml"
    facts.write_text(facts.read_text() + "renamed_from: [first]\n")
    whole = course / "course.yaml"
    whole.write_text(whole.read_text().replace("[first]", "[start]"))
    code, said = run("load_content", course)
    assert code == 0, said
    assert "warning: lessons/start/steps/01-one.md:1" in said


def test_what_was_withdrawn_is_new_again(course: Path) -> None:
    spoil(course, "lessons/first/steps/01-one.md")
    load_as_before(course)
    Lesson.objects.update(withdrawn_at="2026-01-01T00:00:00Z")
    assert run("load_content", course)[0] == 1


def test_a_course_that_stands_can_be_copied(course: Path) -> None:
    for file in LEFT:
        spoil(course, file)
    load_as_before(course)
    copy = copy_course(Course.objects.get(slug="course"), slug="copied")
    assert Lesson.objects.filter(course=copy).exists()


@pytest.mark.parametrize("file", LEFT)
def test_every_file_has_an_owner(course: Path, file: str) -> None:
    load(read_course_files(DiskFiles(course)))
    owner: Callable[..., object] = published_content._owner
    assert owner("course", file) in published_content.published_names(
        read_course_files(DiskFiles(course))
    )
