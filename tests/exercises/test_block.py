"""The exercise card in a lesson: what it shows, what is wrong with it, how often it asks."""

import re
from datetime import timedelta

import pytest
from django.test import RequestFactory
from django.utils import timezone

from quizzes.exercises.drafts import save_draft
from quizzes.exercises.lesson_block import ExerciseBlock
from quizzes.learners.identity import LEARNER
from quizzes.learners.services import record_progress
from quizzes.page_reads import reading_page
from quizzes.pages.blocks import PageContext, page_problems, parse_page, render_page
from quizzes.study.next_thing import Recommendation
from quizzes.study.templatetags import study_tags
from tests import factories
from tests.courses import at, some_course
from tests.exercises import making

pytestmark = [pytest.mark.both_databases(postgresql="soak"), pytest.mark.django_db]

CARD = "```exercise\nslug: sinusoidal-table\n```\n"


def show(text: str, learner=None, course=None) -> str:
    context = PageContext(
        RequestFactory().get("/"), learner, course or some_course(), "lesson", "step"
    )
    return render_page(parse_page(text, path="step.md"), context)


@pytest.mark.parametrize(
    ("state", "words", "verb"),
    [
        (None, "Not tried yet", "Write the code"),
        ("shaky", "Tried, not solved yet", "Try again"),
        ("done", "Solved", "Open it again"),
    ],
)
def test_the_card_says_how_far_this_learner_is(state, words, verb):
    making.ready_exercise()
    learner = making.new_learner()
    if state:
        record_progress(
            some_course().pk,
            learner=learner,
            kind="exercise",
            slug="sinusoidal-table",
            state=state,
        )
    html = show(CARD, learner)
    address = at("/exercises/sinusoidal-table/")
    link = re.search(
        rf'<a class="button button--quiet"\s+href="{address}"\s+data-closed>(.*)', html
    )
    assert link is not None
    assert link[1].startswith(verb)
    assert words in html
    assert ("data-begun" in html) == (state == "shaky")


@pytest.mark.parametrize("is_next", [True, False])
def test_next_exercise_is_the_filled_button(monkeypatch, *, is_next):
    learner, address = making.new_learner(), at("/exercises/sinusoidal-table/")
    following = Recommendation(
        "exercise", "", "", "", address if is_next else at("/exercises/other/"), 60, ""
    )
    monkeypatch.setattr(study_tags, "recommendation_for", lambda request, course: following)
    request = RequestFactory().get("/")
    LEARNER.set(request, learner)
    context = PageContext(request, learner, some_course(), "lesson", "step")
    making.ready_exercise()
    html = render_page(parse_page(CARD, path="step.md"), context)
    assert (f'class="button"\n       href="{address}"' in html) is is_next


@pytest.mark.parametrize("state", ["", "done"])
def test_draft_opens_until_it_is_solved(state):
    exercise = making.ready_exercise()
    learner = making.new_learner()
    save_draft(exercise=exercise, learner=learner, code="x = 1", based_on=None)
    if state:
        record_progress(
            some_course().pk,
            learner=learner,
            kind="exercise",
            slug="sinusoidal-table",
            state=state,
        )
    html = show(CARD, learner)
    assert ("data-begun" in html) == (not state)
    assert ("Open it again" if state else "Continue") in html


def test_an_exercise_that_is_not_there_is_said_so():
    html = show("```exercise\nslug: no-such-one\n```\n")
    assert "The exercise no-such-one is not available yet." in html


def test_many_cards_take_as_many_queries_as_one(django_assert_num_queries):
    course = making.ready_exercise().course
    learner = making.new_learner()
    show(CARD, learner, course)  # what is cached of the course is read
    for text in (CARD, CARD * 7):
        with reading_page(), django_assert_num_queries(3):
            show(text, learner, course)


def test_workbench_of_a_step_has_its_dates():
    """The part that a step takes from the exercise's page: what classes say is in it."""
    exercise = making.ready_exercise()
    cohort = factories.create_class()
    later = timezone.now() + timedelta(days=1)
    factories.assign(cohort, exercise, due_at=later, closes_at=later, attempts=1)
    browser = factories.browser_of(factories.create_member(cohort, "bea").user)
    page = browser.get(at("/exercises/sinusoidal-table/")).content.decode()
    head, _, workbench = page.partition("data-workbench")
    for part in (cohort.title, 'id="bench"', 'id="code-form"', 'id="history"'):
        assert part in workbench.partition("</main>")[0]
        assert part not in head.partition("<main")[2]


@pytest.mark.parametrize(
    "options",
    ["slug: Not A Slug", "slug:", "title: x", "slug: fine\nmore: 1", "slug: fine\n---\nx"],
)
def test_what_is_wrong_with_a_block_is_a_fault(options):
    page = parse_page(f"```exercise\n{options}\n```\n", path="step.md")
    assert page_problems(page)
    assert ExerciseBlock.name == "exercise"
