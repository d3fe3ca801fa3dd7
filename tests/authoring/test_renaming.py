"""`renamed_from` in a file: the same row, learners' work with it, and the old address leads on."""

import shutil
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from quizzes.assessment.models import Attempt, Question, Quiz, Response
from quizzes.courses.drafts import current_text
from quizzes.courses.models import ContentDraft, Course, OldName
from quizzes.exercises.models import Exercise, ExerciseVersion, Submission
from quizzes.learners.models import Learner, Progress, ReviewCard
from quizzes.lessons.models import Lesson
from tests.assessment.content import QUESTION, write_question, write_quiz
from tests.authoring.test_check_and_load import run
from tests.courses import at
from tests.drafts import create_draft, editable
from tests.factories import create_submission
from tests.lessons.course import write_course

EXAMPLE = Path(__file__).resolve().parents[2] / "docs/example-exercise"
KIND, STATE = Progress.Kind, Progress.State

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A loaded course of one of each kind, whose question stands in its step."""
    root = write_course(tmp_path, {"one": "```question\nslug: adds\n```\n", "two": "Words."})
    write_question(root, "adds", QUESTION.replace("sums/adding", "first/one"))
    write_quiz(root, "sums", "adds")
    shutil.copytree(EXAMPLE, root / "exercises/causal-mask")
    code, said = run("load_content", root)
    assert code == 0, said
    return root


def edit(file: Path, *pairs: tuple[str, str]) -> None:
    text = file.read_text()
    for old, new in pairs:
        assert old in text, (file, old)
        text = text.replace(old, new)
    file.write_text(text)


def rename_all(root: Path) -> str:
    """Rename everything in the files, each saying its name before, and load."""
    (root / "lessons/first").rename(root / "lessons/begin")
    (root / "lessons/begin/steps/01-one.md").rename(root / "lessons/begin/steps/01-start.md")
    edit(root / "lessons/begin/steps/01-start.md", ("slug: adds", "slug: adding"))
    edit(
        root / "lessons/begin/lesson.yaml",
        ("summary: Small.", "summary: Small.\nrenamed_from: [first]"),
        ("slug: one", "slug: start\n    renamed_from: [first/one]"),
    )
    edit(root / "course.yaml", ("[first]", "[begin]"))
    (root / "questions/adds").rename(root / "questions/adding")
    edit(
        root / "questions/adding/question.yaml",
        ("step: first/one", "step: begin/start\nrenamed_from: [adds]"),
    )
    (root / "quizzes/sums.yaml").rename(root / "quizzes/addition.yaml")
    edit(
        root / "quizzes/addition.yaml",
        ("- adds", "- adding"),
        ("title: Sums", "title: Sums\nrenamed_from: [sums]"),
    )
    (root / "exercises/causal-mask").rename(root / "exercises/mask")
    file = root / "exercises/mask/exercise.yaml"
    file.write_text(f"{file.read_text()}\nrenamed_from: [causal-mask]\n")
    code, said = run("load_content", root)
    assert code == 0, said
    return said


def work_of(client: Client) -> Learner:
    """Have a visitor do something with everything; return whom they became."""
    for step in ("one", "two"):
        client.post(at(f"/learn/first/{step}/", "course"))
    option = Question.objects.get().current.options.get(is_key=False, text="three")
    answer = {"option": option.pk, "step": "first/one"}
    client.post(at("/questions/adds/answer/", "course"), answer)
    attempt = client.post(at("/quiz/sums/", "course")).url
    client.post(attempt, {"do": "submit-blank"})
    learner = Learner.objects.get()
    version = ExerciseVersion.objects.get()
    create_submission(version.exercise, learner, scheduled_for=timezone.now())
    name = {"course": Course.objects.get(), "learner": learner}
    Progress.objects.create(**name, kind=KIND.EXERCISE, slug="causal-mask", state=STATE.NEEDS_WORK)
    ReviewCard.objects.create(**name, kind="mistake", slug="causal-mask/future")
    return learner


def names_of(learner: Learner) -> set[tuple[str, str, str]]:
    rows = Progress.objects.filter(learner=learner)
    cards = ReviewCard.objects.filter(learner=learner)
    return {(row.kind, row.slug, row.state) for row in rows} | {
        ("card", card.kind, card.slug) for card in cards
    }


def test_learners_work_goes_with_the_thing(course: Path, client: Client) -> None:
    learner = work_of(client)
    before = names_of(learner)
    rows = {model: model.objects.get().pk for model in (Lesson, Question, Quiz, Exercise)}
    said = rename_all(course)
    assert "renamed: lesson 1, step 1, question 1, quiz 1, exercise 1" in said
    assert "withdrawn" not in said
    assert {model: model.objects.get().pk for model in rows} == rows
    new = {
        "first": "begin", "first/one": "begin/start", "first/two": "begin/two", "sums": "addition",
        "adds": "adding", "causal-mask": "mask", "causal-mask/future": "mask/future",
    }  # fmt: skip
    assert names_of(learner) == {
        (kind, new.get(name, name), new.get(state, state)) for kind, name, state in before
    }
    assert len(before) == 8
    assert Attempt.objects.get().quiz.slug == "addition"
    assert Submission.objects.get().exercise_version.exercise.slug == "mask"
    assert Response.objects.get(attempt=None).step == "begin/start"
    page = client.get(at("/learn/begin/start/", "course")).content.decode()
    assert "One too many." in page, "the answer given inside the step is there"


def test_loading_again_changes_nothing(course: Path) -> None:
    rename_all(course)
    rows = list(OldName.objects.values())
    assert run("load_content", course)[1].endswith("nothing changed\n")
    assert list(OldName.objects.values()) == rows


@pytest.mark.covering(most=4)
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("learn/first/", "learn/begin/"),
        ("learn/first/one/", "learn/begin/start/"),
        ("learn/first/two/?codes.d_model=8", "learn/begin/two/?codes.d_model=8"),
        ("quiz/sums/", "quiz/addition/"),
        ("quiz/sums/attempt/1/review/", "quiz/addition/attempt/1/review/"),
        ("exercises/causal-mask/", "exercises/mask/"),
        ("exercises/causal-mask/submissions/7/", "exercises/mask/submissions/7/"),
        ("practice/adds/", "practice/adding/"),
    ],
)
def test_old_addresses_lead_on(course: Path, client: Client, old: str, new: str) -> None:
    rename_all(course)
    answer = client.get(at(f"/{old}", "course"))
    assert (answer.status_code, answer.url) == (301, at(f"/{new}", "course"))


def test_a_form_that_was_open_meanwhile_loses_nothing(course: Path, client: Client) -> None:
    rename_all(course)
    answer = client.post(at("/quiz/sums/", "course"))
    assert (answer.status_code, answer.url) == (308, at("/quiz/addition/", "course"))
    step = client.post(at("/learn/first/one/", "course"), follow=True)
    assert step.status_code == 200
    assert Progress.objects.filter(slug="begin/start", state=STATE.DONE).exists()


def test_a_page_that_is_there_asks_for_no_old_names(course: Path, client: Client) -> None:
    rename_all(course)
    for page in ("/learn/none/", "/quiz/none/", "/learn/begin/none/"):
        assert client.get(at(page, "course")).status_code == 404
    with CaptureQueriesContext(connection) as captured:
        assert client.get(at("/quiz/addition/", "course")).status_code == 200
    assert not any("oldname" in query["sql"] for query in captured)


def test_a_learner_with_both_names_keeps_the_better_of_each(course: Path) -> None:
    learner, where = Learner.objects.create(), Course.objects.get()
    name = {"learner": learner, "course": where}
    for slug, state in (("first/one", STATE.DONE), ("begin/start", STATE.SEEN)):
        Progress.objects.create(**name, kind=KIND.STEP, slug=slug, state=state)
    for slug, days in (("adds", 3), ("adding", 9)):
        due = timezone.now() + timedelta(days=days)
        ReviewCard.objects.create(**name, kind="question", slug=slug, due_at=due, reviews=days)
    rename_all(course)
    assert Progress.objects.get().state == STATE.DONE
    assert (Progress.objects.get().slug, ReviewCard.objects.get().reviews) == ("begin/start", 3)


def test_a_second_rename_leaves_no_chain(course: Path, client: Client) -> None:
    rename_all(course)
    (course / "quizzes/addition.yaml").rename(course / "quizzes/plus.yaml")
    edit(course / "quizzes/plus.yaml", ("[sums]", "[addition]"))
    (course / "lessons/begin").rename(course / "lessons/basics")
    edit(course / "lessons/basics/lesson.yaml", ("[first]", "[begin]"), ("[first/one]", "[one]"))
    edit(course / "course.yaml", ("[begin]", "[basics]"))
    edit(course / "questions/adding/question.yaml", ("begin/start", "basics/start"))
    assert run("load_content", course)[0] == 0
    for old, new in {
        "quiz/sums/": "quiz/plus/",
        "quiz/addition/": "quiz/plus/",
        "learn/first/one/": "learn/basics/start/",
        "learn/begin/start/": "learn/basics/start/",
        "learn/first/two/": "learn/basics/two/",
    }.items():
        assert client.get(at(f"/{old}", "course")).url == at(f"/{new}", "course"), old


def test_a_second_rename_leaves_alone_what_was_made_under_the_first_name(course: Path) -> None:
    learner, where = Learner.objects.create(), Course.objects.get()
    rename_all(course)
    renamed = Quiz.objects.get()
    made = Quiz.objects.create(course=where, slug="sums", title="Made in the browser")
    name = {"course": where, "kind": KIND.QUIZ}
    Progress.objects.create(**name, learner=learner, slug="sums", state=STATE.DONE)
    (course / "quizzes/addition.yaml").rename(course / "quizzes/plus.yaml")
    edit(course / "quizzes/plus.yaml", ("[sums]", "[sums, addition]"))
    assert run("load_content", course)[0] == 0
    slugs = dict(Quiz.objects.values_list("pk", "slug"))
    assert slugs == {renamed.pk: "plus", made.pk: "sums"}
    assert Progress.objects.get().slug == "sums"


def test_a_name_that_is_taken_anew_leads_there(course: Path, client: Client) -> None:
    rename_all(course)
    edit(course / "quizzes/addition.yaml", ("renamed_from: [sums]\n", ""))
    write_quiz(course, "sums", "adding")
    assert run("load_content", course)[0] == 0
    assert client.get(at("/quiz/sums/", "course")).status_code == 200
    assert not OldName.objects.filter(kind="quiz").exists()


def test_without_renamed_from_hashes_are_what_they_were(course: Path) -> None:
    hashes = {row.slug: row.loaded_hash for row in (Lesson.objects.get(), Quiz.objects.get())}
    versions = Question.objects.get().versions.count()
    rename_all(course)
    assert Quiz.objects.get().loaded_hash != hashes["sums"]  # its question has another name
    edit(course / "quizzes/addition.yaml", ("renamed_from: [sums]\n", ""))
    edit(course / "lessons/begin/lesson.yaml", ("renamed_from: [first]\n", ""))
    assert run("load_content", course)[1].endswith("nothing changed\n")
    assert Question.objects.get().versions.count() == versions + 1  # its step has another name
    assert OldName.objects.count() == 5, "an old address leads on for ever"


@pytest.mark.covering(most=4)
@pytest.mark.parametrize(
    ("file", "old", "new", "problem"),
    [
        ("lessons/first/lesson.yaml", "summary: Small.", "summary: Small.\nrenamed_from: [first]",
         "lesson.yaml:3: renamed_from: 'first': is still a lesson"),
        ("lessons/first/lesson.yaml", "slug: two", "slug: two\n    renamed_from: [one]",
         "lesson.yaml:9: renamed_from: 'first/one': is still a step"),
        ("lessons/first/lesson.yaml", "slug: two", "slug: two\n    renamed_from: [a/b/c]",
         "renamed_from: 'a/b/c': must be a slug, or <lesson>/<step>"),
        ("lessons/first/lesson.yaml", "summary: Small.", "summary: Small.\nrenamed_from: [a/b]",
         "renamed_from: 'a/b': must be a slug"),
        ("quizzes/sums.yaml", "title: Sums", "title: Sums\nrenamed_from: sums",
         "quizzes/sums.yaml:2: renamed_from: must be a list"),
        ("quizzes/sums.yaml", "title: Sums", "title: Sums\nrenamed_from: [third, other]",
         "quizzes/sums.yaml:2: renamed_from: 'third': quiz 'addition' says that it once had this "
         "name"),
        ("exercises/causal-mask/exercise.yaml", "kind: function", "kind: function\nrenamed_from: [3]",  # noqa: E501
         "renamed_from: 3: must be a slug"),
        ("questions/adds/question.yaml", "kind: single", "kind: single\nrenamed_from: [adds]",
         "renamed_from: 'adds': is still a question"),
    ],
)  # fmt: skip
def test_a_wrong_old_name_is_a_fault(
    course: Path, file: str, old: str, new: str, problem: str
) -> None:
    write_quiz(course, "addition", "adds")
    edit(course / "quizzes/addition.yaml", ("title: Sums", "title: Sums\nrenamed_from: [third]"))
    edit(course / file, (old, new))
    code, said = run("check_content", course, "--without-proofs")
    assert code == 1
    assert problem in said
    assert "1 error in" in said


def test_renaming_moves_drafts_and_plans(course: Path) -> None:
    for row in (Question.objects.get(), Quiz.objects.get()):
        create_draft(row, dict(current_text(editable(row)).content), publish_when_closed=True)
    rename_all(course)
    drafts = ContentDraft.objects.order_by("kind").values_list("slug", "publish_when_closed")
    assert list(drafts) == [("adding", True), ("addition", True)]
    assert all(
        current_text(editable(row)).draft for row in (Question.objects.get(), Quiz.objects.get())
    )
