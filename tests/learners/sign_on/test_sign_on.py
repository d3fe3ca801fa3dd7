"""Sign-on with a real provider: first sign-in, the next ones, connecting, leaving."""

import json
import re
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from django.core import mail
from django.db import connection
from django.test import Client

from quizzes.learners.account_adapter import AccountAdapter
from quizzes.learners.models import Learner, Progress, User
from quizzes.learners.sign_on import adapter
from quizzes.learners.sign_on.adapter import suggested_name
from quizzes.limits.learner_cookie import cookie_text
from tests.courses import some_course
from tests.factories import create_class
from tests.learners.accounts import (
    OLD,
    PASSWORD,
    give_code,
    make_account,
    make_stale,
    set_up_app,
    sign_in,
)
from tests.learners.sign_on.provider import Browser, Provider, new_account, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

CONNECTIONS = "/accounts/providers/"
EXPORT, DATA = "/me/data/export/", "/me/data/"
AGAIN_PAGE = "/accounts/reauthenticate/"


@pytest.mark.both_databases(postgresql="soak")
def test_first_sign_in_makes_account(provider: Provider) -> None:
    names = {"first_name": "A\u0301da", "last_name": "L" * 150}
    browser = Browser(provider, provider.person("ada", **names))
    answer = browser.sign_up()
    assert answer.status_code == 302, text_of(answer)
    user = User.objects.get()
    assert browser.account == user.pk
    assert (user.username, user.email) == (browser.person.name, browser.person.address)
    assert user.first_name == "\u00c1da"
    address = EmailAddress.objects.get()
    assert (address.verified, address.primary) == (True, True)
    identity = SocialAccount.objects.get()
    assert (identity.user, identity.provider, identity.uid) == (user, "uni", browser.person.subject)
    assert set(identity.extra_data) == {"iss", "email"}
    assert not SocialApp.objects.exists()
    assert not SocialToken.objects.exists()
    assert not user.has_usable_password()
    again = Browser(provider, browser.person)
    again.go()
    assert again.account == user.pk
    assert User.objects.count() == 1


def test_name_is_sought_for_form_alone(provider: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(name: str) -> str:
        raise AssertionError(name)

    browser = new_account(provider)
    User.objects.create_user("eve")
    stranger = Browser(provider, provider.person("eve", username="eve"))
    page = stranger.client.get(stranger.go()["Location"])
    assert 'value="eve2"' in text_of(page)
    monkeypatch.setattr(adapter, "suggested_name", never)
    again = Browser(provider, browser.person)
    again.go()
    assert again.account == browser.account


def test_request_has_nonce_state_and_challenge(provider: Provider) -> None:
    browser = Browser(provider)
    address = browser.leave(next="/review/", auth_params="prompt=none", scope="admin")
    sent = dict(re.findall(r"[?&]([a-z_]+)=([^&]*)", address))
    assert sent["code_challenge_method"] == "S256"
    assert min(len(sent[name]) for name in ("nonce", "state", "code_challenge")) >= 16
    assert set(sent["scope"].split("+")) == {"openid", "profile", "email"}
    assert "prompt" not in sent


def test_query_of_endpoint_is_kept(provider: Provider) -> None:
    endpoint = "https://uni.example/authorize?p=policy"
    instead = {"add": {"authorization_endpoint": endpoint}}
    provider.switch(answers={"/.well-known/openid-configuration": instead})
    address = urlsplit(Browser(provider).leave())
    sent = parse_qs(address.query)
    assert (sent["p"], sent["client_id"]) == (["policy"], ["ordinal"])
    assert "?" not in address.query


def test_buttons_stand_on_both_pages(provider: Provider, settings) -> None:
    for page in ("/accounts/login/?next=/review/", "/accounts/signup/?next=/review/"):
        html = Client().get(page).content.decode()
        for name in ("uni", "lab"):
            form = re.search(rf'action="/accounts/oidc/{name}/login/".*?</form>', html, re.DOTALL)
            assert form is not None
            assert 'name="next" value="/review/"' in form[0]
    settings.OIDC_PROVIDERS = ()
    assert "/accounts/oidc/" not in Client().get("/accounts/login/").content.decode()
    assert Client().post("/accounts/oidc/uni/login/").status_code == 404


def test_work_before_sign_in_moves_along(provider: Provider) -> None:
    browser = Browser(provider, provider.person())
    learner = Learner.objects.create()
    Progress.objects.create(
        course=some_course(), learner=learner, kind="step", slug="a/b", state="done"
    )
    browser.client.cookies["learner"] = cookie_text(learner.uuid)
    browser.sign_up()
    assert Learner.objects.get(user_id=browser.account).progress.get().slug == "a/b"


def test_address_of_untrusted_provider_stays_unconfirmed(provider: Provider) -> None:
    browser = Browser(provider, provider.person())
    browser.go("lab")
    form = {"username": "ada", "email": "typed@example.org"}
    browser.client.post("/accounts/providers/signup/", form)
    rows = EmailAddress.objects.values_list("email", "verified")
    assert list(rows) == [("typed@example.org", False)]
    assert [message.to for message in mail.outbox] == [["typed@example.org"]]


@pytest.mark.soak
def test_unverified_address_of_trusted_provider_waits(provider: Provider) -> None:
    browser = Browser(provider, provider.person(verified=False))
    page = text_of(browser.client.get(browser.go()["Location"]))
    assert 'name="email"' in page
    browser.client.post("/accounts/providers/signup/", {"username": "ada"})
    assert not EmailAddress.objects.filter(verified=True).exists()


def test_posted_address_never_replaces_confirmed(provider: Provider) -> None:
    browser = Browser(provider, provider.person())
    browser.go()
    form = {"username": "ada", "email": "eve@example.org"}
    browser.client.post("/accounts/providers/signup/", form)
    assert EmailAddress.objects.get().email == browser.person.address


@pytest.fixture
def transactions_without_mail(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no message be sent while a transaction is open."""
    send = AccountAdapter.send_mail

    def check_and_send(*sent: Any) -> None:
        assert not connection.in_atomic_block
        send(*sent)

    monkeypatch.setattr(AccountAdapter, "send_mail", check_and_send)


@pytest.mark.usefixtures("transactions_without_mail")
def test_held_address_makes_no_second_account(provider: Provider) -> None:
    ada = make_account()
    browser = Browser(provider, provider.person(email=OLD.upper()))
    answer = browser.go()
    assert answer.status_code == 409
    assert "You already have an account" in text_of(answer)
    assert browser.account is None
    assert list(User.objects.all()) == [ada]
    # The cure of the page: sign in, connect, and the provider signs in from then on.
    browser.client = sign_in()
    answer = browser.go(process="connect")
    assert answer["Location"] == CONNECTIONS
    assert "you can now sign in with it" in text_of(browser.client.get(CONNECTIONS))
    (message,) = mail.outbox
    assert message.to == [OLD]
    assert "An account at Uni was connected to your account ada" in message.body
    again = Browser(provider, browser.person)
    again.go()
    assert again.account == ada.pk


def test_address_confirmed_meanwhile_makes_no_account(provider: Provider) -> None:
    browser = Browser(provider, provider.person(email=OLD))
    browser.go()
    make_account()
    for answer in (
        browser.client.get("/accounts/providers/signup/"),
        browser.client.post("/accounts/providers/signup/", {"username": "bea"}),
    ):
        assert answer.status_code == 409
    assert User.objects.count() == 1


def test_same_moment_makes_one_account(provider: Provider) -> None:
    browser = Browser(provider, provider.person())
    browser.go()
    other = User.objects.create_user("other")
    SocialAccount.objects.create(user=other, provider="uni", uid=browser.person.subject)
    answer = browser.client.post("/accounts/providers/signup/", {"username": "ada"})
    assert answer.status_code == 400
    assert "at the same moment" in text_of(answer)
    assert list(User.objects.all()) == [other]


def test_name_taken_meanwhile_asks_again(provider: Provider) -> None:
    browser = Browser(provider, provider.person())
    browser.go()
    User.objects.create_user("ada")
    form = "/accounts/providers/signup/"
    answer = browser.client.post(form, {"username": "ada"})
    assert answer.status_code == 200
    assert 'role="alert"' in text_of(answer)
    browser.client.post(form, {"username": "ada.l"})
    assert browser.account == User.objects.get(username="ada.l").pk


def test_changed_address_keeps_account(provider: Provider) -> None:
    browser = new_account(provider)
    make_account("owner")
    provider.switch(claims={"email": OLD})
    again = Browser(provider, browser.person)
    again.go()
    assert again.account == browser.account
    assert list(EmailAddress.objects.filter(user=browser.account).values_list("email")) == [
        (browser.person.address,)
    ]


def test_one_subject_of_two_providers_is_two_accounts(provider: Provider) -> None:
    first = new_account(provider)
    second = Browser(provider, first.person)
    second.go("lab")
    second.client.post("/accounts/providers/signup/", {"username": "another"})
    assert second.account != first.account
    assert SocialAccount.objects.filter(uid=first.person.subject).count() == 2
    for name, browser in (("uni", first), ("lab", second)):
        again = Browser(provider, first.person)
        again.go(name)
        assert again.account == browser.account


def test_identity_of_another_account_is_not_connected(provider: Provider) -> None:
    browser = new_account(provider)
    make_account()
    thief = Browser(provider, browser.person, client=sign_in())
    thief.go(process="connect")
    assert "is already connected to another account here" in text_of(thief.client.get(CONNECTIONS))
    assert SocialAccount.objects.get().user_id == browser.account


def test_connecting_asks_for_password_first(provider: Provider) -> None:
    make_account()
    browser = Browser(provider, provider.person(), client=sign_in())
    address = browser.leave(process="connect")
    make_stale(browser.client)
    answer = browser.client.post("/accounts/oidc/uni/login/", {"process": "connect"})
    assert answer["Location"].startswith(AGAIN_PAGE)
    answer = browser.arrive(browser.authorize(address))  # ten minutes at the provider
    assert answer["Location"].startswith(AGAIN_PAGE)
    assert not SocialAccount.objects.exists()


def test_connecting_asks_for_code_first(provider: Provider) -> None:
    ada, client = make_account(), sign_in()
    browser = Browser(provider, provider.person(), client=client)
    address = browser.leave(process="connect")
    set_up_app(ada.pk)
    asking = f"/accounts/2fa/reauthenticate/?{urlencode({'next': CONNECTIONS, 'only': 'code'})}"
    answer = client.post("/accounts/oidc/uni/login/", {"process": "connect"})
    assert answer["Location"] == asking, "the password was typed just now"
    provider.switch(claims={"amr": ["mfa"]})
    assert browser.arrive(browser.authorize(address))["Location"] == asking
    assert not SocialAccount.objects.exists()
    give_code(client)
    browser.go(process="connect")
    assert SocialAccount.objects.get().user == ada


def test_callback_of_another_account_connects_nothing(provider: Provider) -> None:
    make_account()
    User.objects.create_user("bea", password=PASSWORD)
    browser = Browser(provider, provider.person(), client=sign_in())
    back = browser.authorize(browser.leave(process="connect"))
    states = browser.client.session["socialaccount_states"]
    browser.client = sign_in("bea")
    session = browser.client.session
    session["socialaccount_states"] = states
    session.save()
    assert browser.arrive(back).status_code == 400
    assert not SocialAccount.objects.exists()


def test_second_tab_makes_no_second_account(provider: Provider) -> None:
    ada = make_account()
    browser = Browser(provider, provider.person())
    back = browser.authorize(browser.leave())
    browser.client.post("/accounts/login/", {"login": "ada", "password": PASSWORD})
    answer = browser.arrive(back)
    assert answer.status_code == 403
    assert "connect Uni" in text_of(answer)
    assert (browser.account, User.objects.count()) == (ada.pk, 1)


@pytest.mark.usefixtures("transactions_without_mail")
def test_last_way_in_stays(provider: Provider, settings) -> None:
    browser = new_account(provider)
    thief = Browser(provider, browser.person)
    thief.go()
    identity = SocialAccount.objects.get()
    post = {"identity": identity.pk}
    for has_passwords, cure in ((True, "Set a password first"), (False, "Connect another account")):
        settings.LOCAL_PASSWORDS = has_passwords
        answer = browser.client.post(CONNECTIONS, post, follow=True)
        assert f"Uni is your only way to sign in, so it stays connected. {cure}" in text_of(answer)
    settings.LOCAL_PASSWORDS = True
    browser.go("lab", process="connect")
    assert SocialAccount.objects.count() == 2
    answer = browser.client.post(CONNECTIONS, post, follow=True)
    assert "Uni is no longer connected." in text_of(answer)
    assert mail.outbox[-1].subject == "Ordinal: A way to sign in was removed from your account"
    assert SocialAccount.objects.get().provider == "lab"
    assert (browser.account, thief.account) == (identity.user_id, None)
    stranger = SocialAccount.objects.create(user=make_account("bea"), provider="uni", uid="x")
    for number in (stranger.pk, "x", "9" * 30, ""):
        assert browser.client.post(CONNECTIONS, {"identity": number}).status_code == 404
    assert SocialAccount.objects.count() == 2


def test_identity_of_removed_provider_opens_nothing(provider: Provider, settings) -> None:
    browser = new_account(provider)
    browser.go("lab", process="connect")
    settings.OIDC_PROVIDERS = settings.OIDC_PROVIDERS[:1]
    lab = SocialAccount.objects.get(provider="lab")
    page = text_of(browser.client.get(CONNECTIONS))
    assert "does not offer it any more" in page
    uni = SocialAccount.objects.get(provider="uni")
    browser.client.post(CONNECTIONS, {"identity": uni.pk})
    assert SocialAccount.objects.count() == 2, "the removed one is no way in"
    browser.client.post(CONNECTIONS, {"identity": lab.pk})
    assert SocialAccount.objects.get() == uni


def test_identity_of_former_issuer_is_no_way_in(provider: Provider) -> None:
    browser = new_account(provider)
    browser.go("lab", process="connect")
    uni, lab = SocialAccount.objects.order_by("-provider")
    SocialAccount.objects.filter(pk=uni.pk).update(extra_data={"iss": "https://former.example"})
    page = browser.client.post(CONNECTIONS, {"identity": lab.pk}, follow=True)
    assert "The Lab is your only way to sign in" in text_of(page)
    assert SocialAccount.objects.count() == 2


@pytest.mark.parametrize("has_passwords", [True, False])
def test_messages_name_cure_that_works(
    transactional_db: None, provider: Provider, settings, has_passwords: bool
) -> None:
    browser = new_account(provider)
    settings.LOCAL_PASSWORDS = has_passwords
    browser.go("lab", process="connect")
    lab = SocialAccount.objects.get(provider="lab")
    browser.client.post(CONNECTIONS, {"identity": lab.pk})
    browser.client.post("/accounts/email/", {"action_add": "", "email": "a@b.example"})
    bodies = [message.body for message in mail.outbox if "If this was you" in message.body]
    assert len(bodies) == 3
    for body in bodies:
        assert "Ways to sign in" in body
        assert ("new password" in body) == has_passwords, body


def test_next_may_be_any_word(provider: Provider) -> None:
    browser = new_account(provider)
    assert browser.client.get("/accounts/oidc/uni/login/?next=foo")["Location"] == "foo"
    assert browser.go(process="reauthenticate", next="foo")["Location"] == "foo"
    assert browser.go(process="connect", next="foo")["Location"] == "foo"
    again = Browser(provider, browser.person)
    back = again.authorize(again.leave(next="foo"))
    assert again.go(next="foo")["Location"] == "foo"
    assert again.arrive(back)["Location"] == "foo", "in another tab"
    for page in ("//evil.example", "https://evil.example", "/\\evil.example"):
        assert "evil" not in again.client.get("/accounts/oidc/uni/login/", {"next": page}).url


# ---- who may make an account


def test_closed_site_takes_nobody_new(provider: Provider, settings) -> None:
    browser = new_account(provider)
    settings.SIGNUP = "closed"
    stranger = Browser(provider, provider.person())
    answer = stranger.go()
    assert "not accepting new accounts" in text_of(answer)
    form = {"username": "eve", "password1": "another-long-8"}
    assert "not accepting new accounts" in text_of(stranger.client.post("/accounts/signup/", form))
    assert User.objects.count() == 1
    again = Browser(provider, browser.person)
    again.go()
    assert again.account == browser.account


@pytest.mark.parametrize(
    "way",
    [
        *("code", "roster", "closed code"),
        *(pytest.param(way, marks=pytest.mark.soak) for way in ("wrong code", "other address")),
    ],
)
def test_invited_site_takes_whom_class_knows(provider: Provider, settings, way: str) -> None:
    settings.SIGNUP = "invited"
    cohort = create_class()
    person = provider.person()
    page = f"/join/{cohort.join_code}/"
    if way == "closed code":
        type(cohort).objects.update(join_open=False)
    if way == "wrong code":
        page = "/join/AAAAAAAA/"
    if "code" not in way:
        page = "/review/"
        address = person.address if way == "roster" else "another@uni.example"
        cohort.memberships.create(email=address, name="Ada", state="invited")
    browser = Browser(provider, person)
    answer = browser.go(next=page)
    is_let_in = way in {"code", "roster"}
    assert (answer.status_code == 302) == is_let_in, text_of(answer)
    if not is_let_in:
        assert "New accounts need an invitation" in text_of(answer)
    local = {"username": "bea", "password1": "another-long-8", "next": page}
    answer = Client().post("/accounts/signup/", local)
    assert (answer.status_code == 302) == (way == "code")
    assert User.objects.filter(username="bea").exists() == (way == "code")
    if is_let_in:
        browser.client.post("/accounts/providers/signup/", {"username": "ada"})
        assert browser.account is not None


def test_codes_are_not_guessed_at_sign_up(db: None, settings) -> None:
    settings.SIGNUP = "invited"
    page = f"/accounts/signup/?next=/join/{create_class().join_code}/"
    stranger, other = Client(REMOTE_ADDR="203.0.113.7"), Client(REMOTE_ADDR="203.0.113.8")
    assert "New accounts need" not in text_of(stranger.get(page))
    for _ in range(20):
        stranger.get("/accounts/signup/?next=/join/AAAAAAAA/")
    assert "New accounts need" in text_of(stranger.get(page))
    assert "New accounts need" not in text_of(other.get(page))


# ---- data, and leaving


def test_sign_in_ends_with_browser(provider: Provider) -> None:
    browser = Browser(provider, provider.person())
    browser.sign_up()
    again = Browser(provider, browser.person)
    again.go()
    set_up_app(browser.account)
    with_code = Browser(provider, browser.person)
    give_code(with_code.client, with_code.go()["Location"])
    for person in (browser, again, with_code):
        assert person.account is not None
        cookie = person.client.cookies["sessionid"]
        assert (cookie["max-age"], cookie["expires"]) == ("", "")


def test_export_and_erasure_hold_identities(provider: Provider) -> None:
    browser = new_account(provider)
    exported = json.loads(browser.client.get(EXPORT).content)
    (row,) = exported["accounts you sign in with"]
    assert (row["provider"], row["uid"]) == ("uni", browser.person.subject)
    assert row["extra_data"]["email"] == browser.person.address
    browser.client.post(DATA, {"word": "delete"})
    assert not User.objects.exists()
    assert not SocialAccount.objects.exists()
    again = Browser(provider, browser.person)
    assert again.go()["Location"] == "/accounts/providers/signup/"


def test_sign_out_ends_session(provider: Provider) -> None:
    browser = new_account(provider)
    page = browser.client.post("/accounts/logout/", follow=True)
    assert "sign out at your university or organization too" in text_of(page)
    assert browser.account is None
    assert browser.client.get(CONNECTIONS).status_code == 302
    browser.go()
    assert browser.account is not None


def test_new_key_of_provider_is_taken_at_once(provider: Provider) -> None:
    browser = new_account(provider)
    provider.switch(key=1, published=[1])
    again = Browser(provider, browser.person)
    again.go()
    assert again.account == browser.account


@pytest.mark.soak
def test_inactive_account_stays_out(provider: Provider) -> None:
    browser = new_account(provider)
    User.objects.update(is_active=False)
    again = Browser(provider, browser.person)
    assert again.go()["Location"] == "/accounts/inactive/"
    assert again.account is None


def test_new_issuer_under_old_id_opens_nothing(provider: Provider) -> None:
    browser = new_account(provider)
    SocialAccount.objects.update(extra_data={"iss": "https://former.example", "email": ""})
    again = Browser(provider, browser.person)
    assert again.go().status_code == 502
    assert again.account is None


@pytest.mark.parametrize(
    ("name", "suggestion"),
    [
        ("ada.l@uni.example", "ada.l"),
        ("ada", "ada2"),
        ("admin", ""),
        ("a" * 300, "a" * 40),
        ("Ada Lovelace", "AdaLovelace"),
        ("\u202e!", ""),
    ],
)
def test_suggested_name_is_free(db: None, name: str, suggestion: str) -> None:
    User.objects.create_user("ada")
    assert suggested_name(name) == suggestion
