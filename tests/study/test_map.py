"""`/map/` and its outline: the same concepts, this learner's states, nobody else's."""

import re
from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.html import strip_tags

from quizzes.assessment.course_quizzes import open_quizzes, questions_of_quizzes
from quizzes.assessment.models import Question, Response
from quizzes.learners.hidden_answers import Hidden, find_hidden_answers
from quizzes.learners.models import Learner, Progress, ReviewCard
from quizzes.learners.services import record_progress
from quizzes.study.concept_states import (
    MASTERED,
    PRACTISED,
    SEEN,
    ConceptPart,
    Evidence,
    Place,
    concept_states,
    evidence_of,
    questions_by_step,
)
from quizzes.study.course_outline import outline_of
from tests.courses import at, some_course

pytestmark = pytest.mark.both_databases(postgresql="soak")


def answer_question(learner: Learner, question: Question, *, right: bool) -> None:
    """Answer it in a review: the newest answer counts, however the question was met."""
    Response.objects.create(
        learner=learner,
        version=question.current,
        option_order=[],
        text="1",
        number=1,
        is_right=right,
        score=int(right),
        answered_at=timezone.now(),
    )


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


@pytest.mark.both_databases
def test_an_unknown_focus_is_said_and_the_map_still_shown(client, course):
    response = client.get(at("/map/?focus=<b>ropes</b>"))
    assert response.status_code == 404
    html = response.content.decode()
    assert "There is no concept “&lt;b&gt;ropes&lt;/b&gt;”" in html
    assert 'data-concept="rope"' in html


def test_nodes_name_state_family_and_what_is_ready(client, course):
    html = client.get(at("/map/")).content.decode()
    assert 'aria-label="Self-attention: not started, Why"' in html
    assert 'aria-label="Blind to order: not started, Why, ready to learn, you are here"' in html
    assert html.count("ready to learn") == 1


def test_no_two_concepts_share_a_picture(client, course):
    html = client.get(at("/map/")).content.decode()
    pictures = re.findall(r'<img src="([^"]+)"\s+alt=""', html)
    assert len(pictures) == len(set(pictures)) >= 15
    assert all(path.count("/") == 7 for path in pictures), "each is of a step"
    own = next(src for src in pictures if "/learn/rope/score-and-distance/" in src)
    answer = client.get(own)
    assert answer.headers["Content-Type"] == "image/png"
    assert "immutable" in answer.headers["Cache-Control"]


def test_a_step_without_figure_has_no_picture(client, course):
    assert client.get(at("/learn/rope/two-pairings/thumbnail/light.png")).status_code == 404


def test_a_course_without_a_map_says_so(client, db):
    some_course()
    assert "has no map yet" in client.get(at("/map/")).content.decode()
    assert "has no map yet" in client.get(at("/map/outline/")).content.decode()


@pytest.mark.both_databases
def test_a_concept_is_seen_then_practised_then_mastered(course):
    learner, other = Learner.objects.create(), Learner.objects.create()
    _, standing = concept_states(some_course(), None)
    step = "sinusoidal-values/the-formula"
    concept = next(one for one in standing if step in one.concept.steps)
    questions = [
        question
        for question in Question.objects.available().select_related("current")
        if question.current.step in concept.concept.steps
    ]
    assert len(questions) > 5

    def state() -> str:
        found = {one.concept.slug: one.state for one in concept_states(some_course(), learner)[1]}
        return found[concept.concept.slug]

    def details() -> str:
        """Return what the map says of the concept, where somebody sees it as this learner."""
        standings = concept_states(some_course(), learner)[1]
        states = {standing.concept.slug: standing for standing in standings}
        return render_to_string("study/_concept.html", {"one": states[concept.concept.slug]})

    def note(kind: Progress.Kind, slug: str, state: str) -> None:
        record_progress(some_course().pk, learner=learner, kind=kind, slug=slug, state=state)

    answer = partial(answer_question, learner)

    assert state() == ""
    for place in concept.steps:
        note(Progress.Kind.STEP, place.slug, "done")
    assert state() == SEEN  # read is not known
    assert re.search("answer . more questions? in “<a", details())
    for question in questions:
        answer(question, right=question != questions[-1])
    for place in concept.exercises:
        note(Progress.Kind.EXERCISE, place.slug, "shaky")
    assert state() == PRACTISED
    for place in concept.exercises:
        note(Progress.Kind.EXERCISE, place.slug, "done")
    assert state() == PRACTISED  # one answer is wrong
    assert "To master it, retry the question that you missed." in strip_tags(details())
    answer(questions[-1], right=True)
    assert state() == MASTERED
    assert "To master it" not in details()
    card = ReviewCard.objects.create(
        course=some_course(),
        learner=learner,
        kind="question",
        slug=questions[0].slug,
        due_at=timezone.now() - timedelta(days=6),
    )
    assert state() == MASTERED
    card.due_at -= timedelta(days=2)
    card.save()
    assert state() == PRACTISED
    assert not any(one.state for one in concept_states(some_course(), other)[1])


def test_a_concept_that_nothing_asks_for_ends_at_seen():
    place = ConceptPart("a/b", "B", "A", "done", "/")
    assert Evidence().state([place], []) == SEEN
    assert Evidence().state([], []) == ""


STEP = ConceptPart("a/b", "B", "A", "done", "/")
CODE = ConceptPart("table", "Table", "", "shaky", "/")
ASKED = {"a/b": ["q1", "q2", "q3"]}
MIXED = Place("quiz", "Mixed", "/mixed/")
IN_QUIZ = {"q1": Place("quiz", "A", "/a/"), "q2": MIXED, "q3": MIXED}


@pytest.mark.parametrize(
    ("newest", "exercises", "overdue", "gaps"),
    [
        ({}, [], (), "answer 2 more questions in “Mixed” and 1 in “A”"),
        ({"q1": True}, [], (), "answer 2 more questions in “Mixed”"),
        ({"q2": True, "q3": True}, [], (), "answer 1 more question in “A”"),
        (dict.fromkeys(IN_QUIZ, True), [CODE], (), "solve “Table”"),
        (
            {"q1": True, "q2": False, "q3": False},
            [CODE, CODE, CODE],
            ("q1",),
            "retry the 2 questions that you missed,"
            " solve “Table”, the first of its 3 exercises and do its review",
        ),
        (dict.fromkeys(IN_QUIZ, True), [], (), ""),
    ],
)
def test_gaps_say_what_is_left_to_master(newest, exercises, overdue, gaps):
    evidence = Evidence("c", ASKED, IN_QUIZ, newest, frozenset(overdue))
    assert strip_tags(evidence.gaps([STEP], exercises).words) == gaps
    if newest:
        assert (evidence.state([STEP], exercises) == MASTERED) is (gaps == "")


def test_hidden_answers_are_not_asked_for_again():
    """They count as answers in what is left to do, and for nothing in the state."""
    evidence = Evidence("c", ASKED, IN_QUIZ, {"q1": True}, hidden=frozenset({"q3"}))
    assert strip_tags(evidence.gaps([STEP], []).words) == ("answer 1 more question in “Mixed”")
    evidence = replace(evidence, hidden=frozenset({"q2", "q3"}))
    assert strip_tags(evidence.gaps([STEP], [CODE]).words) == "solve “Table”"
    assert evidence.gaps([STEP], []).words == ""
    assert evidence.state([STEP], []) == PRACTISED


def test_evidence_names_answers_that_are_hidden(course, monkeypatch):
    learner = Learner.objects.create()
    question = Question.objects.available().select_related("current").first()
    answer_question(learner, question, right=True)
    hidden = Hidden(some_course().pk, "question", question.slug)
    monkeypatch.setattr(find_hidden_answers, "filling", lambda learner, now: [hidden])
    evidence = evidence_of(some_course(), learner, questions_by_step(some_course().pk))
    assert (evidence.hidden, evidence.newest) == ({question.slug}, {})


def test_every_gap_links_to_its_place():
    evidence = Evidence("c", ASKED, IN_QUIZ, {"q1": False}, frozenset({"q1"}))
    words = evidence.gaps([STEP], [CODE, CODE]).words
    assert re.findall('href="([^"]*)"', words) == [
        "/mixed/",
        "/c/c/practice/q1/",
        "/",
        "/",
        "/review/",
    ]


def test_quiz_of_own_lesson_comes_before_others(course):
    """The sentence names what Next names after the lesson, also where another quiz asks as well."""
    shipped = some_course()
    evidence = evidence_of(shipped, Learner.objects.create(), questions_by_step(shipped.pk))
    quizzes, asked = (
        {quiz.slug: quiz for quiz in open_quizzes(shipped)},
        questions_of_quizzes(shipped.pk),
    )
    for unit in outline_of(shipped).units.values():
        own = {slug for step in unit.steps for slug in evidence.questions.get(step.path, ())}
        for quiz in unit.quizzes[:1]:
            named = {evidence.quizzes[slug].title for slug in own & asked[quizzes[quiz.slug].pk]}
            assert named <= {quiz.title}


def test_question_in_no_quiz_is_in_its_step():
    evidence = Evidence("c", ASKED, newest={"q1": True})
    assert strip_tags(evidence.gaps([STEP], []).words) == ("answer 2 more questions in “B”")


@pytest.mark.parametrize("page", [at("/map/"), at("/map/outline/")])
def test_the_page_takes_few_queries(client, course, page, django_assert_max_num_queries):
    client.get(page)  # what is kept of the course is made anew at the first visit
    with django_assert_max_num_queries(6):
        client.get(page)
