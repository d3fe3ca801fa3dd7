"""What a course's files name no longer is withdrawn: only those who met it keep it."""

import shutil
from pathlib import Path

import pytest
from django.test import Client

from quizzes.assessment.models import Attempt, Question, Quiz
from quizzes.assessment.services import start_attempt, submit_attempt
from quizzes.concepts.models import ConceptMap
from quizzes.courses.models import Course
from quizzes.courses.withdrawal import restore, withdraw
from quizzes.exercises.models import Exercise
from quizzes.learners.models import Learner, ReviewCard
from quizzes.lessons.models import Lesson
from tests.assessment.content import QUESTION, write_question, write_quiz
from tests.authoring.test_check_and_load import run
from tests.courses import at
from tests.lessons.course import write_course

EXAMPLE = Path(__file__).resolve().parents[2] / "docs/example-exercise"
STEP = "{slug: end, title: End, sources: [{work: paper}]}"
SECOND = f"title: Second\nsummary: Small.\nsteps:\n  - {STEP}\n"
MAP = "concepts:\n  - {slug: order, title: Order, summary: Before., steps: [first/one]}\n"
PAGES = {
    "lesson": at("/learn/second/end/", "course"),
    "quiz": at("/quiz/sums/", "course"),
    "exercise": at("/exercises/causal-mask/", "course"),
    "question": at("/practice/gone/", "course"),
}

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A loaded course with two of everything, but one exercise."""
    root = write_course(tmp_path, {"one": "Words."})
    for slug in ("kept", "gone"):
        write_question(root, slug, QUESTION.replace("sums/adding", "first/one"))
    write_quiz(root, "sums", "gone", "kept")
    write_quiz(root, "stays", "kept")
    shutil.copytree(EXAMPLE, root / "exercises/causal-mask")
    (root / "lessons/second/steps").mkdir(parents=True)
    (root / "lessons/second/lesson.yaml").write_text(SECOND)
    (root / "lessons/second/steps/01-end.md").write_text("The end.")
    named(root, "[first, second]")
    (root / "map.yaml").write_text(MAP)
    code, said = run("load_content", root)
    assert code == 0, said
    return root


def named(root: Path, lessons: str) -> None:
    file = root / "course.yaml"
    text = file.read_text()
    file.write_text(text[: text.index("lessons:")] + f"lessons: {lessons}\n{SOURCES}")


SOURCES = 'sources:\n  paper: {text: A paper, url: "https://example.org/paper"}\n'


def take_away(root: Path) -> str:
    """Delete one thing of each kind from the files and load; return what the load says."""
    for path in ("questions/gone", "exercises/causal-mask", "lessons/second"):
        (root / path).rename(root.parent / path.replace("/", "-"))
    (root / "quizzes/sums.yaml").rename(root.parent / "sums.yaml")
    named(root, "[first]")
    code, said = run("load_content", root)
    assert code == 0, said
    return said


def bring_back(root: Path) -> str:
    for path in ("questions/gone", "exercises/causal-mask", "lessons/second"):
        (root.parent / path.replace("/", "-")).rename(root / path)
    (root.parent / "sums.yaml").rename(root / "quizzes/sums.yaml")
    named(root, "[first, second]")
    code, said = run("load_content", root)
    assert code == 0, said
    return said


def statuses(client: Client) -> dict[str, int]:
    return {kind: client.get(page).status_code for kind, page in PAGES.items()}


def learner_of(client: Client) -> Learner:
    """Return the learner whom a visitor becomes by reading a step."""
    client.post(at("/learn/first/one/", "course"))
    return Learner.objects.latest("pk")


def test_the_load_says_what_it_withdrew_and_what_came_back(course: Path) -> None:
    said = take_away(course)
    assert "withdrawn: question 1, quiz 1, exercise 1, lesson 1" in said
    for thing in ("question 'gone'", "quiz 'sums'", "exercise 'causal-mask'", "lesson 'second'"):
        assert f"{thing} is withdrawn: it is no longer in the files\n" in said
    assert run("load_content", course)[1].endswith("nothing changed\n")
    assert "updated: course 1, question 1, quiz 1, exercise 1, lesson 1" in bring_back(course)
    for model in (Lesson, Question, Quiz, Exercise):
        assert not model.objects.filter(withdrawn_at__isnull=False).exists()


def test_those_who_never_met_it_are_told_and_find_it_nowhere(course: Path, client: Client) -> None:
    assert statuses(client) == dict.fromkeys(PAGES, 200)
    take_away(course)
    assert statuses(client) == dict.fromkeys(PAGES, 410)
    assert "has been withdrawn" in client.get(PAGES["quiz"]).content.decode()
    assert client.post(PAGES["quiz"]).status_code == 410
    assert client.post(PAGES["lesson"]).status_code == 410
    assert client.get(at("/learn/second/", "course")).status_code == 410
    answer = client.post(at("/questions/gone/answer/", "course"), {"step": "first/one"})
    assert answer.status_code == 410
    draft = {"code": "x = 1"}
    assert client.post(f"{PAGES['exercise']}draft/", draft).status_code == 404
    assert not Learner.objects.exists(), "nothing was kept of a visitor who was refused"
    for page in ("/", "/learn/", "/quiz/", "/exercises/", "/map/", "/progress/"):
        shown = client.get(at(page, "course"), follow=True)
        assert shown.status_code == 200
        for name in ("learn/second", "quiz/sums", "exercises/causal-mask", "practice/gone"):
            assert f"/{name}/" not in shown.content.decode(), page
    bring_back(course)
    assert statuses(client) == dict.fromkeys(PAGES, 200)


def test_those_who_met_it_keep_it(course: Path, client: Client) -> None:
    client.post(PAGES["lesson"])
    client.post(PAGES["quiz"])
    attempt = Attempt.objects.select_related("learner", "quiz__course").get()
    draft = client.post(f"{PAGES['exercise']}draft/", {"code": "x = 1"})
    assert draft.status_code == 200, draft.content
    take_away(course)
    assert statuses(client) == {"lesson": 200, "quiz": 200, "exercise": 200, "question": 410}
    page = client.get(attempt.get_absolute_url())
    assert page.content.decode().count("What is") == 2, "an open attempt keeps its questions"
    assert client.post(PAGES["quiz"]).url == attempt.get_absolute_url()
    assert submit_attempt(attempt=attempt)
    assert client.get(attempt.review_address).status_code == 200
    assert client.get(PAGES["quiz"]).status_code == 200, "its history stays"
    assert client.post(PAGES["quiz"]).status_code == 410, "it is not begun anew"


def test_a_withdrawn_question_is_asked_nowhere_anew(course: Path) -> None:
    (course / "quizzes/sums.yaml").write_text(
        (course / "quizzes/stays.yaml").read_text().replace("- kept", "- kept\n  - gone")
    )
    run("load_content", course)
    (course / "quizzes/sums.yaml").write_text((course / "quizzes/stays.yaml").read_text())
    shutil.rmtree(course / "questions/gone")
    assert "withdrawn: question 1" in run("load_content", course)[1]
    attempt = start_attempt(learner=Learner.objects.create(), quiz=Quiz.objects.get(slug="sums"))
    assert [one.version.question.slug for one in attempt.responses.all()] == ["kept"]


def test_the_review_queue_waits_with_a_withdrawn_question(course: Path, client: Client) -> None:
    learner = learner_of(client)
    where = Course.objects.get()
    for number, slug in enumerate(["gone", "kept"]):
        kind = ReviewCard.Kind.QUESTION
        ReviewCard.objects.create(
            learner=learner, course=where, kind=kind, slug=slug, reviews=number
        )
    assert "2 due" in client.get("/review/").content.decode()
    take_away(course)
    page = client.get("/review/").content.decode()
    assert "1 due" in page
    assert "/practice/gone/" not in page
    bring_back(course)
    assert "2 due" in client.get("/review/").content.decode()


def test_a_map_that_is_no_longer_there_goes(course: Path) -> None:
    (course / "map.yaml").unlink()
    assert "withdrawn: concept map 1" in run("load_content", course)[1]
    assert not ConceptMap.objects.exists()


# ---- edited in the browser


def edit_question(words: str) -> None:
    """Publish another version, as a form in the browser does."""
    question = Question.objects.get(slug="gone")
    version = question.current
    assert version is not None
    version.pk, version.number, version.content_hash, version.prompt = None, 9, "edited", words
    version.save()
    Question.objects.filter(pk=question.pk).update(current=version)


def without_the_question(root: Path) -> Path:
    shutil.rmtree(root / "questions/gone")
    (root / "quizzes/sums.yaml").write_text((root / "quizzes/stays.yaml").read_text())
    return root


def is_asked() -> bool:
    return Question.objects.available().filter(slug="gone").exists()


def test_what_was_edited_is_a_conflict_and_stays(course: Path) -> None:
    edit_question("Mine?")
    for _ in range(2):
        code, said = run("load_content", without_the_question(course) if _ == 0 else course)
        assert code == 3
        assert "question 'gone' is no longer in the files and was changed in the browser" in said
        assert is_asked()


@pytest.mark.both_databases
def test_ours_withdraws_it_and_naming_it_again_is_a_conflict(course: Path, tmp_path: Path) -> None:
    edit_question("Mine?")
    kept = shutil.copytree(course / "questions/gone", tmp_path / "kept")
    assert "withdrawn: question 1" in run("load_content", without_the_question(course), "--ours")[1]
    assert not is_asked()
    shutil.copytree(kept, course / "questions/gone")
    assert run("load_content", course)[0] == 3
    assert not is_asked()
    assert run("load_content", course, "--theirs")[0] == 0
    assert is_asked()
    assert Question.objects.get(slug="gone").current.prompt == "Mine?"
    assert run("load_content", course)[1].endswith("nothing changed\n")


@pytest.mark.both_databases
def test_theirs_keeps_it_and_asks_once(course: Path) -> None:
    edit_question("Mine?")
    code, said = run("load_content", without_the_question(course), "--theirs")
    assert code == 0
    assert "kept as edited: question 1" in said
    assert is_asked()
    assert run("load_content", course)[1].endswith("nothing changed\n")
    assert is_asked()


def test_a_quiz_that_both_took_away_is_no_conflict(course: Path) -> None:
    Quiz.objects.filter(slug="sums").update(is_published=False)
    (course / "quizzes/sums.yaml").unlink()
    code, said = run("load_content", course)
    assert code == 0, said
    assert "withdrawn: quiz 1" in said


def test_a_course_made_in_the_browser_is_not_overwritten(tmp_path: Path) -> None:
    Course.objects.create(slug="course", title="Mine", summary="Mine.")
    code, said = run("load_content", write_course(tmp_path, {"one": "Words."}))
    assert code == 3
    assert "course 'course' was changed in the file (never loaded" in said
    assert Course.objects.get().title == "Mine"


@pytest.mark.parametrize("name", ["My course", "course_2", "Course", "x" * 81])
def test_a_folder_whose_name_cannot_stand_in_an_address_is_a_fault(
    tmp_path: Path, name: str
) -> None:
    course = write_course(tmp_path, {"one": "Words."}).rename(tmp_path / name)
    code, said = run("load_content", course)
    assert code == 1
    assert "its name must be a slug" in said
    assert not Course.objects.exists()


def test_what_was_withdrawn_in_the_browser_stays_so_through_loads(course: Path) -> None:
    question, exercise = Question.objects.get(slug="gone"), Exercise.objects.get()
    edit_question("edited before it was withdrawn")
    assert withdraw(question)
    assert withdraw(exercise)
    statement = course / "exercises/causal-mask/statement.md"
    before = statement.read_text()
    for text in (f"{before}\nMore words.\n", before):
        statement.write_text(text)
        code, said = run("load_content", course)
        assert (code, said.endswith("nothing changed\n")) == (0, True), said
    assert not Question.objects.available().filter(slug="gone").exists()
    assert restore(exercise)
    assert "updated: exercise 1" in run("load_content", course)[1]
    assert Exercise.objects.get().loaded_hash
