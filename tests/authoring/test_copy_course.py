"""`copy_course`: the same course under another name, and nothing of anybody's work."""

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from quizzes.assessment.models import Instance, Option, Question, Quiz
from quizzes.assessment.services import start_attempt
from quizzes.authoring.copies import CopyError, copy_course
from quizzes.courses.models import Course, CourseStaff, OldName
from quizzes.exercises import publishing
from quizzes.exercises.models import CasePack, Exercise, ExerciseVersion
from quizzes.grader.definitions import read_definition
from quizzes.learners.models import Learner, Progress, User
from quizzes.lessons.models import Lesson, Step
from quizzes.worker.question_pool import store_instance
from tests.assessment.drawn import made
from tests.authoring.whole_course import write_whole_course
from tests.courses import at
from tests.drafts import create_draft, question_drafts

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]


@pytest.fixture
def course(tmp_path: Path) -> Course:
    """A loaded course whose exercise is verified and whose numbers are drawn."""
    call_command("load_content", write_whole_course(tmp_path), stdout=StringIO())
    version = publishing.lease_unverified()
    assert version is not None
    publishing.accept(version=version, seed=5, data=b"pack", outline={"shown": [], "hidden": 2})
    drawn = Question.objects.select_related("current").get(slug="drawn").current
    for seed in range(6):
        store_instance(drawn, made(seed))
    return Course.objects.get()


def test_a_copy_has_everything_that_learners_meet(course: Course, client: Client) -> None:
    copy = copy_course(course, slug="mine")
    assert (copy.title, copy.is_listed, copy.place) == ("A course (copy)", False, course.place + 1)
    for model in (Question, Quiz, Exercise):
        assert names(model, copy) == names(model, course) != set()
    steps = Step.objects.values_list("lesson__slug", "slug", "text", "sources")
    in_order = steps.order_by("lesson__number", "number")
    of_both = [list(in_order.filter(lesson__course=one)) for one in (copy, course)]
    assert of_both[0] == of_both[1]
    lessons = Lesson.objects.values_list("slug", "loaded_hash")  # their pictures go by it
    assert set(lessons.filter(course=copy)) == set(lessons.filter(course=course))
    assert copy.concept_map.concepts == course.concept_map.concepts
    hashes = "slug", "current__content_hash", "loaded_hash"
    for model in (Question, Exercise):
        found = [
            set(model.objects.filter(course=one).values_list(*hashes)) for one in (copy, course)
        ]
        assert found[0] == found[1]
    page = client.get(at("/learn/first/one/", "mine"))
    assert 'href="/c/mine/quiz/sums/"' in page.content.decode()
    assert "/c/course/" not in page.content.decode()


def names(model: Any, course: Course) -> set[str]:
    return set(model.objects.filter(course=course).values_list("slug", flat=True))


def test_drafts_work_and_withdrawn_things_do_not_come_along(course: Course, client: Client) -> None:
    client.post(at("/learn/first/one/", "course"))
    client.post(at("/quiz/sums/", "course"))
    made_here = Question.objects.create(course=course, slug="draft-only")
    create_draft(made_here, {"prompt": "Half"})
    Quiz.objects.filter(slug="end").update(is_published=False)
    copy = copy_course(course, slug="mine", title="Mine")
    assert copy.title == "Mine"
    assert names(Question, copy) == {"adds", "number", "drawn"}
    assert names(Quiz, copy) == {"sums"}
    assert question_drafts().count() == 1
    assert not Progress.objects.filter(course=copy).exists()
    assert not Quiz.objects.get(course=copy).attempts.exists()


def test_the_source_stays_as_it_was(course: Course) -> None:
    before = course.title, course.loaded_hash, course.is_listed
    copy_course(course, slug="mine")
    assert (course.title, course.loaded_hash, course.is_listed) == before
    course.refresh_from_db()
    assert (course.title, course.loaded_hash, course.is_listed) == before


def test_a_copy_of_a_copy_and_its_owner(course: Course) -> None:
    ada = User.objects.create_user("ada")
    copy = copy_course(course, slug="mine", owner=ada)
    copy_course(copy, slug="again")
    assert CourseStaff.objects.get().course == copy
    assert CourseStaff.objects.get().role == "owner"
    assert list(Course.objects.values_list("slug", flat=True)) == ["course", "mine", "again"]


@pytest.mark.parametrize(
    ("source", "slug", "problem"),
    [
        ("course", "course", "There is already a course 'course'."),
        ("course", "My Course", "'My Course' cannot be the name of a course"),
        ("course", "../up", "cannot be the name of a course"),
        ("course", "x" * 81, "cannot be the name of a course"),
        ("none", "mine", "There is no course 'none' (existing courses: course)."),
    ],
)
def test_a_wrong_name_is_refused_in_one_sentence(
    course: Course, source: str, slug: str, problem: str
) -> None:
    with pytest.raises(CommandError) as refused:
        call_command("copy_course", source, slug, stdout=StringIO())
    assert problem in str(refused.value)
    assert "\n" not in str(refused.value)
    assert Course.objects.count() == 1


def test_a_title_that_is_too_long_is_refused(course: Course) -> None:
    with pytest.raises(CopyError, match="the limit is 200"):
        copy_course(course, slug="mine", title="x" * 201)
    Course.objects.update(title="x" * 200)
    course.refresh_from_db()
    assert copy_course(course, slug="mine").title == "x" * 193 + " (copy)"


def test_the_command_says_where_the_copy_is(course: Course) -> None:
    said = StringIO()
    call_command("copy_course", "course", "mine", "--title", "Mine", stdout=said)
    assert said.getvalue() == "mine: “Mine”, at /c/mine/\n"


# ---- equal files are verified once


def test_equal_files_are_verified_once(course: Course) -> None:
    first = ExerciseVersion.objects.get()
    copy = copy_course(course, slug="mine")
    version = Exercise.objects.get(course=copy).current
    assert version is not None
    for name in ("verification", "verified_at", "outline", "proof", "content_hash"):
        assert getattr(version, name) == getattr(first, name)
    assert bytes(CasePack.objects.get(version=version).data) == b"pack"
    assert publishing.lease_unverified() is None


@pytest.mark.covering(most=1)
@pytest.mark.parametrize("lost", ["no pack", "retired", "refused"])
def test_without_a_pack_it_is_verified_as_any(course: Course, lost: str) -> None:
    first = ExerciseVersion.objects.get()
    if lost == "no pack":
        CasePack.objects.all().delete()
    elif lost == "retired":
        CasePack.objects.update(retired_at=first.verified_at)
    else:
        ExerciseVersion.objects.update(verification="refused")
    copy = copy_course(course, slug="mine")
    version = publishing.lease_unverified()
    assert version is not None
    assert version.exercise.course == copy
    assert Exercise.objects.get(course=copy).current == version


def test_a_version_of_old_that_comes_back_is_met_at_once(course: Course) -> None:
    exercise = Exercise.objects.get()
    first = exercise.versions.get()
    other = {**first.files, "starter.py": first.files["starter.py"] + "\n# more\n"}
    for files in (other, first.files):
        changed = read_definition(exercise.slug, files)
        publishing.add_version(exercise=exercise, definition=changed, files=files)
    exercise.refresh_from_db()
    assert exercise.current is not None
    assert (exercise.current.number, exercise.current.verification) == (3, "ok")


def test_drawn_numbers_come_along(course: Course) -> None:
    copy = copy_course(course, slug="mine")
    drawn = Question.objects.get(course=copy, slug="drawn")
    made_there = Instance.objects.filter(version=drawn.current)
    assert made_there.count() == 4
    assert Option.objects.filter(instance__in=made_there).count() == 12
    assert Instance.objects.exclude(version=drawn.current).count() == 6
    quiz = Quiz.objects.get(course=copy, slug="end")
    attempt = start_attempt(learner=Learner.objects.create(), quiz=quiz)
    assert [one.version.question.slug for one in attempt.responses.all()] == ["drawn", "adds"]


def test_an_old_name_that_a_new_question_has_does_not_come_along(course: Course) -> None:
    for old in ("before", "long-before"):
        OldName.objects.create(course=course, kind="question", old=old, new="adds")
    adds = Question.objects.get(slug="adds")
    Question.objects.create(course=course, slug="before", current=adds.current)
    copy = copy_course(course, slug="mine")
    assert names(Question, copy) == names(Question, course)
    assert list(copy.old_names.values_list("old", "new")) == [("long-before", "adds")]
