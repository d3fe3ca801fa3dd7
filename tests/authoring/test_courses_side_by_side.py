"""Courses of one site, with names in common: what is done to one never writes a row of another."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import models

from quizzes.assessment.models import Question, Quiz
from quizzes.assessment.services import start_attempt, submit_attempt
from quizzes.authoring.course_files import KINDS
from quizzes.classes.models import Cohort
from quizzes.courses.models import Course, PendingZip
from quizzes.exercises import publishing
from quizzes.exercises.models import Exercise, ExerciseVersion
from quizzes.learners.models import Learner, Progress, ReviewCard
from quizzes.lessons.models import Lesson, PlotDrawing
from quizzes.operations.management.commands import prepare_site
from tests.authoring.test_check_and_load import run
from tests.authoring.whole_course import write_whole_course
from tests.factories import create_class, create_member

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]

OWNED = (  # every model of things of a course, and the way to its course
    ("courses.Course", "pk"),
    ("courses.OldName", "course"),
    ("courses.AuditEntry", "course"),
    ("lessons.Lesson", "course"),
    ("lessons.Step", "lesson__course"),
    ("assessment.Question", "course"),
    ("courses.ContentDraft", "course"),
    ("courses.Edition", "course"),
    ("lessons.ListingRun", "course"),
    ("lessons.Picture", "course"),
    ("lessons.Plot", "course"),
    ("lessons.PlotDrawing", "course"),
    ("lessons.PlotFrame", "drawing__course"),
    ("assessment.QuestionDraw", "question__course"),
    ("exercises.ExerciseProof", "exercise__course"),
    ("assessment.QuestionVersion", "question__course"),
    ("assessment.Option", "version__question__course"),
    ("assessment.Instance", "version__question__course"),
    ("assessment.Quiz", "course"),
    ("assessment.QuizQuestion", "quiz__course"),
    ("assessment.Attempt", "quiz__course"),
    ("assessment.Response", "version__question__course"),
    ("exercises.Exercise", "course"),
    ("exercises.ExerciseVersion", "exercise__course"),
    ("exercises.CasePack", "version__exercise__course"),
    ("exercises.Submission", "exercise_version__exercise__course"),
    ("concepts.ConceptMap", "course"),
    ("lessons.ReleasedModels", "course"),
    ("learners.Progress", "course"),
    ("learners.ReviewCard", "course"),
    ("classes.Cohort", "course"),
    ("classes.Membership", "cohort__course"),
    ("classes.Announcement", "cohort__course"),
    ("classes.Comment", "cohort__course"),
    ("classes.Assignment", "cohort__course"),
    ("classes.AssignmentException", "assignment__cohort__course"),
    ("classes.LinkRun", "cohort__course"),
    ("classes.LinkMail", "run__cohort__course"),
    ("classes.MarkOverride", "assignment__cohort__course"),
    ("classes.FrozenMarks", "assignment__cohort__course"),
    ("classes.Deed", "cohort__course"),
)
Rows = dict[str, list[dict[str, Any]]]


def rows_of(course: str) -> Rows:
    """Return every row of a course with all of its columns, by model."""
    key = Course.objects.get(slug=course).pk
    found = {}
    for name, way in OWNED:
        model = apps.get_model(name)
        found[name] = list(model._default_manager.filter(**{way: key}).order_by("pk").values())
    return found


@pytest.fixture
def untouched() -> Callable[[str], Any]:
    """Return a block in which no row of these courses may change."""

    @contextmanager
    def check(*courses: str) -> Iterator[None]:
        before = {course: rows_of(course) for course in courses}
        assert all(before[course]["lessons.Step"] for course in courses)
        yield
        for course in courses:
            now = rows_of(course)
            for name, rows in before[course].items():
                assert now[name] == rows, f"{course}: {name}"

    return check


def work_in(course: str) -> None:
    """Have a learner do something with everything of a course."""
    where, learner = Course.objects.get(slug=course), Learner.objects.create()
    attempt = start_attempt(learner=learner, quiz=Quiz.objects.get(course=where, slug="sums"))
    submit_attempt(attempt=attempt)
    name = {"learner": learner, "course": where}
    Progress.objects.create(**name, kind="step", slug="first/one", state="done")
    ReviewCard.objects.create(**name, kind="mistake", slug="causal-mask/future")
    version = ExerciseVersion.objects.get(exercise__course=where)
    version.submissions.create(learner=learner, kind="submit", code="x = 1")
    create_member(create_class(f"of-{course}", course=where), f"ada-{course}")


def load(folder: Path) -> str:
    code, said = run("load_content", folder)
    assert code == 0, said
    return said


def edit(file: Path, old: str, new: str) -> None:
    assert old in file.read_text()
    file.write_text(file.read_text().replace(old, new))


def test_three_courses_whose_names_are_the_same(tmp_path: Path, untouched: Any) -> None:
    first = write_whole_course(tmp_path, "first")
    load(first)
    version = publishing.lease_unverified()
    assert version is not None
    publishing.accept(version=version, seed=5, data=b"pack", outline={})
    work_in("first")
    with untouched("first"):
        call_command("copy_course", "first", "copy", stdout=StringIO())
    work_in("copy")
    second = write_whole_course(tmp_path, "second")  # every name is one of the others'
    edit(second / "questions/adds/question.yaml", "What is $1 + 1$?", "How many are two?")
    edit(second / "exercises/causal-mask/exercise.yaml", "title: ", "title: Another ")
    edit(second / "lessons/first/steps/02-two.md", "Words.", "Other words.")
    with untouched("first", "copy"):
        said = load(second)
    assert (
        "created: course 1, question 3, quiz 2, exercise 1, lesson 2, concept map 1,"
        " list of models 1"
    ) in said
    work_in("second")

    copy = tmp_path / "out" / "copy"
    with untouched("first", "second"):  # the folder is the home of the copy from now on
        call_command("export_content", copy, stdout=StringIO())
    three_changes(copy)
    with untouched("first", "second"):
        said = load(copy)
    assert "updated: course 1, question 2, lesson 2, concept map 1" in said
    assert "withdrawn: quiz 1" in said
    assert "renamed: lesson 1" in said

    with untouched("first", "copy", "second"):
        for folder in (first, copy, second):  # as every start of the site does
            assert load(folder).endswith("nothing changed\n")
            out = StringIO()
            call_command("export_content", folder, stdout=out)
            assert "no files written" in out.getvalue()


def three_changes(copy: Path) -> None:
    """Change a question, take a quiz away and rename a lesson."""
    edit(copy / "questions/adds/question.yaml", "What is $1 + 1$?", "And now?")
    (copy / "quizzes/end.yaml").unlink()
    (copy / "lessons/second").rename(copy / "lessons/last")
    edit(copy / "lessons/last/lesson.yaml", "title: Second", "title: Last\nrenamed_from: [second]")
    edit(copy / "course.yaml", "- second", "- last")
    for name in ("map.yaml", "questions/drawn/question.yaml", "lessons/first/steps/01-one.md"):
        edit(copy / name, "second/end", "last/end")


def test_each_course_asks_and_shows_its_own(tmp_path: Path, client: Any) -> None:
    for slug, word in (("first", "Alpha"), ("second", "Beta")):
        folder = write_whole_course(tmp_path, slug)
        edit(folder / "questions/adds/question.yaml", "What is", word)
        edit(folder / "lessons/first/steps/02-two.md", "Words.", word)
        edit(folder / "quizzes/sums.yaml", "title: Sums", f"title: {word}")
        load(folder)
    for slug, word, other in (("first", "Alpha", "Beta"), ("second", "Beta", "Alpha")):
        for page in ("learn/first/one/", "learn/first/two/", "quiz/sums/", "practice/adds/"):
            shown = client.get(f"/c/{slug}/{page}")
            assert shown.status_code == 200
            text = shown.content.decode()
            assert word in text, page
            assert other not in text.partition("<main")[2], page


# ---- every start of the site loads all shipped courses


@pytest.fixture
def content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Any) -> Path:
    """A folder of shipped courses: `home`, and `another` beside it, before it in the alphabet."""
    settings.COURSE = write_whole_course(tmp_path, "home")
    write_whole_course(tmp_path, "another")
    (tmp_path / "no-course").mkdir()
    monkeypatch.setattr(prepare_site, "fill_pools", lambda **_: [])
    return tmp_path


def prepare() -> str:
    said = StringIO()
    call_command("prepare_site", stdout=said, stderr=said)
    return said.getvalue()


def test_all_shipped_courses_are_loaded_and_a_restart_changes_none(
    content: Path, untouched: Any, client: Any
) -> None:
    said = prepare()
    assert said.index("home: created") < said.index("another: created")
    assert list(Course.objects.values_list("slug", "is_listed")) == [
        ("home", True),
        ("another", True),
    ]
    with untouched("home", "another"):
        assert prepare().count("nothing changed") == 2
    assert client.get("/learn/first/two/").url == "/c/home/learn/first/two/"
    assert "another" in client.get("/courses/").content.decode().lower()


def test_a_faulty_course_beside_the_home_course_keeps_nobody_out(content: Path) -> None:
    (content / "another/course.yaml").write_text("title: 3\n")
    said = prepare()
    assert "[ordinal] the course another is not loaded: " in said
    assert "another/course.yaml" in said or "course.yaml:1: title: 3" in said
    assert list(Course.objects.values_list("slug", flat=True)) == ["home"]


def test_a_conflict_in_one_course_does_not_hold_up_the_next(content: Path) -> None:
    prepare()
    Quiz.objects.filter(course__slug="home", slug="sums").update(title="Mine")
    for course in ("home", "another"):
        edit(content / course / "quizzes/sums.yaml", "title: Sums", "title: Adding")
    said = prepare()
    assert "the course home is loaded except for these: 1 conflict" in said
    titles = Quiz.objects.filter(slug="sums").order_by("course__place")
    assert list(titles.values_list("title", flat=True)) == ["Mine", "Adding"]


# ---- the models themselves


def test_every_name_is_a_name_within_a_course() -> None:
    """A model with a slug that no course owns would be shared by all courses, unseen."""
    named = [
        model
        for model in apps.get_models()
        if model.__module__.startswith("quizzes.")
        and any(field.name == "slug" for field in model._meta.fields)
        # Names of the site: /teach/classes/<name>/, and the name that a zip would give a course.
        # A drawing is named by its program; its slug says for which plot it was begun.
        and model not in {Course, Cohort, PendingZip, PlotDrawing}
    ]
    assert {Lesson, Question, Quiz, Exercise, Progress, ReviewCard} <= set(named)
    for model in named:
        owner = "lesson" if model.__name__ == "Step" else "course"
        unique = [
            set(constraint.fields)
            for constraint in model._meta.constraints
            if isinstance(constraint, models.UniqueConstraint)
        ]
        assert any({owner, "slug"} <= fields for fields in unique), model
        field = model._meta.get_field("slug")
        assert not field.unique, f"{model}: unique on the whole site"
        assert not model._meta.get_field(owner).null, model
        if model.__name__ not in {"Progress", "ReviewCard", "ContentDraft", "Edition"}:
            assert {owner, "slug"} in unique, model


def test_the_snapshot_knows_every_model_of_a_course() -> None:
    """A new model that leads to a course belongs into the list above, all of classes do."""
    known = {name for name, _ in OWNED} | {"courses.CourseStaff"}
    for model in apps.get_models():
        leads = [field for field in model._meta.fields if field.related_model is Course]
        owned = leads or model._meta.app_label == "classes"
        assert not owned or model._meta.label in known, model._meta.label
    assert {kind.model._meta.label for kind in KINDS} <= known
