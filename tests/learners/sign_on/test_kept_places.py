"""A sign-in takes the places that rosters keep for its person, and shows it."""

import pytest
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.socialaccount.models import SocialAccount
from django.http import HttpResponse
from django.test import Client

from quizzes.classes.join_views import SEEN
from quizzes.classes.models import Cohort, Membership
from quizzes.classes.services import invite
from quizzes.learners.models import User
from tests.factories import browser_of, create_account, create_class, create_member
from tests.learners.accounts import NEW, OLD, give_code, make_account, set_up_app, sign_in
from tests.learners.sign_on.provider import Browser, Provider, configured, new_account, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

CONNECTIONS = "/accounts/providers/"
CLASS = "/class/autumn/"
JOINED = "You have joined Class autumn."
USER_INFO = "/identity/o/api/userinfo"


@pytest.fixture
def cohort() -> Cohort:
    return create_class()


@pytest.fixture
def trusted(provider: Provider, settings) -> Provider:
    """The provider whose logins count; the person of the next sign-in has the login "ada"."""
    settings.OIDC_PROVIDERS = configured(provider, login_claim="preferred_username")
    provider.switch(claims={"preferred_username": "ada"})
    return provider


def keep(cohort: Cohort, **facts: str) -> Membership:
    return create_member(cohort, "Ada", state="invited", **({"login_id": ""} | facts))


def owner_of(place: Membership) -> int | None:
    place.refresh_from_db()
    assert place.state == ("active" if place.user_id else "invited")
    return place.user_id


def page_after(browser: Browser, answer: HttpResponse) -> str:
    return text_of(browser.client.get(answer["Location"]))


def test_first_sign_in_joins_by_address(provider: Provider, cohort: Cohort) -> None:
    browser = Browser(provider, provider.person())
    assert browser.person is not None
    place = keep(cohort, email=browser.person.address)
    answer = browser.sign_up()
    assert answer["Location"] == CLASS
    assert JOINED in page_after(browser, answer)
    assert owner_of(place) == browser.account


def test_first_sign_in_joins_by_login(trusted: Provider, cohort: Cohort) -> None:
    place = keep(cohort, login_id="ada")
    browser = Browser(trusted, trusted.person(verified=False))
    browser.go()
    answer = browser.client.post("/accounts/providers/signup/", {"username": "ada"})
    assert answer["Location"] == CLASS
    assert owner_of(place) == browser.account
    assert SocialAccount.objects.get().extra_data["login"] == "ada"


@pytest.mark.parametrize("name", ["uni", "lab"])
def test_untrusted_provider_joins_nothing(provider: Provider, cohort: Cohort, name: str) -> None:
    """At "uni" the address counts and the login does not; at "lab" neither."""
    browser = Browser(provider, provider.person())
    assert browser.person is not None
    provider.switch(claims={"preferred_username": "ada"})
    by_login = keep(cohort, login_id="ada")
    by_address = keep(create_class("spring"), email=browser.person.address)
    browser.go(name)
    browser.client.post("/accounts/providers/signup/", {"username": "ada"})
    assert browser.account is not None
    assert owner_of(by_login) is None
    assert owner_of(by_address) == (browser.account if name == "uni" else None)
    assert "login" not in SocialAccount.objects.get().extra_data


def test_login_comes_from_user_claims(trusted: Provider, cohort: Cohort) -> None:
    place = keep(cohort, login_id="ada")
    browser = Browser(trusted, trusted.person())
    assert browser.person is not None
    said = {"preferred_username": "ada", "email": "eve@uni.example", "sub": browser.person.subject}
    trusted.switch(claims={"preferred_username": None}, answers={USER_INFO: {"add": said}})
    browser.sign_up()
    assert owner_of(place) == browser.account
    assert EmailAddress.objects.get().email == browser.person.address, "the signed one stays"


@pytest.mark.parametrize(
    "login",
    [
        *(None, ["ada"], " "),
        *(pytest.param(odd, marks=pytest.mark.soak) for odd in (7, "a" * 101, "ada\n")),
    ],
)
def test_odd_login_joins_nothing(trusted: Provider, cohort: Cohort, login: object) -> None:
    place = keep(cohort, login_id="ada")
    said = {"add": {"preferred_username": login}}
    trusted.switch(claims={"preferred_username": login}, answers={USER_INFO: said})
    browser = Browser(trusted, trusted.person())
    browser.sign_up()
    assert browser.account is not None
    assert owner_of(place) is None
    assert SocialAccount.objects.get().extra_data["login"] == ""


def test_roster_after_account_counts_at_next_sign_in(trusted: Provider, cohort: Cohort) -> None:
    browser = new_account(trusted)
    assert browser.person is not None
    by_address = keep(cohort, email=browser.person.address)
    by_login = keep(create_class("spring"), login_id="ada")
    answer = browser.client.get(CLASS)
    assert answer.status_code == 404
    again = Browser(trusted, browser.person)
    answer = again.go()
    assert answer["Location"] == "/", "of two classes neither is shown first"
    page = page_after(again, answer)
    assert JOINED in page
    assert f"You have joined Class spring. {SEEN}" in page
    assert owner_of(by_address) == owner_of(by_login) == browser.account


def test_code_comes_before_place(trusted: Provider, cohort: Cohort) -> None:
    browser = new_account(trusted)
    assert browser.account is not None
    place = keep(cohort, login_id="ada")
    set_up_app(browser.account)
    again = Browser(trusted, browser.person)
    page = again.go()["Location"]
    assert owner_of(place) is None
    give_code(again.client, page)
    assert owner_of(place) == again.account == browser.account


def test_password_joins_by_confirmed_address_alone(trusted: Provider, cohort: Cohort) -> None:
    ada = make_account()
    facts = {"iss": trusted.url, "email": OLD, "login": "ada"}
    SocialAccount.objects.create(user=ada, provider="uni", uid="1", extra_data=facts)
    by_address = keep(cohort, email=OLD)
    by_login = keep(create_class("spring"), login_id="ada")
    assert JOINED in text_of(sign_in().get("/"))
    assert owner_of(by_address) == ada.pk
    assert owner_of(by_login) is None, "the provider may have given the login to somebody else"


def test_claimed_address_joins_nothing(cohort: Cohort) -> None:
    make_account()
    place = keep(cohort, email="claimed@example.org")
    sign_in()
    assert owner_of(place) is None


def test_confirmed_address_joins_and_says_so(cohort: Cohort) -> None:
    ada = create_account("ada", email=OLD, verified=False)
    place = keep(cohort, email=OLD)
    browser = browser_of(ada)
    key = EmailConfirmationHMAC(EmailAddress.objects.get()).key
    browser.post(f"/accounts/confirm-email/{key}/")
    assert owner_of(place) == ada.pk
    assert JOINED in text_of(browser.get("/"))


def test_strange_browser_confirms_without_class_name(cohort: Cohort) -> None:
    ada = create_account("ada", email=OLD, verified=False)
    place = keep(cohort, email=OLD)
    browser = Client()
    key = EmailConfirmationHMAC(EmailAddress.objects.get()).key
    browser.post(f"/accounts/confirm-email/{key}/")
    assert owner_of(place) == ada.pk
    assert "Class autumn" not in text_of(browser.get("/"))


# ---- an account that exists


def test_account_that_exists_connects_and_joins(trusted: Provider, cohort: Cohort) -> None:
    ada, person = make_account(), trusted.person()
    EmailAddress.objects.filter(email=NEW).update(email=person.address)
    by_address = keep(cohort, email=person.address)
    by_login = keep(create_class("spring"), login_id="ada")
    browser = Browser(trusted, person)
    answer = browser.go()
    assert answer.status_code == 409
    assert "You already have an account" in text_of(answer)
    assert owner_of(by_address) is owner_of(by_login) is None
    browser.client = sign_in()  # as the page says
    assert owner_of(by_address) == ada.pk
    answer = browser.go(process="connect")
    assert answer["Location"] == CONNECTIONS
    assert "You have joined Class spring." in page_after(browser, answer)
    assert owner_of(by_login) == ada.pk
    again = Browser(trusted, browser.person)
    again.go()
    assert (again.account, User.objects.count()) == (ada.pk, 1)


def test_connecting_joins_by_address_of_provider(provider: Provider, cohort: Cohort) -> None:
    ada, person = make_account(), provider.person()
    place = keep(cohort, email=person.address)
    untrusted = Browser(provider, person, client=sign_in())
    untrusted.go("lab", process="connect")
    assert owner_of(place) is None
    untrusted.go(process="connect")
    assert owner_of(place) == ada.pk
    assert not EmailAddress.objects.filter(email=person.address).exists()


def test_connecting_anothers_identity_joins_nothing(trusted: Provider, cohort: Cohort) -> None:
    owner = new_account(trusted)
    place = keep(cohort, login_id="ada")
    make_account()
    thief = Browser(trusted, owner.person, client=sign_in())
    answer = thief.go(process="connect")
    assert "already connected to another account" in page_after(thief, answer)
    assert owner_of(place) is None


def test_taken_place_makes_no_twin(trusted: Provider, cohort: Cohort) -> None:
    browser = Browser(trusted, trusted.person())
    assert browser.person is not None
    place = create_member(cohort, "bea", login_id="ada", email=browser.person.address)
    browser.sign_up()
    assert browser.account != owner_of(place)
    assert not Membership.objects.filter(user=browser.account).exists()
    assert cohort.memberships.count() == 1


# ---- where it leads


@pytest.mark.parametrize(
    "way",
    ["code", "personal link", pytest.param("other code", marks=pytest.mark.soak), "other page"],
)
def test_page_of_same_class_leads_into_it(provider: Provider, cohort: Cohort, way: str) -> None:
    browser = new_account(provider)
    assert browser.person is not None
    other, ida = create_class("spring"), create_account("ida")
    place = keep(cohort, email=browser.person.address)
    page = {
        "code": f"/join/{cohort.join_code}/",
        "personal link": f"/invited/{invite(members=[place], by=ida)[place.pk]}/",
        "other code": f"/join/{other.join_code}/",
        "other page": "/review/",
    }[way]
    again = Browser(provider, browser.person)
    answer = again.go(next=page)
    assert answer["Location"] == (page if "other" in way else CLASS)
    assert JOINED in page_after(again, answer)
    assert owner_of(place) == again.account


def test_instructor_of_roster_lands_at_class(trusted: Provider, cohort: Cohort) -> None:
    keep(cohort, login_id="ada", role="instructor")
    browser = Browser(trusted, trusted.person())
    answer = browser.sign_up()
    assert answer["Location"] == "/teach/classes/autumn/"
    assert SEEN not in page_after(browser, answer)


# ---- who may make an account


@pytest.mark.parametrize("login", ["ada", "eve"])
def test_invited_site_takes_login_of_roster(
    trusted: Provider, cohort: Cohort, settings, login: str
) -> None:
    settings.SIGNUP = "invited"
    place = keep(cohort, login_id="ada")
    trusted.switch(claims={"preferred_username": login})
    browser = Browser(trusted, trusted.person())
    answer = browser.go()
    if login == "eve":
        assert "New accounts need an invitation" in text_of(answer)
        assert not User.objects.exists()
    else:
        browser.client.post("/accounts/providers/signup/", {"username": "ada"})
        assert owner_of(place) == browser.account is not None
