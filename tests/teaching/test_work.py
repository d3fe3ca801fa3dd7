"""What instructors see of learners' work, who may see it, and grading it anew."""

import re
from uuid import uuid4

import pytest
from django.test import Client, RequestFactory
from django.utils import timezone

from quizzes.assessment.services import answer, start_attempt
from quizzes.classes.models import Membership
from quizzes.classes.services import remove_member
from quizzes.courses.models import AuditEntry
from quizzes.exercises.models import Exercise, ExerciseVersion, Submission
from quizzes.exercises.services import visible_submission
from quizzes.grader.judge.report import Report, Verdict
from quizzes.learners.models import Learner, User
from tests.classes.people import new_class, teach_class
from tests.courses import some_course
from tests.teaching.accounts import BACKEND, account
from tests.teaching.forms import teach

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]


@pytest.fixture
def learner(db):
    return Learner.objects.create(user=User.objects.create_user("sam"))


@pytest.fixture
def cohort(course, ada, learner):
    """A class that Ada teaches and Sam joined a moment ago."""
    made = new_class(course, User.objects.get(username="ada"))
    put_in(made, learner.user)
    return made


def put_in(cohort, user, role="student"):
    return Membership.objects.create(
        cohort=cohort, user=user, role=role, state="active", joined_at=cohort.made_at
    )


@pytest.fixture
def attempt(quiz, learner, cohort):
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
def failed(exercise, learner, cohort):
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


OF_THE_COURSE = ["", "class/", "exercises/", "exercises/add/"]
OF_THE_CLASS = [
    "",
    "people/",
    "people/{member}/",
    "results/",
    "attempts/",
    "attempts/{attempt}/",
    "submissions/",
    "submissions/{submission}/",
]


@pytest.mark.both_databases
@pytest.mark.covering(most=2)
@pytest.mark.parametrize("path", OF_THE_COURSE)
def test_only_staff_of_a_course_see_its_pages(client, attempt, failed, path):
    address = teach(path)
    assert client.get(address).status_code == 302
    assert account("bob", teaches=False).get(address).status_code == 404
    eve = account("eve", teaches=True)
    assert eve.get(address).status_code == 200
    # As a word: the random letters of a token may spell it.
    assert re.search(r"\bsam\b", eve.get(address).content.decode()) is None
    assert eve.post(address).status_code == 405


@pytest.mark.both_databases
@pytest.mark.covering(most=3)
@pytest.mark.parametrize("path", OF_THE_CLASS)
def test_only_staff_of_a_class_see_its_pages(client, ada, attempt, failed, cohort, path):
    member = cohort.memberships.get(user__username="sam")
    numbers = {"attempt": attempt.pk, "member": member.pk, "submission": failed.pk}
    address = teach_class(path.format(**numbers))
    assert client.get(address).status_code == 302
    assert ada.get(address).status_code == 200
    assert ada.post(address).status_code == 405
    sam = Client()
    sam.force_login(member.user, BACKEND)
    others = {
        "nobody": account("bob", teaches=False),
        "owner of the course": account("eve", teaches=True, role="owner"),
        "student of the class": sam,
    }
    for who, browser in others.items():
        assert browser.get(address).status_code == 404, who
    assistant = account("ann", teaches=False)
    put_in(cohort, User.objects.get(username="ann"), "assistant")
    assert assistant.get(address).status_code == 200
    new_class(cohort.course, User.objects.get(username="eve"), "other")
    for there in ("attempts/{attempt}/", "people/{member}/", "submissions/{submission}/"):
        address = teach_class(there.format(**numbers), "other")
        assert others["owner of the course"].get(address).status_code == 404


@pytest.mark.parametrize("path", ["people/99/", "attempts/99/", "submissions/99/"])
def test_what_is_not_there_is_not_found(ada, cohort, path):
    assert ada.get(teach_class(path)).status_code == 404
    assert ada.get(teach("exercises/x/")).status_code == 404


def test_an_attempt_is_shown_as_its_learner_saw_it(ada, attempt):
    page = ada.get(teach_class(f"attempts/{attempt.pk}/"))
    text = page.content.decode()
    assert "not submitted" in text
    for shown, response in zip(page.context["questions"], attempt.responses.all(), strict=True):
        assert [option.pk for option in shown.options] == response.option_order
        assert [option.pk for option in shown.options if option.chosen] == (
            [response.choice_id] if response.choice_id else []
        )


def test_instructors_read_submitted_code_and_others_do_not(ada, failed):
    page = ada.get(teach_class("submissions/")).content.decode()
    assert teach_class(f"submissions/{failed.pk}/") in page
    assert "Our failure" in page
    request = RequestFactory().get("/")
    request.user = User.objects.get(username="ada")
    assert visible_submission(request, some_course(), "add", failed.pk) == failed
    code = failed.get_absolute_url()
    assert ada.get(code).status_code == 200
    assert account("bob", teaches=False).get(code).status_code == 404
    assert account("eve", teaches=True, role="owner").get(code).status_code == 404
    sam = Learner.objects.get(pk=failed.learner_id).user
    remove_member(member=Membership.objects.get(user=sam), by=User.objects.get(username="ada"))
    assert ada.get(code).status_code == 404
    opened = AuditEntry.objects.filter(act="opened", by__username="ada")
    named = ["submission", str(failed.pk), f"Add, submission {failed.pk}"]
    assert [one.subjects for one in opened] == [[named]]


@pytest.mark.both_databases
def test_work_from_before_joining_is_not_shown(ada, attempt, failed, cohort):
    member = cohort.memberships.get(user__username="sam")
    Membership.objects.filter(pk=member.pk).update(joined_at=timezone.now())
    for path in (f"submissions/{failed.pk}/", f"attempts/{attempt.pk}/"):
        assert ada.get(teach_class(path)).status_code == 404
    assert ada.get(failed.get_absolute_url()).status_code == 404
    for path in ("submissions/", "attempts/"):
        assert not ada.get(teach_class(path)).context["rows"]


@pytest.mark.both_databases
def test_what_failed_on_our_side_is_told_to_instructors_only(ada, failed):
    page = ada.get(teach_class(f"submissions/{failed.pk}/")).content.decode()
    assert "the disk was &lt;full&gt;" in page
    assert "x" in page
    assert "the disk was" not in ada.get(failed.get_absolute_url()).content.decode()
    home = ada.get("/teach/").content.decode()
    assert "the disk was &lt;full&gt;" in home
    assert "Code is not being graded" in home  # no worker in this test
    assert "<dd></dd>" not in home  # each fact has its number


@pytest.mark.parametrize("where", ["course", "class"])
def test_a_failure_of_ours_is_graded_anew(ada, failed, where):
    address = teach(f"failures/{failed.pk}/grade-anew/")
    if where == "class":
        address = teach_class(f"submissions/{failed.pk}/grade-anew/")
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
    again = ada.post(address, {"back": "/teach/"}, follow=True)
    if where == "class":
        assert "waits to be graded already" in again.content.decode()
    else:
        assert again.status_code == 404  # it is no failure any more
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
    answered = ada.post(teach_class(f"submissions/{failed.pk}/grade-anew/"), {"back": back})
    assert answered.url == teach_class(f"submissions/{failed.pk}/")


@pytest.mark.both_databases
def test_lists_are_filtered(ada, attempt, failed, cohort):
    bea = Learner.objects.create(user=User.objects.create_user("bea"))
    put_in(cohort, bea.user)
    other = start_attempt(learner=bea, quiz=attempt.quiz)
    sam = cohort.memberships.get(user__username="sam").pk
    of_one = ada.get(teach_class("attempts/"), {"member": sam}).context["rows"]
    assert [row.work.pk for row in of_one] == [attempt.pk]
    both = ada.get(teach_class("attempts/"), {"quiz": "sums", "state": "open"}).context["rows"]
    assert [row.work.pk for row in both] == [other.pk, attempt.pk]
    assert not ada.get(teach_class("attempts/"), {"state": "submitted"}).context["rows"]
    for query, count in [
        ({"verdict": "not_graded"}, 1),
        ({"verdict": "waiting"}, 0),
        ({"exercise": "add"}, 1),
        ({"exercise": "gone"}, 0),
        ({"mistake": "swapped"}, 0),
        ({"member": sam}, 1),
        ({"verdict": "nonsense", "member": "9" * 30}, 1),
        ({"verdict": "\0", "member": "٣", "exercise": "\0"}, 1),
    ]:
        found = ada.get(teach_class("submissions/"), query)
        assert len(found.context["page"].object_list) == count, query


@pytest.mark.both_databases
def test_people_are_found_by_name_address_and_id(ada, cohort):
    Membership.objects.create(
        cohort=cohort, name="Grace Hopper", email="gh@uni.example", external_id="007", section="Mon"
    )
    for query, count in [
        ({"q": "GRA"}, 1),
        ({"q": "hopper grace"}, 1),
        ({"q": "gh@"}, 1),
        ({"q": "007"}, 1),
        ({"q": "sam"}, 1),
        ({"q": "nobody"}, 0),
        ({"section": "Mon"}, 1),
        ({"section": "Tue"}, 0),
        ({"role": "instructor"}, 1),
        ({"role": "x", "state": "x"}, 3),
        ({"state": "invited"}, 1),
        ({"state": "removed"}, 0),
    ]:
        found = ada.get(teach_class("people/"), query).context["page"]
        assert found.paginator.count == count, query
