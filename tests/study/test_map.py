"""`/map/` and its outline: the same concepts, this learner's states, nobody else's."""

import re

import pytest

from quizzes.learners.models import Learner, Progress
from quizzes.learners.services import record_progress
from quizzes.study.concept_states import DONE, NEEDS_WORK, SEEN, concept_states, state_of
from tests.courses import at, some_course

pytestmark = pytest.mark.both_databases


def concepts(html: str) -> list[str]:
    return re.findall(r'<h2 id="([a-z0-9-]+)-title"', html)


def test_map_and_outline_show_the_same_concepts(client, course):
    drawn, listed = client.get(at("/map/")), client.get(at("/map/outline/"))
    assert drawn.status_code == listed.status_code == 200
    names = concepts(drawn.content.decode())
    assert len(names) >= 20
    assert names == concepts(listed.content.decode())
    assert not Learner.objects.exists()


def test_focus_opens_that_concept_without_javascript(client, course):
    html = client.get(at("/map/?focus=rope")).content.decode()
    assert re.search(r'<article class="card concept" id="rope"[^>]*(?<!hidden)>', html)
    assert re.search(r'<article class="card concept" id="alibi"[^>]* hidden>', html)
    assert "<title>RoPE · Concept map · Ordinal</title>" in html


def test_an_unknown_focus_is_said_and_the_map_still_shown(client, course):
    response = client.get(at("/map/?focus=<b>ropes</b>"))
    assert response.status_code == 404
    html = response.content.decode()
    assert "There is no concept “&lt;b&gt;ropes&lt;/b&gt;”" in html
    assert 'data-concept="rope"' in html


def test_a_course_without_a_map_says_so(client, db):
    some_course()
    assert "has no map yet" in client.get(at("/map/")).content.decode()
    assert "has no map yet" in client.get(at("/map/outline/")).content.decode()


def test_a_concept_is_seen_then_needs_work_then_is_done(course):
    learner, other = Learner.objects.create(), Learner.objects.create()
    _, standing = concept_states(some_course(), None)
    rope = next(one for one in standing if one.concept.exercises and len(one.steps) > 1)

    def state() -> str:
        found = {one.concept.slug: one.state for one in concept_states(some_course(), learner)[1]}
        return found[rope.concept.slug]

    def note(kind: Progress.Kind, slug: str, state: str) -> None:
        record_progress(some_course().pk, learner=learner, kind=kind, slug=slug, state=state)

    assert state() == ""
    note(Progress.Kind.STEP, rope.steps[0].slug, DONE)
    assert state() == SEEN
    note(Progress.Kind.EXERCISE, rope.exercises[0].slug, NEEDS_WORK)
    assert state() == NEEDS_WORK
    for place in rope.steps:
        note(Progress.Kind.STEP, place.slug, DONE)
    for place in rope.exercises:
        note(Progress.Kind.EXERCISE, place.slug, DONE)
    assert state() == DONE
    assert not any(one.state for one in concept_states(some_course(), other)[1])


def test_a_missed_question_makes_its_concept_need_work_until_it_is_answered_right(course):
    learner = Learner.objects.create()

    def note(state: str) -> str:
        kind = Progress.Kind.QUESTION
        record_progress(some_course().pk, learner=learner, kind=kind, slug="row-zero", state=state)
        standing = concept_states(some_course(), learner)[1]
        step = "sinusoidal-values/the-formula"
        return next(one.state for one in standing if step in one.concept.steps)

    assert note(NEEDS_WORK) == NEEDS_WORK
    assert note(DONE) == ""


def test_a_whole_without_parts_is_not_begun():
    assert state_of([]) == ""


@pytest.mark.parametrize("page", [at("/map/"), at("/map/outline/")])
def test_the_page_takes_few_queries(client, course, page, django_assert_max_num_queries):
    with django_assert_max_num_queries(8):
        client.get(page)
