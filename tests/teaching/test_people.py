"""People: who may see the page and press its buttons, what they do, and what they cost."""

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import resolve

from quizzes.learners.models import User
from quizzes.teaching.lists import A_PAGE
from tests.factories import browser_of, create_account, create_browser, create_superuser

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]


EVE = "eve@uni.example"


@pytest.fixture(autouse=True)
def mail_in_memory(settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"


@pytest.fixture
def eve():
    return create_account("eve", email=EVE, verified=True)


@pytest.fixture
def root():
    return browser_of(create_superuser())


def address_of(path, number):
    return f"/teach/people/{number}/{path}"


@pytest.mark.parametrize("path", ["role/", "password-link/"])
def test_an_account_that_is_not_there_is_not_found(root, path):
    for number in (10**6, 10**30):
        assert resolve(address_of(path, number))
        assert root.post(address_of(path, number), {"teaches": "yes"}).status_code == 404


def press(browser, path, number, **fields):
    return browser.post(address_of(path, number), fields, follow=True).content.decode()


def test_an_instructor_is_made_and_unmade(root, eve):
    assert "eve is now an instructor." in press(root, "role/", eve.pk, teaches="yes")
    assert User.objects.get(pk=eve.pk).is_instructor
    assert "eve is already an instructor." in press(root, "role/", eve.pk, teaches="yes")
    assert "eve is no longer an instructor." in press(root, "role/", eve.pk, teaches="no")
    assert not User.objects.get(pk=eve.pk).is_instructor


@pytest.mark.parametrize("teaches", ["", "Yes", "1", "on"])
def test_a_role_that_is_none_is_named(root, eve, teaches):
    answer = root.post(address_of("role/", eve.pk), {"teaches": teaches})
    assert answer.status_code == 400
    assert b"teaches: must be yes or no" in answer.content
    assert not User.objects.get(pk=eve.pk).is_instructor


def test_a_superuser_cannot_lose_the_page_with_it(root):
    own = User.objects.get(username="root")
    for teaches in ("no", "yes", "no"):
        assert "root can teach because the account is a superuser." in press(
            root, "role/", own.pk, teaches=teaches
        )
    assert root.get("/teach/people/").status_code == 200


def test_the_buttons_lead_back_to_the_list_that_was_shown_and_nowhere_else(root, eve):
    place = address_of("role/", eve.pk)
    here = "/teach/people/?q=eve&before=9999"
    assert root.post(place, {"teaches": "yes", "back": here}).url == here
    for back in ("https://example.org/", "//example.org", "/\\example.org"):
        assert root.post(place, {"teaches": "no", "back": back}).url == "/teach/people/"


def test_the_link_goes_to_the_verified_address_and_sets_a_password(root, client):
    eve = create_account("eve", email="eve@private.example", verified=False)
    EmailAddress.objects.create(user=eve, email=EVE, verified=True)
    page = press(root, "password-link/", eve.pk)
    assert "A link for setting a new password was sent to eve@uni.example." in page
    (sent,) = mail.outbox
    assert sent.to == [EVE]
    (link,) = [word for word in sent.body.split() if "/accounts/password/reset/key/" in word]
    form = client.get(link, follow=True)
    words = {"password1": "turnips-at-dawn", "password2": "turnips-at-dawn"}
    client.post(form.redirect_chain[-1][0], words)
    assert User.objects.get(pk=eve.pk).check_password("turnips-at-dawn")


@pytest.mark.parametrize(
    ("facts", "why"),
    [
        ({}, "This account has no e-mail address."),
        ({"email": EVE, "verified": False}, "This account has no confirmed e-mail address."),
        ({"email": EVE}, "This account has no confirmed e-mail address."),
        ({"email": EVE, "verified": True, "is_active": False}, "This account is not active."),
    ],
)
def test_without_a_verified_address_the_page_says_why_there_is_no_link(root, facts, why):
    eve = create_account("eve", **facts)
    page = root.get("/teach/people/?q=eve").content.decode()
    assert why in page
    assert "Send a password link" not in page
    way = "password" if eve.is_active else "change"
    assert f"/admin/learners/user/{eve.pk}/{way}/" in page
    assert ("Make instructor" in page) == eve.is_active
    assert why in press(root, "password-link/", eve.pk)
    assert mail.outbox == []


def test_a_mail_server_that_refuses_is_told(root, eve, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9
    page = press(root, "password-link/", eve.pk)
    assert "No password link was sent: the mail server said" in page


@pytest.mark.both_databases
@pytest.mark.covering(most=4)
@pytest.mark.parametrize(
    ("search", "names"),
    [
        ("", ["Zoe", "Cy", "eve", "root"]),
        ("q=EVE", ["eve"]),
        ("q=uni.example", ["eve"]),
        ("q=secret", ["Cy"]),
        ("q=Cyrus+the", ["Cy"]),
        ("q=eve+zoe", []),
        ("q=%25", []),
        ("q=%00eve", ["eve"]),
        ("role=instructors", ["Zoe"]),
        ("role=superusers", ["root"]),
        ("role=nonsense", ["Zoe", "Cy", "eve", "root"]),
        ("before=nonsense", ["Zoe", "Cy", "eve", "root"]),
    ],
)
def test_accounts_are_found_by_name_and_address(root, eve, search, names):
    cy = create_account("Cy", first_name="Cyrus", last_name="the Great")
    EmailAddress.objects.create(user=cy, email="cy@secret.example")
    EmailAddress.objects.create(user=cy, email="king@secret.example")
    create_browser("Zoe", role="editor")
    page = root.get(f"/teach/people/?{search}")
    assert [found.username for found, _ in page.context["people"]] == names


@pytest.mark.both_databases
def test_the_list_is_paged_and_takes_as_many_queries_for_many(root, django_assert_num_queries):
    def cost():
        root.get(
            "/teach/people/?q=person"
        )  # what is kept of the course is made anew at the first visit
        with django_assert_num_queries(5):
            return root.get("/teach/people/?q=person")

    def more(numbers):
        for number in numbers:
            create_account(
                f"person-{number:03}", email=f"p{number}@uni.example", verified=number % 2 == 0
            )

    more(range(1))
    assert len(cost().context["people"]) == 1
    more(range(1, 60))
    assert len(cost().context["people"]) == 50
    first = root.get("/teach/people/").context["page"]
    assert next(found.username for found in first) == "person-059"
    last = root.get(f"/teach/people/?before={first.older}").context["page"]
    assert last.object_list[-1].username == "root"


def test_the_list_is_read_without_counting_or_sorting_accounts(root):
    with CaptureQueriesContext(connection) as asked:
        root.get("/teach/people/")
    about = [one["sql"] for one in asked if 'FROM "learners_user"' in one["sql"]]
    assert any(f"LIMIT {A_PAGE + 1}" in sql for sql in about)
    assert not any("COUNT(" in sql or "OFFSET" in sql or "LOWER(" in sql for sql in about)


def test_superusers_alone_find_the_link_to_it(root):
    assert "/teach/people/" in root.get("/teach/").content.decode()
    assert (
        "/teach/people/" not in create_browser("ada", role="editor").get("/teach/").content.decode()
    )
