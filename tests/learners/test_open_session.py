"""An open session is not the account: what takes it over or away asks for the password again.

The tables name every address under /accounts/ and /me/. An address that is added and is in neither
fails, so that somebody decides; and of every address of the site, whatever its table says, it is
tried whether an old session changes how the account is signed in to, or gets or deletes its data.
"""

import json
import re
from urllib.parse import urlencode

import pytest
from allauth.account.internal.flows.reauthentication import STATE_SESSION_KEY
from allauth.account.models import EmailAddress
from allauth.core.internal.httpkit import serialize_request
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.core import mail
from django.core.cache import cache
from django.db import transaction
from django.test import Client, RequestFactory

from quizzes.learners.models import Learner, Progress, User
from quizzes.learners.password_again import AGAIN
from quizzes.learners.sign_on.providers import OidcProvider
from tests.courses import at, some_course
from tests.learners.accounts import (
    CLAIMED,
    NEW,
    OLD,
    PASSWORD,
    copy_session,
    make_account,
    make_stale,
    sign_in,
)
from tests.learners.addresses import Address, addresses

pytestmark = pytest.mark.django_db

CHOSEN = "another-long-8"
EVE = "eve@example.org"
SECRET = "what/only-ada-did"
ASKING = "/accounts/reauthenticate/"
MFA = "tests/learners/test_second_factor.py"
SIGN_ON = "tests/learners/sign_on/test_sign_on.py"
CONFIRMATION = "tests/learners/sign_on/test_confirmation.py"
IDENTITY = 4321  # the key of an identity that the account has

# What must ask: the address, and posts (None: a GET) that would take the account or its data.
ASKS: dict[str, list[dict[str, str] | None]] = {
    "accounts/email/": [
        {"action_add": "", "email": EVE},
        {"action_remove": "", "email": NEW},
        {"action_remove": "", "email": CLAIMED},
        {"action_primary": "", "email": NEW},
    ],
    "accounts/password/change/": [{"password1": CHOSEN, "password2": CHOSEN}],
    "accounts/providers/": [{"identity": str(IDENTITY)}],
    "me/data/": [{"word": "delete"}],
    "me/data/export/": [None],
}
# The field in which an address of the table asks by itself; the others ask on a page of its own.
ASKED_IN_PLACE = {"accounts/password/change/": "oldpassword", "me/data/": "password"}
OPEN = {
    "accounts/login/": "signs in, with the password",
    "accounts/logout/": "ends the session",
    "accounts/signup/": "makes another account",
    "accounts/inactive/": "a page of words",
    "accounts/reauthenticate/": "is what asks",
    "accounts/confirm-email/": "a page of words",
    "accounts/^confirm-email/(?P<key>[-:\\w]+)/$": "whoever has the link has the mailbox",
    "accounts/password/set/": f"of an account without a password, and asks: {CONFIRMATION}",
    "accounts/password/reset/": "sends a link to a confirmed address",
    "accounts/password/reset/done/": "a page of words",
    "accounts/password/reset/key/done/": "a page of words",
    "accounts/^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$": (
        "whoever has the link has the mailbox"
    ),
    "accounts/login/code/confirm/": "no codes are sent",
    "accounts/oidc/<slug:provider_id>/login/": f"leads to a provider; to connect, asks: {SIGN_ON}",
    "accounts/oidc/<slug:provider_id>/login/callback/": f"takes what was begun: {SIGN_ON}",
    "accounts/providers/signup/": "makes an account for who signed in at a provider",
    "accounts/2fa/": "says whether there is a second factor",
    "accounts/2fa/authenticate/": "is part of the sign-in",
    "accounts/2fa/reauthenticate/": "is what asks",
    "accounts/2fa/totp/activate/": f"asks: {MFA}",
    "accounts/2fa/totp/deactivate/": f"asks: {MFA}",
    "accounts/2fa/recovery-codes/": f"asks: {MFA}",
    "accounts/2fa/recovery-codes/generate/": f"asks: {MFA}",
    "accounts/2fa/recovery-codes/download/": f"asks: {MFA}",
    "accounts/sessions/": "lists one's sessions, without keys, and ends the others",
    "^me/progress/(?P<rest>.*)$": "leads to the page of a course",
}
# Fields of every form that could take an account over, with what an intruder would put there.
WISHES = {
    "email": EVE,
    "username": "eve",
    "password": "guess",
    "oldpassword": "guess",
    "old_password": "guess",
    "password1": CHOSEN,
    "password2": CHOSEN,
    "new_password1": CHOSEN,
    "new_password2": CHOSEN,
    "word": "delete",
    "verified": "on",
    "primary": "on",
    "post": "yes",
    "identity": str(IDENTITY),
    "process": "connect",
    "action": "delete_selected",
}


@pytest.fixture
def ada():
    user = make_account()
    SocialAccount.objects.create(pk=IDENTITY, user=user, provider="uni", uid="1")
    learner = Learner.objects.create(user=user)
    Progress.objects.create(
        course=some_course(), learner=learner, kind="step", slug=SECRET, state="done"
    )
    return user


def provider_of(user: User) -> tuple[OidcProvider, ...]:
    """Return a provider of sign-on whose id fills the addresses; it does not answer."""
    number = str(user.pk)
    return (OidcProvider(number, "Uni", "http://127.0.0.1:9/none", "ordinal", "a secret"),)


def account_of(user: User) -> object:
    """Return all that says how the account is signed in to, and that it has its data."""
    rows = User.objects.filter(pk=user.pk).values_list("username", "email", "password", "is_active")
    mails = EmailAddress.objects.filter(user_id=user.pk).order_by("pk")
    kept = Progress.objects.filter(slug=SECRET, learner__user_id=user.pk).exists()
    factors = Authenticator.objects.filter(user_id=user.pk).order_by("pk").values_list("pk", "data")
    identities = list(SocialAccount.objects.filter(user_id=user.pk).values_list("pk"))
    addresses_of = list(mails.values_list("email", "verified", "primary"))
    return list(rows), addresses_of, list(factors), identities, kept


def ask(client: Client, path: str, data: dict[str, str] | None):
    return client.get(path) if data is None else client.post(path, data)


def takes(
    user: User, client: Client, path: str, data: dict[str, str] | None, before: object = None
) -> str:
    """Say what this request changes or hands out, "" for nothing; afterwards all is as before.

    Whoever asks often and had "" says what was `before`.
    """
    before = before or account_of(user)
    with transaction.atomic():
        answer = ask(client, path, data)
        after = account_of(user)
        transaction.set_rollback(True)
    if after != before:
        return f"{path} {data}: {before} became {after}"
    handed_out = "attachment" in answer.get("Content-Disposition", "")
    if handed_out and SECRET.encode() in answer.getvalue():
        return f"{path} {data}: hands out what was done"
    return ""


def under_the_account() -> list[Address]:
    return [one for one in addresses() if one.route.lstrip("^").startswith(("accounts/", "me/"))]


def test_every_address_of_accounts_is_in_a_table():
    assert {one.route for one in under_the_account()} == set(ASKS) | set(OPEN)


@pytest.mark.parametrize("route", ASKS)
def test_an_old_session_is_asked_for_the_password(ada, route):
    client = make_stale(sign_in())
    for data in ASKS[route]:
        assert takes(ada, copy_session(client), f"/{route}", data) == ""
        answer = ask(copy_session(client), f"/{route}", data)
        if name := ASKED_IN_PLACE.get(route):
            assert answer.context["form"].errors[name]
        else:
            assert answer.url.startswith("/accounts/reauthenticate/?next=")


@pytest.mark.parametrize("route", ASKS)
def test_after_the_password_the_same_request_is_granted(ada, route):
    """The control of the tests beside it: what they see refused does happen otherwise."""
    client = sign_in()
    for data in ASKS[route]:
        name = ASKED_IN_PLACE.get(route)
        whole = {**(data or {}), name: PASSWORD} if name else data
        assert takes(ada, copy_session(client), f"/{route}", whole) != ""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("superuser", "everywhere"),
    [
        pytest.param(False, True, marks=pytest.mark.soak),
        (True, False),
        pytest.param(True, True, marks=pytest.mark.soak),
    ],
)
def test_no_address_of_the_site_gives_an_old_session_the_account(superuser, everywhere, settings):
    """Nor keeps a password in the session, where a post waits until its sender is known.

    By day at all addresses of the account and at some of the others.
    """
    user = make_account(superuser=superuser)
    SocialAccount.objects.create(pk=IDENTITY, user=user, provider="uni", uid="1")
    learner = Learner.objects.create(user=user)
    Progress.objects.create(
        course=some_course(), learner=learner, kind="step", slug=SECRET, state="done"
    )
    client = make_stale(sign_in())
    settings.OIDC_PROVIDERS = provider_of(user)
    wishes = {**WISHES, "user": str(user.pk), "_selected_action": str(user.pk)}
    bodies = (None, {**wishes, "action_add": ""})
    of_accounts = {**wishes, "action_primary": "", "email": NEW}  # two actions are not one's wish
    before, account = account_of(user), under_the_account()
    others = [address for address in addresses() if address not in account]
    for address in [*account, *others[:: 1 if everywhere else 8]]:
        path = address.path(str(user.pk), "auth", "x")
        for body in (*bodies, *([of_accounts] if everywhere or address in account else [])):
            browser = copy_session(client)
            assert takes(user, browser, path, body, before) == ""
            assert CHOSEN not in json.dumps(dict(browser.session.items()), default=str), path


def test_a_superusers_old_session_changes_nothing_in_the_administration():
    user = make_account(superuser=True)
    client = make_stale(sign_in())
    walked = [one for one in addresses() if one.route.startswith("admin/")]
    assert len(walked) > 20
    open_ones = {"admin/login/", "admin/logout/", "admin/password_change/"}
    for one in (one for one in walked if one.route not in open_ones):
        path = one.path(str(user.pk), "auth")
        answer = copy_session(client).post(path, WISHES)
        assert answer.status_code == 302, path
        assert answer.url.startswith("/accounts/reauthenticate/"), path


def test_a_session_that_has_just_signed_in_is_not_asked_again(ada):
    answer = sign_in().get("/me/data/export/")
    assert json.loads(answer.content)["account"]["username"] == "ada"


def test_an_account_that_has_just_signed_up_is_not_asked_again(db):
    client = Client()
    fields = {"username": "bea", "email": "bea@example.org", "password1": CHOSEN}
    assert client.post("/accounts/signup/", fields).status_code == 302
    assert client.get("/me/data/export/")["Content-Type"] == "application/json"


def test_account_without_any_way_to_confirm_is_refused(ada):
    ada.set_unusable_password()
    ada.save()
    client = Client()
    client.force_login(ada)
    make_stale(client)
    before = account_of(ada)
    for address, body in (
        ("/me/data/export/", None),
        ("/accounts/email/", ASKS["accounts/email/"][0]),
        ("/me/data/", {"word": "delete"}),
        ("/accounts/password/set/", {"password1": CHOSEN, "password2": CHOSEN}),
    ):
        answer = client.get(ask(client, address, body)["Location"])
        assert answer.status_code == 403
        assert "Request a link to set a password" in answer.content.decode()
    assert account_of(ada) == before


def test_a_visitor_without_an_account_takes_and_deletes_what_the_browser_did(client):
    client.post(at("/learn/steps/done/"))  # whatever this answers, a visitor has no password
    assert client.get("/me/data/export/")["Content-Type"] == "application/json"
    assert "/accounts/" not in client.post("/me/data/", {"word": "delete"}).get("Location", "")


def type_password(client: Client, page: str):
    return client.post("/accounts/reauthenticate/", {"password": PASSWORD, "next": page})


def test_a_post_is_not_done_when_the_password_is_typed_but_when_it_is_made_again(ada):
    client = make_stale(sign_in())
    wanted = {"action_primary": "", "email": NEW}
    asked = client.post("/accounts/email/", wanted)
    answer = client.post(asked.url, {"password": PASSWORD, "next": "/accounts/email/"})
    assert answer.url == "/accounts/email/"
    assert EmailAddress.objects.get(primary=True).email == OLD
    assert AGAIN in client.get("/accounts/email/").content.decode()
    assert AGAIN not in client.get("/accounts/email/").content.decode()
    client.post("/accounts/email/", wanted)
    assert EmailAddress.objects.get(primary=True).email == NEW
    assert client.get("/me/data/export/").status_code == 200  # and it counts for the next minutes


def test_a_password_typed_for_a_page_to_read_speaks_of_no_change(ada):
    client = make_stale(sign_in())
    type_password(client, client.get("/me/data/export/").url.partition("next=")[2])
    assert AGAIN not in client.get("/me/data/").content.decode()


@pytest.mark.slow
@pytest.mark.parametrize("superuser", [False, pytest.param(True, marks=pytest.mark.soak)])
def test_what_an_intruder_posted_is_not_done_when_the_owner_types_the_password(superuser, settings):
    """At any address, and whatever the owner types it for: something else, or the same page."""
    user = make_account(superuser=superuser)
    settings.OIDC_PROVIDERS = provider_of(user)
    before, client = account_of(user), make_stale(sign_in())
    walked = [one for one in addresses() if one.route.startswith(("accounts/", "me/", "admin/"))]
    asking = 0
    for one in (one for one in [*walked, *people_posts()] if "logout" not in one.route):
        path = one.path(str(user.pk), "auth", "x")
        for data in ASKS.get(one.route, [{**WISHES, "action_add": ""}]):
            browser = copy_session(client)
            if not ask(browser, path, data).get("Location", "").startswith(ASKING):
                continue
            asking += 1
            copies = [copy_session(browser), copy_session(browser)]
            for owner, page in zip(copies, (path, "/me/data/"), strict=True):
                cache.clear()  # the owner's 30 a minute
                assert type_password(owner, page).url == page
                assert account_of(user) == before, (path, page)
    assert asking >= (25 if superuser else 6)


def test_a_post_that_an_earlier_release_kept_is_forgotten(ada):
    client = make_stale(sign_in())
    browser = client.session
    kept = RequestFactory().post("/accounts/email/", {"action_add": "", "email": EVE})
    browser[STATE_SESSION_KEY] = {"request": serialize_request(kept)}
    browser.save()
    type_password(client, "/accounts/email/")
    assert not EmailAddress.objects.filter(email=EVE).exists()
    assert STATE_SESSION_KEY not in client.session


def people_posts() -> list[Address]:
    return [one for one in addresses() if re.match(r"teach/people/.+", one.route)]


def test_a_superusers_old_session_changes_nobody_on_the_page_of_people():
    make_account(superuser=True)
    eve = User.objects.create_user("eve", email=EVE)
    EmailAddress.objects.create(user=eve, email=EVE, primary=True, verified=True)
    client = make_stale(sign_in())
    here = "/teach/people/?q=eve"
    assert len(people_posts()) >= 2
    for one in people_posts():
        browser, mails = copy_session(client), len(mail.outbox)
        sent = {"teaches": "yes", "back": here}
        asked = browser.post(one.path(str(eve.pk)), sent)
        assert asked.url == f"/accounts/reauthenticate/?{urlencode({'next': here})}"
        assert (eve.groups.count(), len(mail.outbox)) == (0, mails)
        assert type_password(browser, here).url == here
        assert (eve.groups.count(), len(mail.outbox)) == (0, mails)
        assert AGAIN in browser.get(here).content.decode()
        assert browser.post(one.path(str(eve.pk)), sent).url == here
        assert (eve.groups.count(), len(mail.outbox)) != (0, mails)
        eve.groups.clear()


def test_the_export_goes_on_from_the_page_of_data(ada):
    client = make_stale(sign_in())
    asked = client.get("/me/data/export/")
    page = client.get(asked.url)
    assert "Confirm that it is you" in page.content.decode()
    back = client.post(
        asked.url, {"password": PASSWORD, "next": page.context["redirect_field_value"]}
    )
    assert back.url == "/me/data/?download=1"
    html = client.get(back.url).content.decode()
    assert '<meta http-equiv="refresh" content="0;url=/me/data/export/">' in html
    assert client.get("/me/data/export/")["Content-Type"] == "application/json"
