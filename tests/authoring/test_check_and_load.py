"""check_content and load_content: every fault with its line, all or nothing, nobody's work lost."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from quizzes.assessment.models import Quiz
from quizzes.authoring import changed_content, course_files, loading
from quizzes.authoring.course_files import read_course_files
from quizzes.content_files.files import DiskFiles
from quizzes.exercises.models import Exercise
from quizzes.lessons.models import Course, Lesson, Step
from tests.assessment.content import QUESTION, write_question, write_quiz
from tests.content.lesson_text import COURSE
from tests.lessons.course import write_course


def run(command: str, path: Path, *flags: str) -> tuple[int, str]:
    """Return exit code and everything a command says."""
    said = StringIO()
    try:
        call_command(command, str(path), *flags, stdout=said, stderr=said)
    except CommandError as error:
        return error.returncode, f"{said.getvalue()}{error}"
    return 0, said.getvalue()


@pytest.fixture
def course(tmp_path: Path) -> Path:
    return write_course(tmp_path, {"one": "Words.", "two": "[back](/learn/first/one/)"})


@pytest.mark.soak  # in the gate `make check` does so
def test_the_shipped_course_has_no_fault() -> None:
    code, said = run("check_content", COURSE, "--without-proofs")
    assert code == 0, said


def test_checking_needs_no_database(course: Path) -> None:
    code, said = run("check_content", course)  # without django_db a query would fail the test
    assert code == 0
    assert (
        "1 course, 0 questions, 0 quizzes, 0 exercises, 0 plots, 1 lesson, 0 pictures,"
        " 0 concept maps, 0 lists of models; no errors" in said
    )


@pytest.mark.django_db
@pytest.mark.parametrize("command", ["check_content", "load_content"])
def test_a_course_whose_longest_options_are_its_keys_is_warned_and_loaded(
    command: str, course: Path
) -> None:
    text = QUESTION.replace("sums/adding", "first/one").replace(
        "text: two", "text: two and nothing else"
    )
    for number in range(8):
        write_question(course, f"q-{number}", text)
    write_quiz(course, "eight", *(f"q-{number}" for number in range(8)))
    code, said = run(command, course)
    assert code == 0
    warned = [line for line in said.splitlines() if line.startswith("warning: ")]
    assert [line.split(": ")[1] for line in warned] == ["questions", "quizzes/eight.yaml"]
    assert all("In 8 of 8 questions with fixed options" in line for line in warned)
    assert Quiz.objects.filter(slug="eight").exists() == (command == "load_content")


@pytest.mark.parametrize("command", ["check_content", "load_content"])
def test_a_path_that_is_no_folder_is_a_usage_error(command: str, tmp_path: Path) -> None:
    code, said = run(command, tmp_path / "none")
    assert code == 2
    assert "must be a course folder" in said


@pytest.mark.parametrize(
    ("link", "problem"),
    [
        ("/learn/first/none/", "there is no such page"),
        ("/learn/none/", "there is no such page"),
        ("/nowhere/", "there is no such page"),
        ("/learn/first/one", "there is no such page; expected /learn/first/one/"),
        ("one.md", "must begin with / or https://"),
        ("/quiz/none/", "there is no such page"),
        ("/exercises/none/#top", "there is no such page"),
        ("/learn/first/one/?a.d_model=8#x", ""),
        ("https://example.org/", ""),
        ("/learn/", ""),
    ],
)
def test_links_must_lead_somewhere(course: Path, link: str, problem: str) -> None:
    path = course / "lessons/first/steps/01-one.md"
    path.write_text(f"Words.\n\nSee [this]({link}).\n")
    code, said = run("check_content", course)
    assert code == (1 if problem else 0), said
    if problem:
        assert f"lessons/first/steps/01-one.md:3: link {link}: {problem}" in said


@pytest.mark.parametrize(("link", "code"), [("/learn/first/one/", 0), ("/learn/first/none/", 1)])
def test_links_of_prerequisites_must_lead_somewhere(course: Path, link: str, code: int) -> None:
    path = course / "lessons/first/lesson.yaml"
    path.write_text(path.read_text().replace("[numbers]", f'["the step [One]({link})"]'))
    found, said = run("check_content", course)
    assert found == code, said
    assert (f"lesson.yaml:1: prerequisites: link {link}: there is no such page" in said) == code


def test_what_a_step_names_must_exist(course: Path) -> None:
    path = course / "lessons/first/steps/01-one.md"
    path.write_text("Words.\n\n```question\nslug: none\n```\n\n```exercise\nslug: none\n```\n")
    code, said = run("check_content", course)
    assert code == 1
    assert "01-one.md:3: there is no question 'none'" in said
    assert "01-one.md:7: there is no exercise 'none'" in said


def test_a_step_that_questions_name_must_exist(course: Path) -> None:
    write_question(course, "sum", QUESTION.replace("sums/adding", "first/none"))
    code, said = run("check_content", course)
    assert code == 1
    assert "questions/sum/" in said
    assert "first/none" in said


@pytest.mark.django_db
def test_faults_load_nothing_at_all(course: Path) -> None:
    (course / "lessons/first/steps/02-two.md").write_text("$\\foo$")
    code, said = run("load_content", course)
    assert code == 1
    assert "02-two.md:1: formula" in said
    assert not Course.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_load_that_dies_half_way_leaves_nothing(
    course: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kinds = list(course_files.KINDS)

    def die(_course: object, _source: object) -> str:
        raise RuntimeError("killed")

    monkeypatch.setattr(
        changed_content,
        "KINDS",
        [
            k if k.name != "lesson" else type(k)(k.name, k.model, k.read, k.stored, die)
            for k in kinds
        ],
    )
    with pytest.raises(RuntimeError, match="killed"):
        loading.load(read_course_files(DiskFiles(course)))
    assert not Course.objects.exists()


@pytest.mark.django_db
def test_loading_twice_changes_nothing_and_writes_nothing(course: Path) -> None:
    assert run("load_content", course)[0] == 0
    before = list(Step.objects.values_list("pk", flat=True))
    with CaptureQueriesContext(connection) as captured:
        code, said = run("load_content", course)
    assert (code, said.count("\n")) == (0, 1)
    assert "nothing changed" in said
    assert list(Step.objects.values_list("pk", flat=True)) == before
    assert all(query["sql"].startswith("SELECT") for query in captured)


def _change_file(course: Path, words: str) -> None:
    (course / "lessons/first/steps/01-one.md").write_text(words)


def _edit_row(words: str) -> None:
    Step.objects.filter(slug="one").update(text=words)


def _text() -> str:
    return Step.objects.get(slug="one").text


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("row", "file", "arguments", "words", "text"),
    [
        (None, "New words.", [], "updated: lesson 1", "New words."),
        ("Edited here.", None, [], "", "Edited here."),
        ("Edited here.", "New words.", ["--ours"], "", "New words."),
        ("Same words.", "Same words.", [], "", "Same words."),
    ],
)
def test_load_settles_edits_of_row_and_file(
    course: Path, row: str | None, file: str | None, arguments: list[str], words: str, text: str
) -> None:
    run("load_content", course)
    if row:
        _edit_row(row)
    if file:
        _change_file(course, file)
    code, said = run("load_content", course, *arguments)
    assert (code, _text()) == (0, text)
    assert words in said
    assert Lesson.objects.get().loaded_hash
    assert run("load_content", course)[0] == 0


@pytest.mark.django_db
def test_both_changed_is_a_conflict_that_loses_nothing(course: Path) -> None:
    run("load_content", course)
    _edit_row("Edited here.")
    _change_file(course, "New words.")
    for _ in range(2):
        code, said = run("load_content", course)
        assert code == 3
        assert "lessons/first/lesson.yaml: lesson 'first' was changed in the file" in said
        assert "--ours" in said
        assert "--theirs" in said
        assert _text() == "Edited here."


@pytest.mark.django_db
def test_other_things_are_loaded_beside_a_conflict(course: Path) -> None:
    run("load_content", course)
    _edit_row("Edited here.")
    _change_file(course, "New words.")
    path = course / "course.yaml"
    path.write_text(path.read_text().replace("title: A course", "title: A better course"))
    assert run("load_content", course)[0] == 3
    assert Course.objects.get().title == "A better course"


@pytest.mark.django_db
def test_theirs_means_the_database_and_is_asked_once(course: Path) -> None:
    run("load_content", course)
    _edit_row("Edited here.")
    _change_file(course, "New words.")
    code, said = run("load_content", course, "--theirs")
    assert code == 0
    assert "kept as edited: lesson 1" in said
    assert _text() == "Edited here."
    assert run("load_content", course)[0] == 0
    _change_file(course, "Newer words.")
    assert run("load_content", course)[0] == 3


@pytest.mark.django_db
def test_a_lesson_made_in_the_browser_meets_a_file_of_the_same_name(course: Path) -> None:
    made = Course.objects.create(slug="course", title="Mine", summary="Mine.")
    Lesson.objects.create(course=made, slug="first", number=1, title="Mine", summary="Mine.")
    code, said = run("load_content", course)
    assert code == 3
    assert "never loaded" in said
    assert Lesson.objects.get().title == "Mine"


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "exercises"),
    [
        (COURSE.with_name("attention-from-scratch"), 2),
        pytest.param(COURSE, 11, marks=pytest.mark.soak),
    ],
)
def test_a_shipped_course_loads_whole_in_order_and_then_in_a_moment(
    path: Path, exercises: int
) -> None:
    assert run("load_content", path)[0] == 0
    _expect_the_order_of_the_lessons(exercises)
    assert run("load_content", path)[1].endswith("nothing changed\n")
    places = list(Quiz.objects.values_list("slug", "place"))
    Quiz.objects.update(place=0)  # as an older release left it
    assert run("load_content", path)[1].endswith("nothing changed\n")
    assert list(Quiz.objects.values_list("slug", "place")) == places


def _expect_the_order_of_the_lessons(exercises: int) -> None:
    """Of exercises and quizzes."""
    (course,) = Course.objects.all()
    of_exercises = [
        course.lesson_order.index(exercise.versions.latest("number").step.split("/")[0])
        for exercise in Exercise.objects.all()
    ]
    assert len(of_exercises) >= exercises
    assert of_exercises == sorted(of_exercises)
    quizzes = Quiz.objects.values_list("slug", flat=True)
    lessons = [slug.removesuffix("-quiz") for slug in quizzes]
    in_order = [lesson for lesson in course.lesson_order if lesson in lessons]
    assert [lesson for lesson in lessons if lesson in in_order] == in_order
