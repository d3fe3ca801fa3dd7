"""How the class does: what is counted, and that a larger class takes no more queries."""

import threading
import time
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from quizzes.assessment.models import Question, Quiz
from quizzes.assessment.services import answer, start_attempt, submit_attempt
from quizzes.assessment.single_question import SubmittedAnswer, answer_in_review, answer_inline
from quizzes.learners.models import Learner, Progress
from quizzes.teaching import count_cache
from quizzes.teaching.course_counts import refresh_next
from quizzes.teaching.course_results import (
    Facility,
    MistakeMade,
    exercise_work,
    facilities,
    first_answers,
)
from tests.factories import create_learner, create_submission
from tests.teaching.forms import address, form, teach

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]


def take(quiz, learner, text, *, submit=True):
    """Answer every question with the option of this text, "" for none."""
    attempt = start_attempt(learner=learner, quiz=quiz)
    choices = {
        one.pk: one.version.options.get(text=text).pk for one in attempt.responses.all() if text
    }
    if submit:
        submit_attempt(attempt=attempt, choices=choices)
    else:
        answer(attempt=attempt, choices=choices)
    return attempt


def hand_in(exercise, learner, mistake=""):
    verdict = "known_mistake" if mistake else "not_graded"
    return create_submission(exercise, learner, verdict, known_mistake=mistake)


def test_only_the_first_response_of_each_learner_counts(course, quiz):
    version = Question.objects.get(slug="one").current
    ada, bob, cy, eve = (Learner.objects.create() for _ in range(4))
    take(quiz, ada, "three")
    take(quiz, ada, "two")  # right, but the second time
    take(quiz, bob, "two")
    take(quiz, cy, "")  # submitted blank: not right
    take(quiz, eve, "two", submit=False)  # not handed in: not counted
    assert facilities(course)[version.pk] == Facility(met=3, right=1, answered=2)
    assert facilities(course, [version.pk]) == {version.pk: Facility(3, 1, 2)}
    assert Facility(3, 1).percent == 33
    options = [
        (one.option.text, one.times)
        for one in first_answers(course).option_counts([version.pk])[version.pk]
    ]
    assert options == [("two", 1), ("three", 1), ("none of these", 0)]


def test_an_answer_inside_a_lesson_is_a_first_response(course, quiz, learner):
    question = Question.objects.get(slug="one")
    option = question.current.options.get(text="two")
    answer_inline(
        learner=learner, question=question, step="sums/adding", answer=SubmittedAnswer(option.pk)
    )
    take(quiz, learner, "three")
    assert facilities(course)[question.current_id] == Facility(1, 1, 1)
    assert facilities(course)[Question.objects.get(slug="two").current_id] == Facility(1, 0, 1)


def test_practice_and_review_are_not_the_first_time(course, quiz, learner):
    question = Question.objects.get(slug="one")
    wrong = question.current.options.get(text="three")
    answer_in_review(learner=learner, question=question, answer=SubmittedAnswer(wrong.pk))
    assert facilities(course) == {}
    take(quiz, learner, "two")
    assert facilities(course)[question.current_id] == Facility(1, 1, 1)


def test_a_new_version_is_met_by_who_was_not_asked_before(ada, course, quiz):
    old, new = Learner.objects.create(), Learner.objects.create()
    take(quiz, old, "two")
    ada.post(address(), form(**{"text-2": "two", "text-1": "three"}))
    take(quiz, old, "two")
    take(quiz, new, "two")
    question = Question.objects.get(slug="one")
    assert facilities(course)[question.current_id] == Facility(1, 1, 1)
    row = ada.get(teach("class/")).context["rows"][0]
    assert row["question"].slug in {"one", "two", "three"}
    assert "100 %" in ada.get(address()).content.decode()


@pytest.mark.both_databases
def test_known_mistakes_are_counted_by_learner(course, exercise):
    ada, bob = Learner.objects.create(), Learner.objects.create()
    for mistake in ("swapped", "swapped", "off_by_one", ""):
        hand_in(exercise, ada, mistake)
    hand_in(exercise, bob, "swapped")
    Progress.objects.create(learner=bob, course=course, kind="exercise", slug="add", state="done")
    assert exercise_work(course, ["gone"]) == {}
    found = exercise_work(course)["add"]
    assert (found.learners, found.solved, found.submissions) == (2, 1, 5)
    assert found.mistakes == (MistakeMade("swapped", 3, 2), MistakeMade("off_by_one", 1, 1))


PAGES = [
    "/teach/",
    "",
    "class/",
    "questions/",
    "questions/one/",
    "quizzes/",
    "quizzes/sums/",
    "quizzes/sums/preview/",
    "exercises/",
    "exercises/add/",
]


@pytest.fixture
def grow(course, quiz, exercise):
    """Return a function that adds learners who did something."""

    def add(number):
        for _ in range(number):
            learner = create_learner(f"student-{uuid4().hex[:8]}")
            take(quiz, learner, "three")
            hand_in(exercise, learner, "swapped")
            hand_in(exercise, learner)
            Question.objects.create(course=course, slug=f"q-{uuid4().hex[:8]}")
            Quiz.objects.create(course=course, slug=f"z-{uuid4().hex[:8]}", title="Z")
        return learner

    return add


@pytest.mark.slow
@pytest.mark.covering(most=2)
@pytest.mark.parametrize("path", PAGES)
def test_a_larger_class_takes_no_more_queries(ada, grow, path):
    learner = grow(2)
    page = path if path.startswith("/teach/") else teach(path.format(learner=learner.pk))

    def queries():
        with CaptureQueriesContext(connection) as captured:
            assert ada.get(page).status_code == 200
        return len(captured)

    queries()  # of content, which is cached then
    few = queries()
    grow(8)
    queries()
    assert queries() <= few


LARGE = (
    "exercises_submission",
    "assessment_response",
    "assessment_attempt",
    "learners_progress",
)
COUNTED = b"updated every ten minutes"


def counts_in(captured) -> list[str]:
    """Return what asked a table that grows with every answer.

    Failures of ours are few, and have an index of their own.
    """
    asked = [one["sql"] for one in captured if "'not_graded'" not in one["sql"]]
    return [sql for sql in asked if any(f'FROM "{name}"' in sql for name in LARGE)]


@pytest.mark.parametrize("page", ["", "class/", "exercises/", "exercises/add/"])
def test_a_large_course_is_counted_by_the_workers_and_by_no_view(
    ada, course, exercise, monkeypatch, page
):
    monkeypatch.setattr(count_cache, "SLOW_SECONDS", 1e9)
    first = ada.get(teach(page)).content
    assert COUNTED not in first
    assert not refresh_next(), "nothing is kept of a course that is counted fast"
    monkeypatch.setattr(count_cache, "SLOW_SECONDS", 0.0)
    assert COUNTED not in ada.get(teach(page)).content, "it was counted now"
    with CaptureQueriesContext(connection) as counted:
        again = ada.get(teach(page)).content
    assert COUNTED in again
    assert counts_in(counted) == []
    assert not refresh_next(), "it is not due"
    monkeypatch.setattr(count_cache, "EVERY_SECONDS", 0.0)
    monkeypatch.setattr(count_cache, "SHARE", 1e9)
    with CaptureQueriesContext(connection) as counted:
        assert refresh_next()
    assert counts_in(counted) != []
    with CaptureQueriesContext(connection) as counted:
        assert COUNTED in ada.get(teach(page)).content
    assert counts_in(counted) == []


def test_what_nobody_looks_at_any_more_is_not_counted(ada, exercise, monkeypatch):
    monkeypatch.setattr(count_cache, "SLOW_SECONDS", 0.0)
    monkeypatch.setattr(count_cache, "EVERY_SECONDS", 0.0)
    monkeypatch.setattr(count_cache, "SHARE", 1e9)
    ada.get(teach("exercises/"))
    assert not refresh_next(), "it was counted once, and nobody looked at what was kept"
    ada.get(teach("exercises/"))
    assert refresh_next()
    monkeypatch.setattr(count_cache, "SLOW_SECONDS", 1e9)
    assert refresh_next()
    assert not refresh_next(), "counting has become fast: each view counts"
    assert COUNTED not in ada.get(teach("exercises/")).content


def test_viewers_that_come_while_a_count_runs_do_not_count_too(monkeypatch):
    """Eight of one process at once."""
    kept: dict[str, object] = {}
    monkeypatch.setattr(count_cache, "cache", FakeCache(kept))
    monkeypatch.setattr(count_cache, "SLOW_SECONDS", 0.0)
    begun, counts, answers = threading.Event(), [], []

    def count() -> int:
        counts.append(1)
        begun.wait(10)
        return 7

    viewers = [
        threading.Thread(target=lambda: answers.append(count_cache.cached_count("a", count)[0]))
        for _ in range(8)
    ]
    for one in viewers:
        one.start()
    time.sleep(0.1)
    begun.set()
    for one in viewers:
        one.join()
    assert (answers, len(counts)) == ([7] * 8, 1)


class FakeCache:
    """The site's cache without its database, which threads of a test do not share."""

    def __init__(self, kept: dict[str, object]) -> None:
        self._kept = kept
        self.get = kept.get

    def get_many(self, keys: list[str]) -> dict[str, object]:
        return {key: self._kept[key] for key in keys if key in self._kept}

    def set(self, key: str, value: object, _seconds: int) -> None:
        self._kept[key] = value
