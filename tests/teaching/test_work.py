"""What instructors see of learners' work, who may see it, and grading it anew."""

import pytest
from django.test import RequestFactory
from django.utils import timezone

from quizzes.assessment.services import answer, start_attempt
from quizzes.classes.models import Membership
from quizzes.classes.services import remove_member
from quizzes.courses.models import AuditEntry
from quizzes.exercises.services import visible_submission
from quizzes.learners.models import Learner, User
from tests.classes.pages import teach_class
from tests.courses import some_course
from tests.factories import create_class, create_learner, create_member, create_submission
from tests.teaching.forms import teach

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]


@pytest.fixture
def learner(db):
    return create_learner("sam")


@pytest.fixture
def cohort(course, ada, learner):
    """A class that Ada teaches and Sam joined a moment ago."""
    cohort = create_class(course=course, by=User.objects.get(username="ada"))
    create_member(cohort, "sam")
    return cohort


@pytest.fixture
def attempt(quiz, learner, cohort):
    attempt = start_attempt(learner=learner, quiz=quiz)
    first = attempt.responses.first()
    answer(attempt=attempt, choices={first.pk: first.option_order[1]})
    return attempt


@pytest.fixture
def failed(exercise, learner, cohort):
    """A submission that was not graded because our side failed."""
    failure = {"our_failure": "the disk was <full>", "tries_used": 3}
    return create_submission(exercise, learner, "not_graded", code="x = 1", **failure)


@pytest.mark.parametrize("path", ["people/{}/", "attempts/{}/", "submissions/{}/"])
def test_rows_of_another_class_are_not_found(ada, attempt, failed, cohort, path):
    create_class("other", course=cohort.course, by=User.objects.get(username="ada"))
    member = cohort.memberships.get(user__username="sam")
    row = {"people": member, "attempts": attempt, "submissions": failed}[path.partition("/")[0]]
    assert ada.get(teach_class(path.format(row.pk))).status_code == 200
    for number, slug in ((row.pk, "other"), (99, "autumn")):
        assert ada.get(teach_class(path.format(number), slug)).status_code == 404


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
    assert "something failed on our side" in page
    request = RequestFactory().get("/")
    request.user = User.objects.get(username="ada")
    assert visible_submission(request, some_course(), "add", failed.pk) == failed
    code = failed.get_absolute_url()
    assert ada.get(code).status_code == 200
    sam = Learner.objects.get(pk=failed.learner_id).user
    remove_member(member=Membership.objects.get(user=sam), by=User.objects.get(username="ada"))
    assert ada.get(code).status_code == 404
    opened = AuditEntry.objects.filter(act="opened", by__username="ada")
    named = ["submission", str(failed.pk), f"Add, submission {failed.pk}"]
    assert [one.subjects for one in opened] == [[named]]


def test_work_from_before_joining_is_not_shown(ada, attempt, failed, cohort):
    member = cohort.memberships.get(user__username="sam")
    Membership.objects.filter(pk=member.pk).update(joined_at=timezone.now())
    for path in (f"submissions/{failed.pk}/", f"attempts/{attempt.pk}/"):
        assert ada.get(teach_class(path)).status_code == 404
    assert ada.get(failed.get_absolute_url()).status_code == 404
    for path in ("submissions/", "attempts/"):
        assert not ada.get(teach_class(path)).context["rows"]


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
    assert ada.post(address, {"back": "/teach/"}).url == "/teach/"
    failed.refresh_from_db()
    assert (failed.verdict, failed.tries_used, failed.code) == ("", 0, "x = 1")
    again = ada.post(address, {"back": "/teach/"}, follow=True)
    if where == "class":
        assert "is already waiting to be graded" in again.content.decode()
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


def test_lists_are_filtered(ada, attempt, failed, cohort):
    bea = create_learner("bea")
    create_member(cohort, "bea")
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


def test_teacher_reads_no_buttons_of_learners(ada, exercise, learner, cohort):
    solved = create_submission(exercise, learner, "correct", code="x = 1")
    page = ada.get(teach_class(f"submissions/{solved.pk}/")).content.decode()
    assert "All exercises" not in page
    assert page.index("The code") < page.index("Grade again")
