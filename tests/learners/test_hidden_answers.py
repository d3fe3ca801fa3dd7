"""What a room hides for a while is told nowhere: no page, count, export or suggestion says it."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from quizzes.assessment.models import Quiz, QuizQuestion, Response
from quizzes.assessment.services import submit_attempt
from quizzes.learners.hidden_answers import Hidden, find_hidden_answers, may_show
from quizzes.learners.models import Learner, ReviewCard
from quizzes.learners.services import due_count
from quizzes.study.concept_states import steps_to_review
from quizzes.study.misconceptions import misconceptions_of
from quizzes.study.my_data import export_of
from quizzes.study.progress_overview import progress_overview
from tests.courses import at, some_course
from tests.factories import SENTENCE, create_question
from tests.study.questions import submission_with_mistake

pytestmark = pytest.mark.django_db


@pytest.fixture
def hide(monkeypatch):
    """Hide everything of the course for everybody, from the call on."""
    course = some_course().pk
    everything = [
        Hidden(course, "question", "row-zero"),
        Hidden(course, "quiz", "codes"),
        Hidden(course, "exercise", "sinusoidal-table"),
    ]
    return lambda: monkeypatch.setattr(find_hidden_answers, "filling", lambda *_: everything)


@pytest.fixture
def missed(client):
    """Answer a question wrong, by a browser; return its learner, question and quiz."""
    question = create_question()
    quiz = Quiz.objects.create(course=some_course(), slug="codes", title="Codes")
    QuizQuestion.objects.create(quiz=quiz, question=question, order=1)
    client.post(at("/quiz/codes/"))
    attempt = quiz.attempts.get()
    wrong = question.current.options.get(is_key=False)
    submit_attempt(attempt=attempt, choices={attempt.responses.get().pk: wrong.pk})
    ReviewCard.objects.update(due_at=timezone.now() - timedelta(days=1))
    attempt.refresh_from_db()
    return attempt


def test_without_a_reason_all_is_shown(missed):
    assert may_show(missed.learner, missed.quiz)
    assert may_show(None, missed.quiz)


def test_pages_tell_what_is_right_until_it_is_hidden(client, missed, hide):
    page = client.get(missed.review_address).content.decode()
    assert "0 of 1 right" in page
    assert "It is." in page
    hide()
    page = client.get(missed.review_address).content.decode()
    for told in ("0 of 1 right", "It is.", SENTENCE, "Right answer", "not right", "✗"):
        assert told not in page
    assert "Your answer has been saved." in page
    assert client.get(at("/quiz/codes/")).content.decode().count("Taken") == 0
    assert client.get(at("/practice/row-zero/")).status_code == 404


def test_an_answer_inside_a_lesson_is_kept_and_not_judged(client, missed, hide):
    hide()
    option = missed.quiz.questions.get().current.options.get(is_key=True)
    sent = {"step": "a-lesson/a-step", "option": option.pk}
    headers = {"HX-Request": "true"}
    page = client.post(at("/questions/row-zero/answer/"), sent, headers=headers).content.decode()
    assert "Answered" in page
    assert "It is." not in page
    assert Response.objects.get(step="a-lesson/a-step").is_right


def test_counts_states_and_exports_say_nothing(missed, hide):
    course = some_course()
    submission_with_mistake(missed.learner)

    def told():
        learner = Learner.objects.get()
        exported = json.dumps(export_of(learner=learner, user=None), default=str)
        return (
            due_count(learner),
            steps_to_review(course, learner),
            [one.name for one in misconceptions_of(course, learner)],
            [taken.best is not None for taken in progress_overview(course, learner).quizzes],
            '"right": false' in exported,
        )

    before = told()
    assert all(before)
    hide()
    assert told() == (0, set(), [], [False], False)
