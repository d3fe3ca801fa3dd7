"""Announcements and comments: who reads them, what is unread, mail only where it was asked for."""

from datetime import UTC, datetime, timedelta

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.urls import reverse
from django.utils import timezone

from quizzes.classes.messages import (
    MessageError,
    announce,
    comment_on,
    unread_of,
    withdraw_comment,
)
from quizzes.classes.models import Announcement, Comment, Membership
from quizzes.learners.account_backends import AccountBackend
from quizzes.learners.models import User
from tests.classes.pages import teach_class
from tests.courses import some_course
from tests.exercises.making import ready_exercise
from tests.factories import (
    assign,
    browser_of,
    create_account,
    create_attempt,
    create_class,
    create_member,
    create_quiz,
    create_submission,
)

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]


@pytest.fixture
def cohort(db):
    return create_class(course=some_course(), by=create_account("ida", role=""))


@pytest.fixture
def ida(cohort):
    return User.objects.get(username="ida")


@pytest.fixture
def sam(cohort):
    return create_member(cohort, "sam").user


@pytest.fixture
def submission(cohort, sam):
    return create_submission(ready_exercise(), sam.learner, code="a = 1\nb = 2\n")


def test_an_announcement_is_new_to_members_who_read_before_a_clock_was_put_back(cohort, ida, sam):
    announce(cohort=cohort, by=ida, title="Before", text="Read.")
    Membership.objects.filter(user=sam).update(last_seen_at=timezone.now() + timedelta(hours=1))
    assert unread_of(sam).count == 0
    announce(cohort=cohort, by=ida, title="After", text="Not read.")
    assert unread_of(sam).count == 1


def test_a_comment_reaches_its_learner_alone(cohort, ida, sam, submission):
    bea = create_member(cohort, "bea").user
    fields = {"line": 2, "text": "Why **two**?"}
    sent = browser_of(ida).post(teach_class(f"submissions/{submission.pk}/comment/"), fields)
    assert sent.url == teach_class(f"submissions/{submission.pk}/")
    assert (unread_of(sam).count, unread_of(bea).count, unread_of(ida).count) == (1, 0, 0)
    page = browser_of(sam).get("/messages/").content.decode()
    assert "Why <strong>two</strong>?" in page
    assert "line 2" in page
    own = browser_of(sam).get(submission.get_absolute_url()).content.decode()
    assert "Why <strong>two</strong>?" in own
    assert "Why " not in browser_of(bea).get("/messages/").content.decode()
    assert browser_of(bea).get(submission.get_absolute_url()).status_code == 404


@pytest.mark.covering(most=2)
@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"line": 3, "text": "x"}, "line 3: the code has 2 lines"),
        ({"line": 0, "text": "x"}, "greater than or equal to 1"),
        ({"line": "two", "text": "x"}, "whole number"),
        ({"text": ""}, "required"),
        ({"text": "x" * 5001}, "at most 5000"),
    ],
)
def test_a_comment_with_a_fault_names_it(ida, submission, fields, said):
    page = browser_of(ida).post(teach_class(f"submissions/{submission.pk}/comment/"), fields)
    assert page.status_code == 400
    assert said in page.content.decode()
    assert not Comment.objects.exists()


def test_reading_counts_by_a_button_and_what_came_later_stays_unread(cohort, ida, sam, submission):
    announce(cohort=cohort, by=ida, title="One", text="")
    comment_on(submission=submission, cohort=cohort, by=ida, text="Good.")
    browser = browser_of(sam)
    assert unread_of(sam).count == 2
    browser.get("/messages/")  # a GET changes nothing
    assert unread_of(sam).count == 2
    opened = timezone.now()
    announce(cohort=cohort, by=ida, title="Two", text="")
    browser.post("/messages/", {"until": opened.isoformat()})
    assert unread_of(sam).count == 1
    late = (timezone.now() + timedelta(days=9)).isoformat()
    browser.post("/messages/", {"until": late})
    announce(cohort=cohort, by=ida, title="Three", text="")
    assert unread_of(sam).count == 1
    for none in ("", "yesterday", "2026-13-01", "2026-01-01T00:00:00", "\0"):
        assert browser.post("/messages/", {"until": none}).status_code == 400


def test_times_of_messages_are_on_the_clock_of_the_class(cohort, ida, sam, submission):
    announce(cohort=cohort, by=ida, title="One", text="")
    comment_on(submission=submission, cohort=cohort, by=ida, text="Good.")
    at = datetime(2025, 6, 5, 22, 30, tzinfo=UTC)
    Announcement.objects.update(published_at=at)
    Comment.objects.update(at=at)
    said = "Friday 6 June 2025, 00:30 in Vienna"
    pages = {
        "/messages/": (sam, 2),
        reverse("classes:class", args=[cohort.slug]): (sam, 1),
        submission.get_absolute_url(): (sam, 1),
        teach_class("announcements/"): (ida, 1),
        teach_class(f"submissions/{submission.pk}/"): (ida, 1),
    }
    found = {page: browser_of(user).get(page).content.decode() for page, (user, _) in pages.items()}
    assert {page: text.count(said) for page, text in found.items()} == {
        page: times for page, (_, times) in pages.items()
    }


def test_announcements_are_for_the_class_alone_and_a_member_who_left_reads_none(cohort, ida, sam):
    other = create_class("other", course=cohort.course, by=create_account("otto", role=""))
    bea = create_member(other, "bea").user
    browser_of(ida).post(teach_class("announcements/"), {"title": "Only us", "text": "*Hm*"})
    assert "Only us" in browser_of(sam).get("/messages/").content.decode()
    assert "Only us" not in browser_of(bea).get("/messages/").content.decode()
    Membership.objects.filter(user=sam).update(state="removed")
    assert "Only us" not in browser_of(sam).get("/messages/").content.decode()
    assert unread_of(sam).has_class is False


def test_header_counts_with_one_query(cohort, ida, sam, django_assert_num_queries):
    eve = User.objects.create_user("eve")
    assert "Messages" not in browser_of(eve).get("/").content.decode()
    of_session = AccountBackend().get_user
    stranger, member = of_session(eve.pk), of_session(sam.pk)
    with django_assert_num_queries(0):
        assert not unread_of(stranger).has_class
    for number in range(3):
        announce(cohort=cohort, by=ida, title=f"N{number}", text="")
    with django_assert_num_queries(1):
        assert unread_of(member).count == 3
    page = browser_of(sam).get("/courses/").content.decode()
    assert '3<span class="visually-hidden"> unread</span>' in page


def test_a_comment_is_taken_back_by_its_author_or_an_instructor(cohort, ida, sam, submission):
    ann, bob = (create_member(cohort, name, role="assistant").user for name in ("ann", "bob"))
    made = comment_on(submission=submission, cohort=cohort, by=ann, text="Hm.")
    address = teach_class(f"comments/{made.pk}/withdraw/")
    assert browser_of(bob).post(address).status_code == 404
    assert browser_of(ann).post(address).status_code == 302
    assert unread_of(sam).count == 0
    again = comment_on(submission=submission, cohort=cohort, by=ann, text="Hm.")
    withdraw_comment(comment=again, by=ida)
    assert "Hm." not in browser_of(sam).get("/messages/").content.decode()


def test_lines_of_code_bound_a_comment(cohort, ida, submission):
    with pytest.raises(MessageError, match="line 9"):
        comment_on(submission=submission, cohort=cohort, by=ida, text="x", line=9)


@pytest.mark.parametrize("is_on", [True, False])
@pytest.mark.parametrize("verified", [True, False])
def test_mail_goes_out_only_if_the_site_says_so_and_to_verified_addresses(
    cohort, ida, sam, submission, settings, django_capture_on_commit_callbacks, is_on, verified
):
    settings.CLASS_MAIL = is_on
    EmailAddress.objects.create(user=sam, email="s@u.example", verified=verified, primary=True)
    with django_capture_on_commit_callbacks(execute=True):
        comment_on(submission=submission, cohort=cohort, by=ida, text="A secret word.")
    assert len(mail.outbox) == (is_on and verified)
    assert all("secret" not in one.body for one in mail.outbox)


def test_staff_of_another_class_read_no_comment_and_nobody_reads_after_leaving(
    cohort, ida, sam, submission
):
    other = create_class("other", course=some_course(), by=create_account("otto", role=""))
    create_member(other, "sam")
    comment_on(submission=submission, cohort=cohort, by=ida, text="Only for you.")
    page = submission.get_absolute_url()

    def reads(user):
        return "Only for you." in browser_of(user).get(page).content.decode()

    assert [reads(one) for one in (sam, ida, User.objects.get(username="otto"))] == [
        True,
        True,
        False,
    ]
    Membership.objects.filter(cohort=cohort, user=sam).update(state="removed")
    assert not reads(sam)


def test_a_comment_on_an_answer_is_read_beside_it_and_taken_back(cohort, ida, sam):
    Membership.objects.filter(user=sam).update(joined_at=timezone.now() - timedelta(days=1))
    member = Membership.objects.get(user=sam)
    assignment = assign(cohort, create_quiz())
    attempt = create_attempt(assignment, member, 1, timezone.now())
    here = teach_class(f"attempts/{attempt.pk}/")
    teacher = browser_of(ida)
    blank = teacher.post(f"{here}comment/", {"question": "2", "text": " "})
    assert blank.status_code == 400
    assert 'id="write-2" open' in blank.content.decode()
    assert teacher.post(f"{here}comment/", {"question": "9" * 5000, "text": "x"}).status_code == 404
    sent = teacher.post(f"{here}comment/", {"question": "2", "text": "Look at *signs*."})
    assert (sent.url, unread_of(sam).count) == (here, 1)
    assert "Look at <em>signs</em>." in teacher.get(here).content.decode()
    mine = browser_of(sam)
    review = f"/c/{cohort.course.slug}/quiz/codes/attempt/{attempt.pk}/review/"
    for page in (review, "/messages/"):
        assert "Look at <em>signs</em>." in mine.get(page).content.decode()
    back = teacher.post(teach_class(f"comments/{Comment.objects.get().pk}/withdraw/"))
    assert back.url == here
    assert "signs" not in mine.get(review).content.decode()


def test_unread_messages_come_first(cohort, ida, sam, submission):
    comment_on(submission=submission, cohort=cohort, by=ida, text="An unread comment.")
    announce(cohort=cohort, by=ida, title="A later announcement", text="Read.")
    Membership.objects.filter(user=sam).update(last_seen_at=timezone.now())
    page = browser_of(sam).get("/messages/").content.decode()
    unread, title, read = map(page.index, ("An unread comment.", "<h2>Read", "A later announ"))
    assert unread < title < read
    assert "Mark all as read" in page


def test_read_messages_need_no_button(cohort, sam):
    page = browser_of(sam).get("/messages/").content.decode()
    assert "Nobody has written to you yet." in page
    assert "Mark all as read" not in page
