"""The concept map drawn small: what is filled, new and next, in the picture and in words."""

import re
from dataclasses import replace

import pytest
from django.template import Context, Template
from django.test import RequestFactory

from quizzes.concepts.files import Concept
from quizzes.courses.models import Course
from quizzes.study.concept_map.small_map import sides_of, small_map
from quizzes.study.concept_states import (
    MASTERED,
    PRACTISED,
    SEEN,
    ConceptPart,
    ConceptState,
    concept_states,
    frontier_of,
)
from tests.courses import at, some_course
from tests.shipped_course import load_shipped_course

pytestmark = pytest.mark.both_databases(postgresql="soak")
MOST_BYTES = 6 * 1024


@pytest.fixture
def course(db) -> Course:
    load_shipped_course()
    return some_course()


def states(course: Course, known: dict[str, str]) -> tuple[ConceptState, ...]:
    """Return the states of a newcomer, except these."""
    standing = concept_states(course, None)[1]
    return tuple(replace(item, state=known.get(item.concept.slug, "")) for item in standing)


def words(html: str) -> str:
    caption = re.search(r"<figcaption>(.*)</figcaption>", html, re.S)
    assert caption is not None
    text = " ".join(re.sub(r"<[^>]+>", "", caption[1]).split())
    return re.sub(r" ([.,:])", r"\1", text)


def test_caption_names_what_is_new_and_next(course):
    known = {"self-attention": MASTERED, "order-blindness": MASTERED, "four-places": PRACTISED}
    html = small_map(course, states(course, known), new=["four-places"], here="addition")
    assert words(html) == (
        "Concept map: 2 of 26 mastered. New: Four places to put it. Next: Adding a vector."
    )
    assert html.count(f'href="{at("/map/")}?focus=four-places#details"') == 2  # dot and name
    assert html.count("dot--mastered") == 2
    assert html.count("dot--practised") == html.count("dot--new") == html.count("dot__half") == 1


def test_every_concept_is_a_dot_where_the_map_has_it(course):
    html = small_map(course, states(course, {}))
    assert html.count('<svg class="dot') == 26
    assert len(set(re.findall(r'x="([\d.]+%)" y="([\d.]+%)"', html))) == 26
    assert len(html.encode()) <= MOST_BYTES
    assert words(html) == "Concept map: 0 of 26 mastered."


def test_unknown_concepts_are_left_out(course):
    assert "nothing" not in small_map(course, states(course, {}), new=["nothing"], here="nothing")


def test_a_course_without_map_has_no_picture(db):
    assert small_map(some_course(), ()) == ""


@pytest.mark.both_databases
def test_the_tag_draws_a_newcomers_map(course):
    request = RequestFactory().get("/")
    page = Template("{% load study_tags %}{% small_map new=slugs %}")
    html = page.render(Context({"request": request, "course": course, "slugs": ["rope"]}))
    assert "New: RoPE. Next: Blind to order." in words(html)


def concept(slug: str, needs: tuple[str, ...], state: str, *, is_deeper: bool = False):
    row = Concept(slug, slug, "", needs, (), ())
    part = ConceptPart(f"lesson/{slug}", slug, "", "", "", is_deeper)
    before = tuple(Concept(name, name, "", (), (), ()) for name in needs)
    return ConceptState(row, state, (part,), (), before, ())


def test_frontier_is_what_practised_concepts_open():
    chain = [
        concept("a", (), MASTERED),
        concept("b", ("a",), PRACTISED),
        concept("c", ("b",), SEEN),
        concept("d", ("a", "c"), ""),
        concept("aside", ("b",), "", is_deeper=True),
        concept("e", ("aside",), ""),
    ]
    assert frontier_of(chain) == {"c", "e"}


def test_a_concept_that_nothing_asks_for_opens_when_seen():
    first = replace(concept("a", (), SEEN), can_be_mastered=False)
    assert frontier_of([first, concept("b", ("a",), "")]) == {"b"}


def test_names_of_one_row_do_not_meet():
    places = {"left": (30.0, 50.0), "right": (48.0, 50.0), "plain": (80.0, 10.0)}
    assert sides_of(places, {"left": 12, "right": 12}) == {"left": "left", "right": "right"}
    assert sides_of(places, {"plain": 20}) == {"plain": "left"}
    assert sides_of({"far": (50.0, 50.0)}, {"far": 40}) == {}


def test_name_stands_where_fewer_lines_pass():
    places, line = {"middle": (50.0, 50.0)}, [(60.0, 40.0), (60.0, 60.0)]
    assert sides_of(places, {"middle": 12}) == {"middle": "right"}
    assert sides_of(places, {"middle": 12}, [line]) == {"middle": "left"}
