"""Roles in courses: what they open, who gives them, and that a course keeps its last owner."""

import re
from urllib.parse import urlencode

import pytest
from django.test import Client

from quizzes.courses.models import AuditEntry, Course, CourseStaff
from quizzes.courses.roles import Role, set_instructor, set_role
from quizzes.learners.instructors import AccountError
from quizzes.learners.models import User
from tests.courses import some_course
from tests.factories import browser_of, create_account, create_browser, create_superuser
from tests.learners.accounts import PASSWORD, make_account, make_stale, sign_in
from tests.teaching.conftest import step  # noqa: F401  (autouse: questions name this step)
from tests.teaching.forms import form, quiz_form, teach

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]

OTHER = "other-course"
TOKEN = r'name="csrfmiddlewaretoken" value="[^"]*"'


def role_of(name, course):
    return CourseStaff.objects.filter(course=course, user__username=name).values_list(
        "role", flat=True
    )


def test_a_course_that_is_hidden_and_one_that_is_not_there_look_alike(quiz):
    browser = create_browser("ada", role="")
    pages = [browser.get(teach("class/")), browser.get(teach("class/", "no-such-course"))]
    texts = [re.sub(TOKEN, "", page.content.decode()) for page in pages]
    assert texts[0].replace("positional-encodings", "X") == texts[1].replace("no-such-course", "X")
    visited = [Client().get(teach("class/", slug)).url for slug in ("no-such-course", OTHER)]
    assert all(url.startswith("/accounts/login/") for url in visited)


def test_a_viewer_reads_keys_and_drafts_and_finds_nothing_to_write_with(ada, quiz):
    ada.post(teach("questions/one/"), form(do="save"))
    viewer = create_browser("vera", role="viewer")
    page = viewer.get(teach("questions/one/")).content.decode()
    assert "Count on your fingers." in page
    assert "What the draft changes" in page
    for path in ("questions/", "questions/one/", "quizzes/", "quizzes/sums/", ""):
        assert "<form" not in main_of(viewer.get(teach(path)), but="search").replace(
            'method="get"', ""
        ), path


def main_of(page, but=""):
    """Return what a page says between its header and footer, without forms that only search."""
    text = page.content.decode().partition("<main")[2].partition("</main>")[0]
    kept = [part for part in text.split("<form") if but not in part.partition(">")[0]]
    return "<form".join(kept)


def test_an_instructor_without_a_role_is_told_who_gives_one():
    page = create_browser("ada", role="").get("/teach/").content.decode()
    assert "You do not have a role in any course yet." in page
    assert "your user name is <bdi>ada</bdi>" in page


def test_the_first_page_lists_the_courses_of_the_account_with_its_role(course):
    some_course(OTHER)
    page = create_browser("ada", role="viewer", course=OTHER).get("/teach/")
    assert [(one.slug, one.role) for one in page.context["courses"]] == [(OTHER, "viewer")]
    everything = browser_of(create_superuser()).get("/teach/").context["courses"]
    assert {one.slug for one in everything} == {course.slug, OTHER}


def test_a_role_alone_opens_teach_and_the_menu_leads_there(course):
    viewer = create_browser("vera")
    CourseStaff.objects.create(course=course, user=User.objects.get(), role="viewer")
    assert viewer.get("/teach/").status_code == 200
    assert 'href="/teach/"' in viewer.get("/").content.decode()
    assert create_browser("bob").get("/teach/").status_code == 403


# ---- owners give roles


@pytest.fixture
def owner(course):
    return create_browser("olga", role="owner")


def press(browser, path, **fields):
    return browser.post(teach(f"people/{path}"), fields, follow=True).content.decode()


def test_an_owner_gives_changes_and_takes_a_role(owner, course):
    eve = User.objects.create_user("eve")
    assert f"eve now has the role viewer in {course.title}." in press(
        owner, "add/", account="eve", role="viewer"
    )
    assert list(role_of("eve", course)) == ["viewer"]
    assert "eve now has the role editor in" in press(owner, f"{eve.pk}/role/", role="editor")
    assert list(role_of("eve", course)) == ["editor"]
    assert "is already editor of" in press(owner, f"{eve.pk}/role/", role="editor")
    assert "eve no longer has a role in" in press(owner, f"{eve.pk}/remove/")
    assert not role_of("eve", course)
    for path in (f"{eve.pk}/remove/", f"{10**30}/remove/", "0/remove/"):
        assert owner.post(teach(f"people/{path}")).status_code == 404


@pytest.mark.parametrize("name", ["", "nobody", "eve@uni.example", "x\0", "Bob"])
def test_an_account_must_be_named_exactly_and_nothing_is_told_of_accounts(owner, course, name):
    User.objects.create_user("bob")
    User.objects.create_user("BOB")
    page = press(owner, "add/", account=name, role="viewer")
    assert "Nobody was added: type the exact user name or a confirmed address." in page
    assert course.staff.count() == 1


@pytest.mark.parametrize("role", ["", "Owner", "superuser", "x"])
def test_a_role_that_is_none_is_named(owner, course, role):
    bob = User.objects.create_user("bob")
    for path in ("add/", f"{bob.pk}/role/"):
        refused = owner.post(teach(f"people/{path}"), {"account": "bob", "role": role})
        assert refused.status_code == 400
        assert b"role: must be one of viewer, editor, owner" in refused.content
    assert course.staff.count() == 1


def test_the_last_owner_stays_unless_a_superuser_says_otherwise(owner, course):
    olga = User.objects.get(username="olga")
    for path, fields in [("remove/", {}), ("role/", {"role": "editor"})]:
        page = press(owner, f"{olga.pk}/{path}", **fields)
        assert "olga is the last owner" in page
    assert list(role_of("olga", course)) == ["owner"]
    press(owner, "add/", account="olga", role="viewer")
    assert list(role_of("olga", course)) == ["owner"]
    assert "no longer has a role" in press(browser_of(create_superuser()), f"{olga.pk}/remove/")
    assert not role_of("olga", course)


def test_an_owner_who_goes_is_led_to_what_is_still_open(owner, course):
    User.objects.create_user("eve")
    press(owner, "add/", account="eve", role="owner")
    olga = User.objects.get(username="olga")
    there = owner.post(teach(f"people/{olga.pk}/role/"), {"role": "viewer"})
    assert there.url == teach()
    assert owner.get(there.url).status_code == 200
    CourseStaff.objects.filter(user=olga).update(role="owner")
    assert owner.post(teach(f"people/{olga.pk}/remove/")).url == "/teach/"


def test_an_account_that_cannot_sign_in_gets_no_role_and_is_no_owner(owner, course):
    gone = User.objects.create_user("gone", is_active=False)
    assert "gone is not active" in press(owner, "add/", account="gone", role="viewer")
    CourseStaff.objects.create(course=course, user=gone, role="owner")
    olga = User.objects.get(username="olga")
    assert "the last owner" in press(owner, f"{olga.pk}/remove/")


def test_an_old_session_of_an_owner_changes_nobody(course):
    olga = make_account("olga")
    CourseStaff.objects.create(course=course, user=olga, role="owner")
    eve = User.objects.create_user("eve")
    CourseStaff.objects.create(course=course, user=eve, role="viewer")
    browser = make_stale(sign_in("olga"))
    before = list(CourseStaff.objects.order_by("pk").values())
    changes = {"add/": "editor", f"{eve.pk}/role/": "editor", f"{eve.pk}/remove/": ""}
    for path, role in changes.items():
        asked = browser.post(teach(f"people/{path}"), {"account": "eve", "role": role})
        assert asked.url == f"/accounts/reauthenticate/?{urlencode({'next': teach('people/')})}"
    assert list(CourseStaff.objects.order_by("pk").values()) == before
    browser.post("/accounts/reauthenticate/", {"password": PASSWORD, "next": teach("people/")})
    assert list(CourseStaff.objects.order_by("pk").values()) == before
    assert "now has the role editor in" in press(browser, "add/", account="eve", role="editor")


def test_an_operator_may_take_the_last_owner(course):
    olga = User.objects.create_user("olga")
    set_role(course, user=olga, role=Role.OWNER, by=None)
    with pytest.raises(AccountError, match="last owner"):
        set_role(course, user=olga, role=None, by=olga)
    set_role(course, user=olga, role=None, by=None)
    assert not course.staff.exists()


def test_a_former_instructor_has_no_role_either(course):
    ada = User.objects.create_user("ada")
    for made in (course, some_course(OTHER)):
        set_role(made, user=ada, role=Role.EDITOR, by=None)
    set_instructor(user=ada, teaches=True)
    done = set_instructor(user=ada, teaches=False)
    lost = f"{course.title}, Other course"
    assert done == f"ada is no longer an instructor, and no longer has a role in: {lost}."
    assert not ada.course_roles.exists()
    assert not User.objects.get().finds_teaching


def test_only_owners_say_whether_a_course_is_listed(owner, course):
    address = teach("listed/")
    assert create_browser("ed", role="editor").post(address, {"listed": "no"}).status_code == 403
    assert owner.post(address, {"listed": "perhaps"}).status_code == 400
    page = owner.post(address, {"listed": "no"}, follow=True).content.decode()
    assert "is no longer listed" in page
    assert not Course.objects.get(pk=course.pk).is_listed
    assert course.title not in Client().get("/courses/").content.decode().partition("<main")[2]
    owner.post(address, {"listed": "yes"})
    assert Course.objects.get(pk=course.pk).is_listed


def test_superusers_say_which_course_is_the_home_course(owner, course):
    other = some_course(OTHER)
    other.make_home()
    assert owner.post(teach("home/")).status_code == 403
    assert Client().get("/learn/").url == f"/c/{other.slug}/learn/"
    page = browser_of(create_superuser()).post(teach("home/"), follow=True).content.decode()
    assert "is now the home course of this site" in page
    assert Client().get("/learn/?x=1").url == f"/c/{course.slug}/learn/?x=1"
    assert list(Course.objects.values_list("slug", flat=True)) == [course.slug, other.slug]


# ---- the addresses of before


@pytest.mark.parametrize(
    "old",
    [
        "questions/one/",
        "quizzes/",
        "exercises/add/",
        "class/?quiz=sums",
    ],
)
def test_an_old_address_leads_into_the_home_course(course, old):
    for browser in (Client(), create_browser("ada", role="editor")):
        read = browser.get(f"/teach/{old}")
        assert (read.status_code, read.url) == (301, teach(old))
        sent = browser.post(f"/teach/{old}", {"do": "save"})
        assert (sent.status_code, sent.url) == (308, teach(old))


@pytest.mark.parametrize("old", ["attempts/7/", "submissions/?verdict=waiting", "learners/"])
def test_old_addresses_of_named_work_lead_to_the_classes(course, old):
    answer = create_browser("ada", role="editor").get(f"/teach/{old}")
    assert (answer.status_code, answer.url) == (301, "/teach/classes/")
    assert Client().post(f"/teach/{old}").status_code == 405


def test_the_log_says_who_published_and_who_got_which_right(quiz):
    """Each act that changes what learners find, or who may do what, is one entry."""
    course, root = quiz.course, browser_of(create_superuser())
    eve = create_account("eve", email="eve@uni.example", verified=True)
    asked = quiz.places.first().question

    def send(path, fields=()):
        answer = root.post(path, dict(fields))
        assert answer.status_code == 302, path

    sheet = teach(f"quizzes/{quiz.slug}/")
    question = teach(f"questions/{asked.slug}/")
    send(sheet, quiz_form())
    send(sheet, quiz_form(do="withdraw"))
    send(f"{question}withdraw/")
    send(f"{question}restore/")
    send(teach("people/add/"), {"account": "eve", "role": "viewer"})
    send(teach(f"people/{eve.pk}/remove/"))
    send(f"/teach/people/{eve.pk}/role/", {"teaches": "yes"})
    send(f"/teach/people/{eve.pk}/role/", {"teaches": "no"})
    send(f"/teach/people/{eve.pk}/password-link/")
    rows = AuditEntry.objects.order_by("pk").values_list("act", "subjects", "course")
    entries = [(act, subject, there) for act, (subject,), there in rows]
    account, there = ["account", str(eve.pk), ""], course.pk
    title = quiz_form()["title"]
    assert entries == [
        ("published", ["quiz", quiz.slug, title], there),
        ("withdrew", ["quiz", quiz.slug, title], there),
        ("withdrew", ["question", asked.slug, asked.slug], there),
        ("restored", ["question", asked.slug, asked.slug], there),
        ("gave the role viewer", account, there),
        ("took the role away", account, there),
        ("made an instructor", account, None),
        ("took the right to teach", account, None),
        ("sent a link to a new password", account, None),
    ]
    assert not any("eve" in str((one.act, one.subjects)) for one in AuditEntry.objects.all())
