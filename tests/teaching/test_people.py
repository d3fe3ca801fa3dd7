"""People: who may see the page and press its buttons, what they do, and what they cost."""

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import Group
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import resolve

from quizzes.learners.models import INSTRUCTORS, User
from quizzes.teaching.lists import A_PAGE
from quizzes.teaching.urls import urlpatterns
from tests.teaching.accounts import BACKEND, account

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]

GET, POST = "get", "post"
REACHED = {"": {GET: 200, POST: 405}, "role/": {GET: 405, POST: 302}}
REACHED["password-link/"] = REACHED["role/"]
PLACES = [(path, method) for path, answers in REACHED.items() for method in answers]


@pytest.fixture(autouse=True)
def mail_in_memory(settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"


def person(name, address="", *, verified=False, **more):
    """Return an account as sign-up makes it."""
    user = User.objects.create_user(name, email=address, **more)
    if address:
        EmailAddress.objects.create(user=user, email=address, primary=True, verified=verified)
    return user


@pytest.fixture
def eve():
    return person("eve", "eve@uni.example", verified=True)


@pytest.fixture
def root():
    browser = Client()
    browser.force_login(User.objects.create_superuser("root"), backend=BACKEND)
    return browser


def address_of(path, number):
    return f"/teach/people/{number}/{path}" if path else "/teach/people/"


def ask(browser, method, path, number):
    return getattr(browser, method)(address_of(path, number), {"teaches": "yes"})


def state():
    return [
        list(User.objects.order_by("pk").values()),
        list(User.groups.through.objects.values_list("user", "group__name")),
        len(mail.outbox),
    ]


def test_every_address_of_people_is_in_the_table():
    names = {str(one.pattern) for one in urlpatterns if "people" in str(one.pattern)}
    assert names == {f"teach/people/{'<int:number>/' if path else ''}{path}" for path in REACHED}


@pytest.mark.both_databases
@pytest.mark.covering(most=3)
@pytest.mark.parametrize(("path", "method"), PLACES)
def test_only_superusers_reach_any_of_it(client, eve, root, path, method):
    Group.objects.get_or_create(name=INSTRUCTORS)
    learner, teacher = account("bob", teaches=False), account("ada", teaches=True)
    staff = account("sam", teaches=True)
    User.objects.filter(username="sam").update(is_staff=True)
    before = state()
    codes = [ask(one, method, path, eve.pk).status_code for one in (learner, teacher, staff)]
    refused = 403 if REACHED[path][method] != 405 else 405
    assert codes == [refused] * 3
    visited = ask(client, method, path, eve.pk)
    if refused == 403:
        assert (visited.status_code, visited.url.split("?")[0]) == (302, "/accounts/login/")
    assert state() == before
    assert ask(root, method, path, eve.pk).status_code == REACHED[path][method]
    changes = REACHED[path][method] == 302
    assert (state() != before) == changes


@pytest.mark.parametrize("path", [path for path in REACHED if path])
def test_a_post_without_its_token_does_nothing(eve, path):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(User.objects.create_superuser("root"), backend=BACKEND)
    before = state()
    assert ask(strict, POST, path, eve.pk).status_code == 403
    assert state() == before
    assert ask(strict, POST, path, eve.pk + 999).status_code == 403


@pytest.mark.parametrize("path", [path for path in REACHED if path])
def test_an_account_that_is_not_there_is_not_found(root, path):
    assert ask(root, POST, path, 10**6).status_code == 404
    assert resolve(address_of(path, 10**30))
    assert ask(root, POST, path, 10**30).status_code == 404


def press(browser, path, number, **fields):
    return browser.post(address_of(path, number), fields, follow=True).content.decode()


def test_an_instructor_is_made_and_unmade(root, eve):
    assert "eve is an instructor now." in press(root, "role/", eve.pk, teaches="yes")
    assert User.objects.get(pk=eve.pk).is_instructor
    assert "eve is an instructor already." in press(root, "role/", eve.pk, teaches="yes")
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
        assert "root teaches as a superuser." in press(root, "role/", own.pk, teaches=teaches)
    assert root.get("/teach/people/").status_code == 200


def test_the_buttons_lead_back_to_the_list_that_was_shown_and_nowhere_else(root, eve):
    place = address_of("role/", eve.pk)
    here = "/teach/people/?q=eve&before=9999"
    assert root.post(place, {"teaches": "yes", "back": here}).url == here
    for back in ("https://example.org/", "//example.org", "/\\example.org"):
        assert root.post(place, {"teaches": "no", "back": back}).url == "/teach/people/"


def test_the_link_goes_to_the_verified_address_and_sets_a_password(root, client):
    eve = person("eve", "eve@private.example")
    EmailAddress.objects.create(user=eve, email="eve@uni.example", verified=True)
    page = press(root, "password-link/", eve.pk)
    assert "A link to a new password was sent to eve@uni.example." in page
    (sent,) = mail.outbox
    assert sent.to == ["eve@uni.example"]
    (link,) = [word for word in sent.body.split() if "/accounts/password/reset/key/" in word]
    form = client.get(link, follow=True)
    words = {"password1": "turnips-at-dawn", "password2": "turnips-at-dawn"}
    client.post(form.redirect_chain[-1][0], words)
    assert User.objects.get(pk=eve.pk).check_password("turnips-at-dawn")


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: person("eve"), "The account has no e-mail address."),
        (lambda: person("eve", "eve@uni.example"), "No address of this account is confirmed."),
        (
            lambda: User.objects.create_user("eve", email="eve@uni.example"),
            "No address of this account is confirmed.",
        ),
        (
            lambda: person("eve", "eve@uni.example", verified=True, is_active=False),
            "The account is not active.",
        ),
    ],
)
def test_without_a_verified_address_the_page_says_why_there_is_no_link(root, make, why):
    eve = make()
    page = root.get("/teach/people/?q=eve").content.decode()
    assert why in page
    assert "Send a password link" not in page
    way = "password" if eve.is_active else "change"
    assert f"/admin/learners/user/{eve.pk}/{way}/" in page
    assert ("Make an instructor" in page) == eve.is_active
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
    cy = person("Cy", first_name="Cyrus", last_name="the Great")
    EmailAddress.objects.create(user=cy, email="cy@secret.example")
    EmailAddress.objects.create(user=cy, email="king@secret.example")
    account("Zoe", teaches=True)
    page = root.get(f"/teach/people/?{search}")
    assert [found.username for found, _ in page.context["people"]] == names


@pytest.mark.both_databases
def test_the_list_is_paged_and_takes_as_many_queries_for_many(root, django_assert_num_queries):
    def cost():
        root.get(
            "/teach/people/?q=person"
        )  # what is kept of the course is made anew at the first visit
        with django_assert_num_queries(7):
            return root.get("/teach/people/?q=person")

    def more(numbers):
        for number in numbers:
            person(f"person-{number:03}", f"p{number}@uni.example", verified=number % 2 == 0)

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
    assert "/teach/people/" not in account("ada", teaches=True).get("/teach/").content.decode()
