"""What a zip would do to a course, and how long a look at it may take."""

import io
import time
import zipfile
from typing import Any

import pytest

from quizzes.authoring import uploads
from quizzes.authoring.begun_courses import begin_course, files_of_new_course
from quizzes.authoring.changed_content import Change, OutdatedPlanError
from quizzes.authoring.course_zip import ZipError, write_zip
from quizzes.authoring.loading import Choice, FolderError, load
from quizzes.authoring.uploads import apply_upload, plan_upload
from quizzes.courses.models import Course
from quizzes.learners.models import User
from tests.factories import assign, create_class

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]


@pytest.fixture
def algebra() -> Course:
    files = files_of_new_course("algebra", title="Algebra", summary="Sums.", example=True)
    owner = User.objects.create_user("eve")
    return begin_course(files, owner=owner, act="began the course")


def changed(data: bytes, name: str, text: bytes) -> bytes:
    """Return a zip with another text for one file; without it for no text."""
    held = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(held, "w") as new:
        for path in old.namelist():
            if not path.endswith(name):
                new.writestr(path, old.read(path))
            elif text:
                new.writestr(path, text)
    return held.getvalue()


def apply(data: bytes, digest: str, choice: Choice = Choice.NOBODY) -> Course:
    eve = User.objects.get()
    return apply_upload("algebra", data, digest=digest, choice=choice, by=eve)[0]


def test_own_zip_changes_nothing(algebra: Course) -> None:
    plan = plan_upload("algebra", write_zip(algebra))
    assert (plan.faults, plan.changes) == ((), [])


def test_a_plan_is_what_an_upload_does(algebra: Course) -> None:
    data = changed(write_zip(algebra), "01-the-mean.md", b"Another text.\n")
    plan = plan_upload("algebra", data)
    assert [(change.kind, change.slug, change.change) for change in plan.changes] == [
        ("lesson", "basics", Change.CHANGED)
    ]
    apply(data, plan.digest)
    assert plan_upload("algebra", data).changes == []
    assert algebra.lessons.get().steps.get(number=1).text == "Another text.\n"


def test_a_plan_of_another_moment_is_not_applied(algebra: Course) -> None:
    data = changed(write_zip(algebra), "01-the-mean.md", b"Another text.\n")
    digest = plan_upload("algebra", data).digest
    algebra.lessons.update(summary="Changed meanwhile.")
    with pytest.raises(OutdatedPlanError):
        apply(data, digest)
    agreed = plan_upload("algebra", data).changes
    algebra.lessons.update(summary="Changed once more.")
    with pytest.raises(OutdatedPlanError):
        load(plan_upload("algebra", data).files, of_folder=False, agreed=agreed)
    assert algebra.lessons.get().steps.get(number=1).text != "Another text.\n"


def test_course_with_folder_refuses_zip(algebra: Course) -> None:
    data = changed(write_zip(algebra), "map.yaml", b"")
    digest = plan_upload("algebra", data).digest
    Course.objects.update(has_folder=True)
    with pytest.raises(FolderError, match="put the files into the folder"):
        apply(data, digest)


def test_a_check_ends_after_its_time(algebra: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "MAX_SECONDS", 0)
    with pytest.raises(ZipError, match="ended after 0 seconds"):
        plan_upload("algebra", write_zip(algebra))


def test_many_links_end_with_the_time(algebra: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "MAX_SECONDS", 1)
    text = b"[a](/x) " * 7_000 + b"\n"
    data = changed(write_zip(algebra), "01-the-mean.md", text)
    more = changed(data, "02-code-it.md", text)
    begun = time.thread_time()
    with pytest.raises(ZipError, match="ended after 1 seconds"):
        plan_upload("algebra", more)
    assert time.thread_time() - begun < 4


def test_more_things_than_a_course_has_are_refused(
    algebra: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "MAX_THINGS", 2)
    with pytest.raises(ZipError, match="4 lessons, questions, quizzes and exercises"):
        plan_upload("algebra", write_zip(algebra))


def assigned(course: Course, thing: Any, **facts: Any) -> None:
    """Give a new class of the course this to do, opened already."""
    assign(create_class(course=course), thing, **facts)


def test_a_plan_says_which_classes_it_touches(algebra: Course) -> None:
    quiz = algebra.quizzes.get()
    with zipfile.ZipFile(io.BytesIO(write_zip(algebra))) as packed:
        text = packed.read("algebra/quizzes/basics-quiz.yaml").replace(b"the quiz", b"this quiz")
    data = changed(write_zip(algebra), "basics-quiz.yaml", text)
    assert plan_upload("algebra", data).in_class == ()
    assigned(algebra, quiz)
    (words,) = plan_upload("algebra", data).in_class
    assert words.startswith("quiz 'basics-quiz': assigned to the class Class autumn (0 open")
    assert algebra.quizzes.get().summary == quiz.summary


def test_a_plan_says_what_a_class_would_lose(algebra: Course) -> None:
    lesson = algebra.lessons.get()
    step = lesson.steps.get(number=1)
    assigned(algebra, lesson, steps=[[step.path, ["mean-of-three"]]])
    assert plan_upload("algebra", write_zip(algebra)).lost == ()
    data = changed(write_zip(algebra), "01-the-mean.md", b"Another text.\n")
    (words,) = plan_upload("algebra", data).lost
    assert words.startswith("question 'mean-of-three' counts in the class Class autumn, and no")
    assert lesson.steps.get(number=1).text == step.text


def test_a_plan_has_the_remarks_of_a_check(algebra: Course) -> None:
    with zipfile.ZipFile(io.BytesIO(write_zip(algebra))) as packed:
        yaml = packed.read("algebra/lessons/basics/lesson.yaml").decode()
    old = yaml.replace("    title: ", "    as_of: 2020-01-01\n    title: ", 1)
    data = changed(write_zip(algebra), "lesson.yaml", old.encode())
    assert any("2020-01-01" in words for words in plan_upload("algebra", data).remarks)
