"""Opening classes, and every way into one."""

import re
import time
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from quizzes.classes.enrollment import JoinError, accept, claim_places, join, same_person
from quizzes.classes.join_codes import ALPHABET, new_code, read_code
from quizzes.classes.models import Cohort, Membership
from quizzes.classes.services import (
    ClassError,
    invite,
    merge_members,
    open_class,
    remove_member,
    renew_code,
    restore_member,
    set_archived,
    set_joining,
)
from quizzes.courses.models import AuditEntry, CourseStaff
from quizzes.learners.models import Learner, User
from quizzes.limits import bucket
from tests.classes.pages import teach_class
from tests.factories import browser_of, create_account, create_class, create_member

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]


@pytest.fixture
def cohort(course, ida):
    return create_class(course=course, by=ida)


def page_of(cohort):
    return f"/join/{cohort.join_code}/"


# ---- codes


def test_codes_are_read_however_they_are_typed():
    for _ in range(200):
        code = new_code()
        assert set(code) <= set(ALPHABET)
        typed = f" {code[:4].lower()}-{code[4:]} ".replace("0", "o").replace("1", "l")
        assert read_code(typed) == code
        for char in (*"\u200b\u200f\u202d\ufeff\u00ad\ufe0f", *"-‑–—−－", "\u00a0"):
            assert read_code(f"{char}{code[:4]}{char}{code[4:]}{char}") == code
        assert read_code("".join(chr(ord(char) + 0xFEE0) for char in code)) == code
    for none in ("", "ABC", "ABCDEFGHJ", "ABCDEFGU", "ABCDEF\0G", "Ω" * 8, "A" * 5000):
        assert read_code(none) == ""


# ---- opening


FORM = {
    "title": "Autumn 2026",
    "begins_on": "2026-09-01",
    "ends_on": "2026-12-20",
    "zone": "Europe/Vienna",
}


def opened(user, course, /, **changes):
    return browser_of(user).post("/teach/classes/", {"course": course.slug, **FORM, **changes})


def test_an_instructor_opens_a_class_of_a_listed_course_without_a_role_in_it(course, ida):
    answer = opened(ida, course)
    assert answer.url == teach_class(cohort="autumn-2026")
    made = Cohort.objects.get()
    assert (made.timezone, made.course) == ("Europe/Vienna", course)
    place = made.memberships.get()
    assert (place.user, place.role, place.state) == (ida, "instructor", "active")
    assert not ida.course_roles.exists()
    assert browser_of(ida).get(f"/teach/courses/{course.slug}/").status_code == 404
    entry = AuditEntry.objects.get()
    assert (entry.by, entry.act, entry.cohort) == (ida, "opened the class", "autumn-2026")


def test_an_unlisted_course_needs_a_role_in_it(course, ida):
    course.is_listed = False
    course.save()
    assert opened(ida, course).status_code == 400
    CourseStaff.objects.create(course=course, user=ida, role="viewer")
    assert opened(ida, course).status_code == 302


@pytest.mark.covering(most=3)
@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"title": ""}, "This field is required"),
        ({"title": "!!!"}, "Type a name"),
        ({"begins_on": "1.9.2026"}, "Type a date such as 2026-09-30."),
        ({"ends_on": "2026-08-31"}, "is before the first day"),
        ({"zone": "Vienna"}, "not one of the available choices"),
        ({"slug": "No!"}, "must be lower-case words"),
        ({"slug": "autumn"}, "A class named autumn already exists"),
        ({"course": "gone"}, "not one of the available choices"),
        ({"title": "x" * 201}, "at most 200"),
    ],
)
def test_a_form_with_a_fault_names_it_and_opens_nothing(course, ida, cohort, changes, said):
    answer = opened(ida, course, **changes)
    assert answer.status_code == 400
    assert said in answer.content.decode()
    assert Cohort.objects.count() == 1


@pytest.mark.both_databases
def test_the_database_refuses_what_no_class_can_be(course, cohort, ida):
    for field, value in [("ends_on", cohort.begins_on - timedelta(days=1)), ("title", "")]:
        with pytest.raises(IntegrityError), transaction.atomic():
            Cohort.objects.filter(pk=cohort.pk).update(**{field: value})
    place = cohort.memberships.get()
    for wrong in (
        {"state": "invited"},
        {"role": "owner"},
        {"extra_time_percent": 301},
        {"deleted_number": 1},
        {"state": "deleted"},
        {"joined_at": None},
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            Membership.objects.filter(pk=place.pk).update(**wrong)
    with pytest.raises(ClassError, match="already"):
        create_class(course=course, by=ida)
    with pytest.raises(ClassError, match="earlier"):
        open_class(
            course=course,
            by=ida,
            slug="x",
            title="X",
            begins_on=cohort.ends_on,
            ends_on=cohort.begins_on,
        )


# ---- the link


def test_the_page_says_which_class_and_what_will_be_seen_and_changes_nothing(cohort):
    sam = User.objects.create_user("sam")
    page = browser_of(sam).get(page_of(cohort)).content.decode()
    for said in (
        "Class autumn",
        cohort.course.title,
        "taught by <bdi>ida</bdi>",
        "every answer",
        "Join as <bdi>sam</bdi>",
    ):
        assert said in page
    assert cohort.memberships.count() == 1
    assert browser_of(sam).get(page_of(cohort).lower()).status_code == 200


@pytest.mark.both_databases
def test_joining_twice_is_joining_once(cohort):
    sam = User.objects.create_user("sam")
    browser = browser_of(sam)
    for _ in range(2):
        assert browser.post(page_of(cohort)).status_code == 302
    place = Membership.objects.get(user=sam)
    assert (place.role, place.state, place.cohort) == ("student", "active", cohort)
    assert place.joined_at is not None
    assert Learner.objects.filter(user=sam).exists()
    assert "You are already in this class" in browser.get(page_of(cohort)).content.decode()


def test_a_visitor_signs_up_and_comes_back_to_the_code(cohort):
    browser = Client()
    page = browser.get(page_of(cohort)).content.decode()
    sign_up = re.search(r'href="(/accounts/signup/\?next=[^"]*)"', page)
    assert sign_up is not None
    form = {
        "username": "nora",
        "email": "nora@uni.example",
        "password1": "a-long-word-nobody-uses",
        "password2": "a-long-word-nobody-uses",
        "next": page_of(cohort),
    }
    answer = browser.post(sign_up[1], form)
    assert answer.url == page_of(cohort)
    browser.post(page_of(cohort))
    assert cohort.memberships.filter(user__username="nora", state="active").exists()


def test_a_visitor_who_posts_is_led_to_sign_up_and_joins_nothing(cohort):
    answer = Client().post(page_of(cohort))
    assert answer.url.startswith("/accounts/signup/?next=%2Fjoin%2F")
    assert cohort.memberships.count() == 1


def test_a_closed_and_an_archived_class_take_nobody(cohort, ida):
    sam = User.objects.create_user("sam")
    set_joining(cohort=cohort, by=ida, is_open=False)
    browser = browser_of(sam)
    closed = "The join link for this class is closed. Ask your instructor."
    assert closed in browser.get(page_of(cohort)).content.decode()
    answer = browser.post(page_of(cohort))
    assert (answer.status_code, closed in answer.content.decode()) == (409, True)
    set_joining(cohort=cohort, by=ida, is_open=True)
    set_archived(cohort=cohort, by=ida, is_archived=True)
    assert browser.post(page_of(cohort)).status_code == 409
    assert not Membership.objects.filter(user=sam).exists()
    old = page_of(cohort)
    renew_code(cohort=cohort, by=ida)
    assert browser.get(old).status_code == 404


def test_wrong_codes_of_an_address_are_limited_and_right_ones_are_not(cohort, monkeypatch):
    browser = browser_of(User.objects.create_user("sam"))
    there = {"REMOTE_ADDR": "203.0.113.7"}
    for _ in range(30):
        assert browser.get(page_of(cohort), **there).status_code == 200
    answers = [browser.get(f"/join/{new_code()}/", **there).status_code for _ in range(25)]
    assert answers == [404] * 20 + [429] * 5
    # Nothing is told any more, not even of a right code: else guessing would go on.
    assert browser.get(page_of(cohort), **there).status_code == 429
    assert browser.get("/invited/abc/", **there).status_code == 429
    assert browser.get(page_of(cohort), REMOTE_ADDR="203.0.113.8").status_code == 200
    later = time.time() + 181
    monkeypatch.setattr(bucket.time, "time", lambda: later)
    assert browser.get(page_of(cohort), **there).status_code == 200


# ---- personal links and verified addresses


@pytest.mark.both_databases
def test_a_personal_link_takes_its_place_once(cohort, ida):
    place = create_member(cohort, "Ada L", state="invited", email="ada@uni.example")
    old = invite(members=[place], by=ida)[place.pk]
    place.refresh_from_db()
    token = invite(members=[place], by=ida)[place.pk]
    assert token not in str(list(Membership.objects.values()))
    sam, eve = User.objects.create_user("sam"), User.objects.create_user("eve")
    assert browser_of(sam).get(f"/invited/{old}/").status_code == 404
    page = browser_of(sam).get(f"/invited/{token}/").content.decode()
    assert "This place is reserved for <bdi>Ada L" in page
    assert browser_of(sam).post(f"/invited/{token}/").status_code == 302
    place.refresh_from_db()
    assert (place.user, place.state, place.email) == (sam, "active", "ada@uni.example")
    assert browser_of(eve).get(f"/invited/{token}/").status_code == 404
    with pytest.raises(JoinError, match="has already been used"):
        accept(token=token, user=eve)


def test_a_closed_link_leaves_personal_links_open(cohort, ida):
    set_joining(cohort=cohort, by=ida, is_open=False)
    place = create_member(cohort, state="invited")
    token = invite(members=[place], by=ida)[place.pk]
    assert accept(token=token, user=User.objects.create_user("sam")).pk == place.pk


def test_one_account_takes_one_place(cohort, ida):
    places = [create_member(cohort, f"p{n}", state="invited") for n in range(2)]
    secrets = invite(members=places, by=ida)
    sam = User.objects.create_user("sam")
    accept(token=secrets[places[0].pk], user=sam)
    with pytest.raises(JoinError, match="already"):
        accept(token=secrets[places[1].pk], user=sam)
    assert Membership.objects.filter(user=sam).count() == 1


@pytest.mark.parametrize("verified", [True, False])
def test_a_verified_address_claims_its_row_and_an_unverified_one_never(cohort, verified):
    invited = create_member(cohort, "Ada", state="invited", email="ada@uni.example", section="Mon")
    sam = create_account("sam", email="ada@uni.example", verified=verified)
    joined = join(cohort=cohort, user=sam)
    assert (joined.pk == invited.pk) is verified
    assert joined.email == ("ada@uni.example" if verified else "")
    rows = list(Membership.objects.select_related("user"))
    assert same_person(rows) == ({} if verified else {invited.pk: joined})


def test_verifying_later_claims_the_row_unless_the_account_is_in_the_class(cohort):
    invited = create_member(cohort, "Ada", state="invited", email="ada@uni.example")
    sam = create_account("sam", email="ada@uni.example", verified=True)
    assert [place.pk for place in claim_places(user=sam)] == [invited.pk]
    assert claim_places(user=sam) == []


def test_staff_say_that_two_rows_are_one_person(cohort, ida):
    invited = create_member(
        cohort, "Ada Lovelace", state="invited", email="ada@uni.example", external_id="007"
    )
    sam = User.objects.create_user("sam", email="ada@uni.example")
    joined = join(cohort=cohort, user=sam)
    browser = browser_of(ida)
    assert "Same person?" in browser.get(teach_class("people/")).content.decode()
    sent = browser.post(teach_class(f"people/{invited.pk}/merge/"), {"joined": joined.pk})
    assert sent.url == teach_class(f"people/{joined.pk}/")
    joined.refresh_from_db()
    assert (joined.name, joined.external_id, joined.user) == ("Ada Lovelace", "007", sam)
    assert not Membership.objects.filter(pk=invited.pk).exists()
    assert "Same person?" not in browser.get(teach_class("people/")).content.decode()
    other = create_member(cohort)
    with pytest.raises(ClassError, match="only an invited person"):
        merge_members(invited=other, joined=joined, by=ida)


# ---- leaving


def test_a_removed_member_does_not_come_back_by_the_link(cohort, ida):
    place = create_member(cohort, "sam")
    sam = place.user
    remove_member(member=place, by=ida)
    with pytest.raises(JoinError, match="removed"):
        join(cohort=cohort, user=sam)
    restore_member(member=place, by=ida)
    assert join(cohort=cohort, user=sam).state == "active"


def test_a_removed_member_is_told_so_and_nobody_else_is(cohort, ida):
    place, eve = create_member(cohort, "bea"), User.objects.create_user("eve")
    remove_member(member=place, by=ida)
    answer = browser_of(place.user).get(f"/class/{cohort.slug}/")
    assert answer.status_code == 410
    assert "An instructor removed you from" in answer.content.decode()
    assert browser_of(eve).get(f"/class/{cohort.slug}/").status_code == 404
    assert browser_of(eve).get("/class/no-such-class/").status_code == 404


def test_the_last_instructor_stays(cohort, ida):
    place = cohort.memberships.get(user=ida)
    with pytest.raises(ClassError, match="last instructor"):
        remove_member(member=place, by=ida)
    browser = browser_of(ida)
    page = browser.post(teach_class(f"people/{place.pk}/remove/"), follow=True).content.decode()
    assert "is the last instructor" in page
    fields = {"name": "Ida", "role": "student"}
    answer = browser.post(teach_class(f"people/{place.pk}/change/"), fields)
    assert (answer.status_code, "last instructor" in answer.content.decode()) == (400, True)
    create_member(cohort, "bea", role="instructor")
    remove_member(member=place, by=ida)
    assert browser.get(teach_class()).status_code == 404


def test_an_invitation_that_is_taken_back_is_forgotten(cohort, ida):
    place = create_member(cohort, state="invited")
    token = invite(members=[place], by=ida)[place.pk]
    remove_member(member=place, by=ida)
    assert Client().get(f"/invited/{token}/").status_code == 404


def test_a_class_holds_the_longest_name_of_an_account(cohort):
    user = User.objects.create_user("long", first_name="A" * 150, last_name="B" * 150)
    assert join(cohort=cohort, user=user).name == f"{'A' * 150} {'B' * 49}"
