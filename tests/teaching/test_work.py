"""What instructors see of learners' work, who may see it, and grading it anew."""

from uuid import uuid4

import pytest
from django.test import Client, RequestFactory
from django.utils import timezone

from quizzes.assessment.services import answer, start_attempt
from quizzes.exercises.models import Exercise, ExerciseVersion, Submission
from quizzes.exercises.services import visible_submission
from quizzes.grader.judge.report import Report, Verdict
from quizzes.learners.models import Learner, Progress, User
from tests.courses import some_course
from tests.teaching.accounts import BACKEND, account
from tests.teaching.forms import teach

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@pytest.fixture
def attempt(quiz, learner):
    attempt = start_attempt(learner=learner, quiz=quiz)
    first = attempt.responses.first()
    answer(attempt=attempt, choices={first.pk: first.option_order[1]})
    return attempt


@pytest.fixture
def exercise(course):
    made = Exercise.objects.create(course=course, slug="add")
    made.current = ExerciseVersion.objects.create(
        exercise=made, number=1, content_hash="x" * 64, title="Add", files={}, outline={}
    )
    made.save()
    return made


@pytest.fixture
def failed(exercise, learner):
    """A submission that was not graded because our side failed."""
    return Submission.objects.create(
        exercise_version=exercise.current,
        learner=learner,
        kind="submit",
        code="x = 1",
        key=uuid4(),
        graded_at=timezone.now(),
        verdict=Verdict.NOT_GRADED.value,
        report=Report(Verdict.NOT_GRADED).as_json(),
        our_failure="the disk was <full>",
        tries_used=3,
    )


PATHS = [
    "",
    "class/",
    "learners/",
    "learners/{learner}/",
    "attempts/",
    "attempts/{attempt}/",
    "submissions/",
    "submissions/{submission}/",
    "exercises/",
    "exercises/add/",
]


@pytest.mark.parametrize("path", PATHS)
def test_only_instructors_see_the_work_of_others(client, attempt, failed, path):
    numbers = {"attempt": attempt.pk, "learner": attempt.learner_id, "submission": failed.pk}
    address = teach(path.format(**numbers))
    assert client.get(address).status_code == 302
    assert account("bob", teaches=False).get(address).status_code == 404
    assert account("ada", teaches=True).get(address).status_code == 200
    assert account("eve", teaches=True).post(address).status_code == 405


@pytest.mark.parametrize(
    "path", ["learners/99/", "attempts/99/", "submissions/99/", "exercises/x/"]
)
def test_what_is_not_there_is_not_found(ada, path):
    assert ada.get(teach(path)).status_code == 404


def test_an_attempt_is_shown_as_its_learner_saw_it(ada, attempt):
    page = ada.get(teach(f"attempts/{attempt.pk}/"))
    text = page.content.decode()
    assert "not submitted" in text
    for shown, response in zip(page.context["questions"], attempt.responses.all(), strict=True):
        assert [option.pk for option in shown.options] == response.option_order
        assert [option.pk for option in shown.options if option.chosen] == (
            [response.choice_id] if response.choice_id else []
        )


def test_instructors_read_submitted_code_and_others_do_not(ada, failed):
    page = ada.get(teach("submissions/")).content.decode()
    assert teach(f"submissions/{failed.pk}/") in page
    assert "Our failure" in page
    request = RequestFactory().get("/")
    request.user = User.objects.get(username="ada")
    assert visible_submission(request, some_course(), "add", failed.pk) == failed
    code = failed.get_absolute_url()
    assert ada.get(code).status_code == 200
    assert account("bob", teaches=False).get(code).status_code == 404


def test_what_failed_on_our_side_is_told_to_instructors_only(ada, failed):
    page = ada.get(teach(f"submissions/{failed.pk}/")).content.decode()
    assert "the disk was &lt;full&gt;" in page
    assert "x" in page
    assert "the disk was" not in ada.get(failed.get_absolute_url()).content.decode()
    home = ada.get("/teach/").content.decode()
    assert "the disk was &lt;full&gt;" in home
    assert "Code is not being graded" in home  # no worker in this test


def test_a_failure_of_ours_is_graded_anew(ada, failed):
    address = teach(f"submissions/{failed.pk}/grade-anew/")
    assert account("bob", teaches=False).post(address).status_code == 404
    assert ada.get(address).status_code == 405
    guarded = Client(enforce_csrf_checks=True)
    guarded.force_login(User.objects.get(username="ada"), BACKEND)
    assert guarded.post(address).status_code == 403
    failed.refresh_from_db()
    assert failed.verdict == Verdict.NOT_GRADED.value
    assert ada.post(address, {"back": "/teach/"}).url == "/teach/"
    failed.refresh_from_db()
    assert (failed.verdict, failed.tries_used, failed.code) == ("", 0, "x = 1")
    again = ada.post(address, follow=True)
    assert "waits to be graded already" in again.content.decode()
    assert not ada.get("/teach/").context["failures_count"]


@pytest.mark.parametrize(
    "back",
    [
        "https://evil.example/",
        "//evil.example",
        "/\\evil.example",
        "javascript:alert(1)",
        "foo",
        "",
    ],
)
def test_the_button_leads_to_no_other_site(ada, failed, back):
    answered = ada.post(teach(f"submissions/{failed.pk}/grade-anew/"), {"back": back})
    assert answered.url == teach(f"submissions/{failed.pk}/")


def test_lists_are_filtered(ada, attempt, failed):
    other = start_attempt(learner=Learner.objects.create(), quiz=attempt.quiz)
    of_one = ada.get(teach("attempts/"), {"learner": attempt.learner_id}).context["page"]
    assert [one.pk for one in of_one] == [attempt.pk]
    both = ada.get(teach("attempts/"), {"quiz": "sums", "state": "open"}).context["page"]
    assert [one.pk for one in both] == [other.pk, attempt.pk]
    assert not ada.get(teach("attempts/"), {"state": "submitted"}).context["page"].object_list
    for query, count in [
        ({"verdict": "not_graded"}, 1),
        ({"verdict": "waiting"}, 0),
        ({"exercise": "add"}, 1),
        ({"exercise": "gone"}, 0),
        ({"mistake": "swapped"}, 0),
        ({"learner": failed.learner_id}, 1),
        ({"verdict": "nonsense", "learner": "9" * 30}, 1),
        ({"verdict": "\0", "learner": "٣", "exercise": "\0"}, 1),
    ]:
        found = ada.get(teach("submissions/"), query)
        assert found.context["page"].paginator.count == count, query


def test_learners_are_found_by_name_and_number(ada, failed, course):
    user = User.objects.create_user("grace", first_name="Grace", last_name="Hopper")
    grace = Learner.objects.create(user=user)
    Progress.objects.create(learner=grace, course=course, kind="lesson", slug="sums", state="seen")
    short = str(failed.learner.uuid)[:8]
    for query, count in [
        ({"q": "GRA"}, 1),
        ({"q": "hopper grace"}, 1),
        ({"q": short}, 1),
        ({"q": "nobody"}, 0),
        ({"who": "accounts", "order": "name"}, 1),
        ({"who": "visitors"}, 1),
        ({"who": "x", "order": "x"}, 2),
    ]:
        assert ada.get(teach("learners/"), query).context["page"].paginator.count == count, query
