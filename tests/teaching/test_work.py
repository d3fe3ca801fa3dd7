"""What instructors see of learners' work, and who may see it."""

from uuid import uuid4

import pytest
from django.test import RequestFactory

from quizzes.assessment.services import answer, start_attempt
from quizzes.exercises.access import visible_submission
from quizzes.exercises.models import Exercise, ExerciseVersion, Submission
from quizzes.learners.models import Learner, User
from tests.teaching.accounts import account

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@pytest.fixture
def attempt(quiz, learner):
    attempt = start_attempt(learner=learner, quiz=quiz)
    first = attempt.responses.first()
    answer(attempt=attempt, choices={first.pk: first.option_order[1]})
    return attempt


@pytest.mark.parametrize("path", ["attempts/", "attempts/{}/", "submissions/"])
def test_only_instructors_see_the_work_of_others(client, attempt, path):
    address = f"/teach/{path.format(attempt.pk)}"
    assert client.get(address).status_code == 302
    assert account("bob", teaches=False).get(address).status_code == 403
    assert account("ada", teaches=True).get(address).status_code == 200
    assert account("eve", teaches=True).post(address).status_code == 405


def test_an_attempt_is_shown_as_its_learner_saw_it(attempt):
    page = account("ada", teaches=True).get(f"/teach/attempts/{attempt.pk}/")
    text = page.content.decode()
    assert "not submitted" in text
    for shown, response in zip(page.context["questions"], attempt.responses.all(), strict=True):
        assert [option.pk for option in shown.options] == response.option_order
        assert [option.pk for option in shown.options if option.chosen] == (
            [response.choice_id] if response.choice_id else []
        )
    assert account("eve", teaches=True).get("/teach/attempts/999999/").status_code == 404


def test_lists_take_a_constant_number_of_queries(quiz, learner, django_assert_max_num_queries):
    ada = account("ada", teaches=True)
    for _ in range(60):
        start_attempt(learner=Learner.objects.create(), quiz=quiz)
    with django_assert_max_num_queries(5):
        page = ada.get("/teach/attempts/").content.decode()
    assert "Page 1 of 2" in page
    assert "Page 2 of 2" in ada.get("/teach/attempts/?page=99").content.decode()


def test_instructors_read_submitted_code_and_others_do_not(learner):
    exercise = Exercise.objects.create(slug="add")
    version = ExerciseVersion.objects.create(
        exercise=exercise, number=1, content_hash="x" * 64, title="Add", files={}, outline={}
    )
    Submission.objects.create(
        exercise_version=version, learner=learner, kind="submit", code="x = 1", key=uuid4()
    )
    page = account("ada", teaches=True).get("/teach/submissions/").content.decode()
    assert "add" in page
    (only,) = Submission.objects.all()
    assert f"/exercises/add/submissions/{only.pk}/" in page
    request = RequestFactory().get("/")
    request.user = User.objects.get(username="ada")
    assert visible_submission(request, "add", only.pk) == only
    code = f"/exercises/add/submissions/{only.pk}/"
    assert account("bob", teaches=False).get(code).status_code == 404
