"""A course of the browser gets its small pictures from a worker, once for each change."""

import pytest

from quizzes.authoring import small_pictures
from quizzes.authoring.begun_courses import begin_course, files_of_new_course
from quizzes.authoring.small_pictures import draw_next
from quizzes.courses.models import Course
from quizzes.learners.models import User
from quizzes.lessons.models import Thumbnail

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]

FIGURE = "```figure\nid: table\nencoding: sinusoidal\nview: heatmap\n```\n"


@pytest.fixture(autouse=True)
def _nothing_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(small_pictures, "_drawn", {})


def test_a_begun_course_gets_its_small_pictures() -> None:
    files = files_of_new_course("algebra", title="Algebra", summary="Sums.", example=True)
    course = begin_course(files, owner=User.objects.create_user("eve"), act="began the course")
    course.lessons.get().steps.filter(number=1).update(text=FIGURE)
    assert draw_next() is False
    assert {row.scheme for row in Thumbnail.objects.all()} == {"light", "dark"}
    draw_next()  # the pictures changed the token
    settled = Course.objects.get().content_token
    drawn = set(Thumbnail.objects.values_list("pk", flat=True))
    assert draw_next() is False
    assert Course.objects.get().content_token == settled
    course.lessons.get().steps.filter(number=1).update(text=FIGURE.replace("heatmap", "curves"))
    draw_next()
    assert drawn.isdisjoint(Thumbnail.objects.values_list("pk", flat=True))


def test_course_that_fails_holds_up_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    eve, seen = User.objects.create_user("eve"), []
    for slug in ("algebra", "beta"):
        files = files_of_new_course(slug, title=slug, summary="Sums.", example=False)
        begin_course(files, owner=eve, act="began the course")

    def fail(course: Course) -> None:
        seen.append(course.slug)
        raise OSError("no room")

    monkeypatch.setattr(small_pictures, "fill_pictures", fail)
    for _ in range(2):
        with pytest.raises(OSError, match="no room"):
            draw_next()
    assert seen == ["algebra", "beta"]
    assert draw_next() is False
