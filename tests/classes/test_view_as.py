"""Viewing as a student: reading only, said, logged, and over when either leaves."""

from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from quizzes.assessment.models import Attempt
from quizzes.classes.messages import LONG_AGO, announce, comment_on, unread_of
from quizzes.classes.models import Assignment, Membership
from quizzes.classes.services import remove_member
from quizzes.courses.models import AuditEntry
from quizzes.exercises.models import Exercise
from quizzes.learners.identity import LEARNER
from quizzes.learners.models import ReviewCard, User
from tests.classes.pages import teach_class
from tests.courses import some_course
from tests.exercises.making import ready_exercise
from tests.factories import (
    assign,
    browser_of,
    create_account,
    create_attempt,
    create_class,
    create_lesson,
    create_member,
    create_question,
    create_quiz,
    create_submission,
    create_superuser,
    read_step,
)

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]
HOUR = timedelta(hours=1)


@pytest.fixture
def cohort(db):
    create_lesson("sums", ["adding"])
    return create_class(by=create_account("ida", role=""))


@pytest.fixture
def ida(cohort):
    return browser_of(User.objects.get(username="ida"))


@pytest.fixture
def sam(cohort):
    place = create_member(cohort, "sam", name="sam")
    read_step(place, cohort.course.lessons.get(), "adding", timezone.now())
    return place


def view(browser, member):
    return browser.post(teach_class(f"people/{member.pk}/view/"))


def everything():
    """Return all rows but sessions and the audit log."""
    apart = ("django_session", "axes_", "courses_auditentry", "learners_budget")
    tables = [one for one in connection.introspection.table_names() if not one.startswith(apart)]
    found = {}
    with connection.cursor() as cursor:
        for table in tables:
            cursor.execute(f'SELECT * FROM "{table}"')
            found[table] = sorted(map(repr, cursor.fetchall()))
    return found


def test_the_pages_of_the_course_are_the_students_and_say_so(cohort, ida, sam):
    step = f"/c/{cohort.course.slug}/learn/sums/adding/"
    assert b"You are viewing this course as <bdi>sam</bdi>" not in ida.get(step).content
    assert view(ida, sam).url == cohort.course.get_absolute_url()
    page = ida.get(step)
    assert LEARNER.get(page.wsgi_request).user == sam.user
    assert "You are viewing this course as <bdi>sam</bdi>" in page.content.decode()
    assert page.headers["Cache-Control"] == "no-store"
    viewed = AuditEntry.objects.filter(act="viewed as", subjects=[["member", str(sam.pk), ""]])
    assert viewed.count() == 1
    back = ida.post("/teach/view-as/end/")
    assert back.url == teach_class(f"people/{sam.pk}/")
    assert b"You are viewing this course as <bdi>sam</bdi>" not in ida.get(step).content


def test_nothing_can_be_written_while_it_lasts(cohort, ida, sam):
    view(ida, sam)
    before = everything()
    course = cohort.course.slug
    for path in (
        f"/c/{course}/learn/sums/adding/",
        f"/c/{course}/quiz/any/",
        "/me/data/",
        "/messages/",
        "/review/",
        teach_class("announcements/"),
        teach_class(f"people/{sam.pk}/remove/"),
    ):
        for method in ("post", "put", "delete", "patch"):
            answer = getattr(ida, method)(path)
            assert answer.status_code == 403, (path, method)
            assert b"You cannot change anything" in answer.content
    assert everything() == before
    assert not Attempt.objects.exists()


@pytest.mark.parametrize("path", ["/me/data/", "/me/data/export/", "/review/", "/messages/"])
def test_the_students_own_pages_stay_shut(cohort, ida, sam, path):
    view(ida, sam)
    page = ida.get(path)
    learner = LEARNER.get(page.wsgi_request)
    assert not learner or learner.user != sam.user


def test_messages_are_the_students_in_this_class_and_stay_unread(cohort, ida, sam):
    by, bea = User.objects.get(username="ida"), create_member(cohort, "bea")
    otto = create_account("otto", role="")
    other = create_class("other", course=cohort.course, by=otto)
    create_member(other, "sam")
    exercise = ready_exercise()
    code, hers = (create_submission(exercise, member) for member in (sam, bea))
    comment_on(submission=code, cohort=cohort, by=by, text="For Sam here.")
    comment_on(submission=code, cohort=other, by=otto, text="For Sam there.")
    comment_on(submission=hers, cohort=cohort, by=by, text="For Bea.")
    announce(cohort=cohort, by=by, title="To all", text="")
    announce(cohort=cohort, by=by, title="To Bea", text="", to=[bea])
    announce(cohort=other, by=otto, title="To the others", text="")
    assert "For Sam" not in ida.get("/messages/").content.decode()
    view(ida, sam)
    assert "1 new comment on your work" in ida.get("/class/autumn/").content.decode()
    page = ida.get("/messages/").content.decode()
    assert "These are the messages for <bdi>sam</bdi> in Class autumn" in page
    assert ("For Sam here." in page, "To all" in page) == (True, True)
    assert not [one for one in ("For Sam there.", "Bea", "To the others") if one in page]
    assert "Mark all as read" not in page
    assert unread_of(sam.user).count == 4
    ida.post("/teach/view-as/end/")
    assert "For Sam" not in ida.get("/messages/").content.decode()


def test_another_course_is_ones_own(cohort, ida, sam):
    other = some_course("other-course")
    view(ida, sam)
    learner = LEARNER.get(ida.get(other.get_absolute_url()).wsgi_request)
    assert not learner or learner.user != sam.user


def create_card(member, course, slug):
    learner = member.user.learner
    ReviewCard.objects.create(
        learner=learner, course=course, kind="question", slug=slug, due_at=LONG_AGO
    )


@pytest.fixture
def everything_elsewhere(cohort, sam):
    """Have the classes of other people, here and in another course, give Sam work and reviews."""
    soon, otto = timezone.now() + 20 * HOUR, create_account("otto", role="")
    here = create_class("here", course=cohort.course, by=otto)
    there = create_class("there", course=some_course("other-course"), by=otto)
    create_member(here, "sam")
    create_member(there, "sam")
    assign(here, cohort.course.lessons.get(), due_at=soon + HOUR)
    assign(here, create_quiz("codes"), due_at=soon + HOUR, practice="never")
    assign(here, ready_exercise(), due_at=soon + HOUR)
    secret = create_quiz("secret", [create_question("hush", there.course)])
    assign(there, secret, due_at=soon)
    for course, slug in ((cohort.course, "one"), (there.course, "two"), (there.course, "three")):
        create_card(sam, course, slug)


PAGES = (
    "/",
    "/map/",
    "/progress/",
    "/search/",
    "/learn/",
    "/learn/sums/adding/",
    "/quiz/",
    "/quiz/codes/",
    "/exercises/",
    "/exercises/sinusoidal-table/",
)
OTHERS = ("Class here", "Class there", "Secret", "/c/other-course/quiz/")
DUE_REVIEWS = '{}<span class="visually-hidden"> due</span>'


def test_pages_show_work_of_this_class_only(cohort, ida, sam, everything_elsewhere):
    pages = [f"/c/{cohort.course.slug}{path}" for path in PAGES] + ["/class/autumn/"]
    sams, last = browser_of(sam.user), timezone.now() + 40 * HOUR
    assign(cohort, create_quiz("ours"), due_at=last)
    view(ida, sam)
    for page in pages:
        own, viewed = (browser.get(page).content.decode() for browser in (sams, ida))
        assert "Secret" in own, page
        assert DUE_REVIEWS.format(3) in own, page
        assert not [word for word in OTHERS if word in viewed], page
        assert DUE_REVIEWS.format(1) in viewed, page
        assert "Ours" in viewed, page
    quiz, code, step = (page for page in pages if page.endswith(("codes/", "-table/", "adding/")))
    for page in (quiz, code, step):
        assert "Class here" in sams.get(page).content.decode()


def test_next_offers_no_attempt_of_another_class(cohort, ida, sam, everything_elsewhere):
    now = timezone.now()
    for work in Assignment.objects.filter(quiz__slug="codes"):
        attempt = create_attempt(work, sam, 1, now, deadline=now + HOUR / 2, written=False)
    own = assign(cohort, create_quiz("ours"))
    pages = [cohort.course.get_absolute_url(), f"/c/{cohort.course.slug}/map/"]
    sams = browser_of(sam.user)
    view(ida, sam)
    for page in pages:
        assert attempt.get_absolute_url() in sams.get(page).content.decode()
        assert attempt.get_absolute_url() not in ida.get(page).content.decode()
    mine = create_attempt(own, sam, 1, now, deadline=now + HOUR / 3, written=False)
    for page in pages:
        assert mine.get_absolute_url() in ida.get(page).content.decode()


def test_answers_that_other_class_hides_stay_hidden(cohort, ida, sam, everything_elsewhere):
    exercise = Exercise.objects.get()
    create_submission(exercise, sam, "correct", passed=5)
    create_card(sam, cohort.course, "codes-1")
    view(ida, sam)
    for is_hidden in (True, False):
        page = ida.get(f"/c/{cohort.course.slug}/exercises/{exercise.slug}/").content.decode()
        assert ("Compare with a correct solution" not in page) == is_hidden
        assert DUE_REVIEWS.format(1 if is_hidden else 2) in page
        Assignment.objects.filter(cohort__slug="here").delete()


def test_it_ends_when_either_leaves_the_class(cohort, ida, sam):
    address = cohort.course.get_absolute_url()
    by = User.objects.get(username="ida")
    view(ida, sam)
    remove_member(member=sam, by=by)
    assert b"You are viewing this course as" not in ida.get(address).content
    assert "view_as" not in ida.session
    bea = create_member(cohort, "bea")
    view(ida, bea)
    Membership.objects.filter(user=by).update(role="assistant")
    assert b"You are viewing this course as" not in ida.get(address).content


def test_only_instructors_view_and_only_students(cohort, ida, sam):
    ann = create_member(cohort, "ann", role="assistant")
    create_superuser()
    place = create_member(cohort, "root")
    for member in (ann, place, create_member(cohort, state="invited")):
        view(ida, member)
        assert "view_as" not in ida.session
    create_class("other", course=cohort.course, by=User.objects.get(username="ida"))
    assert ida.post(teach_class(f"people/{sam.pk}/view/", "other")).status_code == 404
