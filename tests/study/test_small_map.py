"""The concept map drawn small: what is filled, new and next, in the picture and in words."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from django.template import Context, Template
from django.test import RequestFactory

from quizzes.assessment.course_quizzes import questions_of_quizzes
from quizzes.concepts.files import Concept
from quizzes.courses.models import Course
from quizzes.study.concept_map.small_map import Spot, sides_of, small_map
from quizzes.study.concept_states import (
    MASTERED,
    PRACTISED,
    SEEN,
    ConceptPart,
    ConceptState,
    concept_states,
    frontier_of,
    questions_by_step,
)
from quizzes.study.course_outline import outline_of
from tests.courses import at, some_course
from tests.shipped_course import load_shipped_course

pytestmark = pytest.mark.both_databases(postgresql="soak")
MOST_BYTES = 6 * 1024
STYLES = Path(__file__).parents[2] / "static/css"


@pytest.fixture
def course(db) -> Course:
    load_shipped_course()
    return some_course()


def states(course: Course, known: dict[str, str]) -> tuple[ConceptState, ...]:
    """Return the states of a newcomer, except these."""
    standing = concept_states(course, None)[1]
    return tuple(replace(item, state=known.get(item.concept.slug, "")) for item in standing)


def picture(html: str) -> str:
    return html.partition("<figcaption>")[0]


def words(html: str) -> str:
    caption = re.search(r"<figcaption>\s*<p>(.*?)</p>", html, re.S)
    assert caption is not None
    text = " ".join(re.sub(r"<[^>]+>", "", caption[1]).split())
    return re.sub(r" ([.,:])", r"\1", text)


def test_caption_names_what_is_new_and_next(course):
    known = {"self-attention": MASTERED, "order-blindness": MASTERED, "four-places": PRACTISED}
    html = small_map(course, states(course, known), new=["four-places"], here="addition")
    assert words(html) == (
        "Concept map: 2 of 31 mastered. New: Four places to put it. Next: Adding a vector."
    )
    assert html.count(f'href="{at("/map/")}?focus=four-places#details"') == 2  # dot and name
    drawn = picture(html)
    assert drawn.count("dot--mastered") == 2
    assert drawn.count("dot--practised") == drawn.count("dot--new") == drawn.count("dot__half") == 1


def test_legend_counts_the_dots_of_each_kind(course):
    """Each kind of dot is drawn in the legend as in the picture, and each family has its colour."""
    known = {"self-attention": MASTERED, "order-blindness": MASTERED, "four-places": PRACTISED}
    html = small_map(course, states(course, known))
    drawn, _, caption = html.partition("<figcaption>")
    kinds = re.findall(r"</svg>\s+(\d+) (\w+)\s+</li>", caption)
    assert [kind for _, kind in kinds] == [MASTERED, PRACTISED, SEEN, "ready"]
    for number, kind in kinds[:3]:
        assert drawn.count(f"dot--{kind}") == int(number)
        assert f"dot--{kind}" in caption
    assert drawn.count("dot__ring") == int(kinds[3][0]) > 0
    families = set(re.findall(r'class="(family--\d)"', caption))
    assert families == set(re.findall(r"family--\d", drawn))


def test_every_concept_is_a_dot_where_the_map_has_it(course):
    html = small_map(course, states(course, {}))
    assert picture(html).count('<svg class="dot') == 31
    assert len(set(re.findall(r'x="([\d.]+%)" y="([\d.]+%)"', html))) == 31
    assert len(html.encode()) <= MOST_BYTES
    assert words(html) == "Concept map: 0 of 31 mastered."


def test_all_new_dots_have_names_or_none(course):
    """A name at one of four dots would look like the only one that is meant."""
    standing = states(course, {})
    slugs = [item.concept.slug for item in standing]
    counts = set[int]()
    for end in range(1, len(slugs) + 1):
        new = slugs[max(0, end - 3) : end]
        names = small_map(course, standing, new=new, here="").count("<text")
        counts.add(names)
        assert names in {0, len(new)}
    assert counts >= {0, 3}


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
    spots = {"left": Spot(144, 104, 6), "right": Spot(230, 104, 6), "plain": Spot(400, 20, 6)}
    assert sides_of(spots, {"left": 12, "right": 12}) == {"left": "left", "right": "right"}
    assert sides_of(spots, {"plain": 20}) == {"plain": "left"}
    assert sides_of({"far": Spot(240, 104, 6)}, {"far": 60}) == {}


def test_name_stands_where_fewer_lines_pass():
    spots, line = {"middle": Spot(240, 104, 6)}, [(300.0, 90.0), (300.0, 118.0)]
    assert sides_of(spots, {"middle": 12}) == {"middle": "right"}
    assert sides_of(spots, {"middle": 12}, [line]) == {"middle": "left"}


# Pairs of a name and the dot or name that it covers, in pictures as they are drawn.
COVERED = """pictures => pictures.flatMap(picture => {
  const dots = [...picture.querySelectorAll(".dot")].map(dot => {
    const circle = dot.querySelector(".dot__ring") ?? dot.querySelector("circle:not([class])");
    const {x, y, width} = circle.getBoundingClientRect();
    const r = width / 2;
    return {name: `dot ${dot.textContent.trim()}`, x: x + r, y: y + r, r};
  });
  const names = [...picture.querySelectorAll("text")].map(text => {
    const {left, right, top, bottom} = text.getBoundingClientRect(); // its leading is no letter
    return {name: text.textContent, left, right, top: top + 2, bottom: bottom - 2};
  });
  const from = (low, place, high) => place - Math.min(Math.max(place, low), high);
  const away = (name, dot) =>
    Math.hypot(from(name.left, dot.x, name.right), from(name.top, dot.y, name.bottom));
  const meets = (a, b) =>
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  return names.flatMap((name, place) =>
    [...dots.filter(dot => away(name, dot) < dot.r),
     ...names.slice(0, place).filter(other => meets(name, other)),
    ].map(covered => [name.name, covered.name]));
})"""


@pytest.mark.browser
def test_no_name_covers_a_dot_or_a_name(course, page):
    """On the map of every ending: of each lesson, quiz and exercise, whatever is next.

    The maps are drawn once for all widths.
    """
    things = [concepts for concepts in concepts_of_things(course) if concepts]
    assert len(things) > 20
    maps = [
        small_map(
            course, states(course, dict.fromkeys(new, state)), new=new, here=here, words="About"
        )
        for new in things
        for state in (PRACTISED, MASTERED)
        for here in {min(new), *following(course, new)}
    ]
    styles = "".join((STYLES / name).read_text() for name in ("tokens.css", "small_map.css"))
    page.set_content(f"<style>{styles}</style><main>{''.join(maps)}</main>")
    assert page.locator(".dot text").count() > 20
    for width in (480, 620, 960):
        page.add_style_tag(content=f"figure {{ inline-size: {width}px }}")
        figure = page.locator("figure").first.bounding_box()
        assert figure is not None
        assert figure["width"] == width
        assert page.locator("svg.small-map__picture").evaluate_all(COVERED) == [], width


def concepts_of_things(course: Course) -> list[set[str]]:
    """Return the concepts that the ending of each lesson, quiz and exercise lights."""
    outline, standing = outline_of(course), concept_states(course, None)[1]
    asked = questions_of_quizzes(course.pk)
    steps = {slug: step for step, slugs in questions_by_step(course.pk).items() for slug in slugs}
    paths = [{step.path for step in unit.steps} for unit in outline.units.values()]
    paths += [{steps[slug] for slug in slugs if slug in steps} for slugs in asked.values()]
    taught = [
        {state.concept.slug for state in standing if any(step.slug in path for step in state.steps)}
        for path in paths
    ]
    return taught + [
        {state.concept.slug for state in standing if slug in state.concept.exercises}
        for slug in outline.exercises
    ]


def following(course: Course, new: set[str]) -> set[str]:
    """Return the concepts that these open."""
    return {
        state.concept.slug
        for state in concept_states(course, None)[1]
        if any(before.slug in new for before in state.before)
    }
