"""map.yaml: every fault with its line; loaded whole; drawn again when it changes."""

from pathlib import Path

import pytest
from django.core.management import call_command

from quizzes.authoring.course_files import read_course_files
from quizzes.concepts.files import read_maps
from quizzes.concepts.layout import title_lines
from quizzes.concepts.models import ConceptMap
from quizzes.content_files.files import DiskFiles
from quizzes.lessons.models import Lesson
from tests.course_folders import COURSES, name_of
from tests.lessons.course import write_course

GOOD = """\
concepts:
  - slug: order
    title: Order
    summary: Words have one.
    steps: [first/one]
  - slug: codes
    title: Codes for positions
    summary: They say where.
    requires: [order]
    steps: [first/two, first/one]
"""


@pytest.fixture
def course(tmp_path: Path) -> Path:
    folder = write_course(tmp_path, {"one": "Words.", "two": "More words."})
    (folder / "map.yaml").write_text(GOOD)
    return folder


def problems(folder: Path) -> list[str]:
    return [str(problem) for problem in read_course_files(DiskFiles(folder)).problems]


def test_a_good_map_has_no_fault(course):
    assert problems(course) == []
    (found,), _ = read_maps(DiskFiles(course))
    assert [concept.slug for concept in found.concepts] == ["order", "codes"]


def test_a_course_needs_no_map(course):
    (course / "map.yaml").unlink()
    assert problems(course) == []


@pytest.mark.parametrize(
    ("was", "now", "problem"),
    [
        (
            "requires: [order]",
            "requires: [ordr]",
            "map.yaml:9: requires: 'ordr': there is no such concept",
        ),
        ("slug: codes", "slug: order", "map.yaml:6: slug: 'order' is listed twice"),
        (
            "    steps: [first/one]\n",
            "    steps: [first/one]\n    requires: [codes]\n",
            "requires: in a circle: ",
        ),
        ("first/two", "first/three", "steps: 'first/three': there is no such step"),
        (
            "    steps: [first/one]\n",
            "    steps: [first/one]\n    exercises: [none]\n",
            "exercises: 'none': there is no such exercise",
        ),
        (
            "title: Order",
            "title: Incomprehensibilities of orders",
            "map.yaml:3: title: 'Incomprehensibilities of orders': must fit in 2 lines",
        ),
        ("    summary: They say where.\n", "", "summary: missing"),
        ("summary: They", "sumary: They", "sumary: unknown field"),
        ("    steps: [first/one]\n", "    steps: []\n", "steps: must not be empty"),
        (GOOD, "concepts: 3\n", "concepts: must be a list"),
        (GOOD, "[1\n", "map.yaml:"),
    ],
)
def test_a_fault_is_named_with_its_line(course, was, now, problem):
    (course / "map.yaml").write_text(GOOD.replace(was, now, 1))
    assert any(problem in found for found in problems(course)), problems(course)


@pytest.mark.slow
@pytest.mark.django_db
def test_loading_stores_the_map_and_draws_it_again_when_it_changes(course):
    call_command("load_content", str(course), verbosity=0)
    before = ConceptMap.objects.get(course__slug="course")
    assert set(before.drawing["nodes"]) == {"order", "codes"}
    (course / "map.yaml").write_text(GOOD.replace("slug: codes", "slug: marks"))
    call_command("load_content", str(course), verbosity=0)
    assert set(ConceptMap.objects.get(course__slug="course").drawing["nodes"]) == {"order", "marks"}


@pytest.mark.django_db
def test_loading_twice_writes_nothing(course, django_assert_max_num_queries):
    call_command("load_content", str(course), verbosity=0)
    stored = ConceptMap.objects.values().get()
    call_command("load_content", str(course), verbosity=0)
    assert ConceptMap.objects.values().get() == stored


@pytest.mark.slow
@pytest.mark.parametrize("course", COURSES, ids=name_of)
def test_a_shipped_map_covers_every_lesson_and_every_exercise(course):
    files = read_course_files(DiskFiles(course))
    (found,) = files.sources["concept map"]
    lessons = {step.split("/")[0] for concept in found.concepts for step in concept.steps}
    exercises = {slug for concept in found.concepts for slug in concept.exercises}
    about_all = {"myths", "deep-dive"}  # they are about the whole subject
    to_read = [lesson for lesson in files.sources["lesson"] if lesson.form != Lesson.Form.REFERENCE]
    assert lessons | about_all >= {lesson.slug for lesson in to_read}
    assert exercises == {exercise.slug for exercise in files.sources["exercise"]}


@pytest.mark.parametrize(
    ("title", "lines"),
    [
        ("RoPE", ["RoPE"]),
        ("Sinusoidal encoding", ["Sinusoidal", "encoding"]),
        ("Adjacent or half-split", ["Adjacent or", "half-split"]),
        ("Uncharacteristically", None),
    ],
)
def test_titles_break_into_lines_of_similar_length(title, lines):
    assert title_lines(title) == lines
