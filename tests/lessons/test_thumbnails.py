"""Small pictures of lessons: made at load, of the lesson's own figure, light enough for lists."""

import io
import re

import pytest
from PIL import Image

from quizzes.lessons import thumbnails
from quizzes.lessons.models import Lesson, StepThumbnail, Thumbnail
from quizzes.lessons.thumbnails import (
    MOST_BYTES,
    fill_step_thumbnails,
    fill_thumbnails,
    first_figure,
)
from tests.courses import at, some_course
from tests.shipped_course import load_shipped_course


@pytest.fixture
def course(db):
    load_shipped_course()
    return some_course()


def test_every_lesson_with_a_figure_has_two_small_pictures(course):
    lessons = Lesson.objects.filter(course=course).prefetch_related("steps")
    drawn = [lesson for lesson in lessons if first_figure(lesson) is not None]
    assert len(drawn) >= 10
    for lesson in drawn:
        pictures = {one.scheme: bytes(one.png) for one in lesson.thumbnail_set.all()}
        assert set(pictures) == {"light", "dark"}
        for png in pictures.values():
            assert len(png) <= MOST_BYTES
            picture = Image.open(io.BytesIO(png)).convert("RGB")
            assert len(picture.getcolors(100_000)) > 1
            assert picture.size in {(144, 96), (48, 32)}


def test_a_picture_is_made_anew_only_for_another_lesson(course):
    assert fill_thumbnails(course) == 0
    Lesson.objects.filter(course=course, slug="rope").update(summary="Another.")
    assert fill_thumbnails(course) == 2
    assert fill_thumbnails(course) == 0


def test_lessons_of_equal_files_share_pictures(course, monkeypatch):
    lesson = Lesson.objects.get(course=course, slug="rope")
    copy = Lesson.objects.create(
        course=some_course("copy"),
        slug="rope",
        number=1,
        title=lesson.title,
        summary=lesson.summary,
        prerequisites=lesson.prerequisites,
    )
    for step in lesson.steps.all():
        step.pk, step.lesson = None, copy
        step.save(force_insert=True)
    monkeypatch.setattr(thumbnails, "draw_small", None)
    assert fill_thumbnails(copy.course) == 2
    assert pictures_of(lesson) == pictures_of(copy) != {}


def test_the_first_step_with_a_figure_gives_a_concept_its_picture(course, monkeypatch):
    steps = ["rope/two-pairings", "rope/score-and-distance", "rope/where-it-enters"]
    StepThumbnail.objects.all().delete()
    assert fill_step_thumbnails(course, [steps, ["nowhere/nothing"]]) == 4
    rows = StepThumbnail.objects.values_list("step__slug", "scheme", "png")
    drawn = {(step, scheme): bool(png) for step, scheme, png in rows}
    assert drawn == {
        ("two-pairings", "light"): False,
        ("two-pairings", "dark"): False,
        ("score-and-distance", "light"): True,
        ("score-and-distance", "dark"): True,
    }
    monkeypatch.setattr(thumbnails, "first_figure_of", None)  # nothing is looked at again
    assert fill_step_thumbnails(course, [steps]) == 0


def test_another_text_draws_a_step_again(course):
    path = "rope/score-and-distance"
    (before,) = StepThumbnail.objects.filter(step__slug="score-and-distance", scheme="light")
    step = before.step
    step.text = "No figure here."
    step.save()
    fill_step_thumbnails(course, [[path]])
    assert [bool(row.png) for row in step.thumbnails.all()] == [False, False]


def pictures_of(lesson):
    return {row.scheme: bytes(row.png) for row in lesson.thumbnail_set.all()}


@pytest.mark.parametrize("path", ["/learn/", "/quiz/", "/exercises/"])
def test_lists_show_the_pictures_and_the_families(client, course, path):
    html = client.get(at(path)).content.decode()
    address = re.search(r'<img src="([^"]+)" alt=""', html)[1]
    answer = client.get(address.replace("&amp;", "&"))
    assert answer.headers["Content-Type"] == "image/png"
    assert "immutable" in answer.headers["Cache-Control"]
    assert re.search(r'class="(family|part) family--3.*?>Rotate<', html, re.DOTALL)


def test_an_unknown_scheme_is_not_found(client, course):
    assert client.get(at("/learn/rope/thumbnail/blue.png")).status_code == 404
    assert client.get(at("/learn/rope/thumbnail/light.png")).headers["Cache-Control"] == "no-store"
    assert Thumbnail.objects.exists()
