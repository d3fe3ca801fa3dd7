"""Who counts as whom: persons, addresses, and all newcomers together; what a refusal says."""

import itertools
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest
from django.http import HttpRequest
from django.test import Client, RequestFactory
from django.urls import get_resolver

from quizzes.learners.identity import kept_learner, learner_for_writing
from quizzes.learners.models import Learner, User
from quizzes.limits import bucket as bucket_module
from quizzes.limits import limits
from quizzes.limits.bucket import Bucket
from quizzes.limits.client_address import network_of
from quizzes.limits.limits import Limit, LimitReachedError
from quizzes.limits.middleware import refuse
from quizzes.limits.models import Budget
from tests.courses import at
from tests.factories import create_question
from tests.learners.visitors import OTHER, VISITOR, cookie_of, request_from

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

SLOW = 1e-4  # a second: nothing comes back within a test


def small_limit(person: float, address: float, newcomers: float) -> Limit:
    """Return a limit of so much at once."""
    names = zip(("person", "address", "newcomers"), (person, address, newcomers), strict=True)
    return Limit(*[Bucket(f"test {name}", SLOW, most, most) for name, most in names])


def count_passes(limit: Limit, requests: Iterator[HttpRequest], tries: int = 40) -> int:
    """Return how many of the requests the limit lets through."""
    passes = 0
    for request in itertools.islice(requests, tries):
        try:
            limit.spend(request)
        except LimitReachedError:
            continue
        passes += 1
    return passes


NUMBERS = {
    "one IPv4 address": lambda n: VISITOR,
    "one IPv4 address of a dual socket": lambda n: f"::ffff:{VISITOR}",
    "many IPv4 addresses": lambda n: f"198.51.100.{n}",
    "one IPv6 /64": lambda n: f"2001:db8::{n + 1:x}",
    "many IPv6 /64": lambda n: f"2001:db8:0:{n:x}::1",
    "this machine": lambda n: ("127.0.0.1", "::1", "::ffff:127.0.0.1")[n % 3],
}
ACCOUNT, COOKIE, STRANGER, MADE_UP = "account", "cookie", "stranger", "made-up cookies"


def send_as(who: str, address_of: Callable[[int], str], **headers: str) -> Iterator[HttpRequest]:
    """Yield requests of one person, or of strangers, from address after address."""
    cookies = cookie_of("127.0.0.1") if who == COOKIE else {}
    for number in itertools.count():
        request = request_from(address_of(number), **headers)
        made_up = {"learner": f"made-up-{number}"} if who == MADE_UP else {}
        request.COOKIES.update(cookies | made_up)
        if who == ACCOUNT:
            request.user = SimpleNamespace(pk=7, is_authenticated=True)
        yield request


@pytest.mark.parametrize(
    ("addresses", "who", "passes"),
    [
        *[(kind, ACCOUNT, 4) for kind in NUMBERS if kind != "this machine"],
        *[(kind, COOKIE, 4) for kind in NUMBERS if kind != "this machine"],
        ("one IPv4 address", STRANGER, 9),
        ("one IPv4 address of a dual socket", STRANGER, 9),
        ("one IPv4 address", MADE_UP, 9),
        ("one IPv6 /64", STRANGER, 9),
        ("many IPv4 addresses", STRANGER, 15),
        ("many IPv6 /64", STRANGER, 15),
        ("many IPv6 /64", MADE_UP, 15),
        *[("this machine", who, 40) for who in (ACCOUNT, COOKIE, STRANGER)],
    ],
)
def test_requests_count_by_who_sends_them(addresses, who, passes):
    """A person has 4, an address 12 and all newcomers 20, of which strangers leave a quarter."""
    limit = small_limit(4, 12, 20)
    assert count_passes(limit, send_as(who, NUMBERS[addresses])) == passes
    assert Budget.objects.count() <= 2 + passes  # none for a cookie that is made up


def test_strangers_leave_a_part_to_known_people():
    limit, one = small_limit(2, 12, 20), NUMBERS["one IPv4 address"]
    assert count_passes(limit, send_as(STRANGER, one)) == 9
    assert count_passes(limit, send_as(COOKIE, one)) == 2
    assert count_passes(limit, send_as(ACCOUNT, one)) == 1  # the last of the address
    assert count_passes(limit, send_as(ACCOUNT, NUMBERS["many IPv4 addresses"])) == 1


def test_newcomers_together_take_nothing_from_accounts():
    limit, many = small_limit(2, 12, 20), NUMBERS["many IPv6 /64"]
    assert count_passes(limit, send_as(STRANGER, many)) == 15
    assert sum(count_passes(limit, send_as(COOKIE, many)) for _ in range(5)) == 5
    assert count_passes(limit, send_as(ACCOUNT, many)) == 2


def test_refused_person_takes_nothing_from_the_address():
    limit, one = small_limit(2, 12, 20), NUMBERS["one IPv4 address"]
    assert count_passes(limit, send_as(COOKIE, one), tries=100) == 2
    assert limit.address.wait(VISITOR, 10) == 0


@pytest.mark.parametrize(("proxies", "passes"), [(1, 9), (0, 40)])
def test_forged_addresses_count_for_nothing(settings, proxies, passes):
    """Behind a proxy the last entry counts; without a proxy none, and this machine is free."""
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = proxies
    numbers = itertools.count()

    def forged() -> Iterator[HttpRequest]:
        for number in numbers:
            forwarded = f"10.0.0.{number}, {VISITOR}"
            yield request_from("127.0.0.1", HTTP_X_FORWARDED_FOR=forwarded)

    assert count_passes(small_limit(4, 12, 20), forged()) == passes


def test_addresses_are_counted_as_networks():
    assert network_of("2001:db8::1") == network_of("2001:db8::2")
    assert network_of("2001:db8::1") != network_of("2001:db8:0:1::1")
    assert network_of(f"::ffff:{VISITOR}") == VISITOR


# ---- the numbers of the site


def buckets_of_the_site() -> dict[str, Bucket]:
    """Return every bucket that a module of the site has, by its name."""
    get_resolver().url_patterns  # noqa: B018  (loads all rooms)
    rooms = [module for name, module in sys.modules.items() if name.startswith("quizzes.")]
    values = [value for room in rooms for value in vars(room).values()]
    parts = [vars(value).values() if isinstance(value, Limit) else [value] for value in values]
    buckets = [part for some in parts for part in some if isinstance(part, Bucket)]
    return {bucket.name: bucket for bucket in buckets}


def test_clock_an_hour_ahead_locks_nobody_out(monkeypatch):
    buckets, now = buckets_of_the_site(), time.time()
    assert {"posts", "seconds", "wrong codes of classes", "codes of an account"} <= buckets.keys()
    for hours in (1, 0):
        monkeypatch.setattr(
            bucket_module, "time", SimpleNamespace(time=lambda h=hours: now + 3600 * h)
        )
        for bucket in buckets.values():
            if hours:
                bucket.charge("a", 2 * bucket.at_once)
            assert bucket.take("a", bucket.at_once) == 0 or hours, bucket


@pytest.mark.both_databases(postgresql="soak")
def test_class_of_200_has_room_in_every_limit():
    """Each signs up after a refused form, and then, known by then, makes twenty posts."""
    for _ in range(200):
        for _ in range(2):
            limits.SIGN_INS.spend(request_from())
            limits.POSTS.spend(request_from())
        limits.ROWS.spend(request_from(), limits.NEWCOMER_ROWS)
    for _ in range(20):
        assert limits.POSTS.address.take(VISITOR, 200) == 0


def test_newcomers_fill_a_bounded_part_of_a_database():
    """20 MB in five minutes, whatever the number of addresses; no less than for one class."""
    newcomers, address = limits.ROWS.newcomers, limits.ROWS.address
    most = newcomers.at_once + 300 * newcomers.per_second
    assert limits.ROW_BYTES * most <= 21_000_000
    assert most / limits.NEWCOMER_ROWS <= 7_000  # learners
    assert newcomers.at_once >= 2 * address.at_once
    assert newcomers.per_second >= 2 * address.per_second


# ---- rows of visitors


def test_class_of_200_begins_at_once_behind_one_address():
    for _ in range(200):
        learner_for_writing(request_from())
    assert Learner.objects.count() == 200


def few_rows(monkeypatch: pytest.MonkeyPatch, *, address: float, newcomers: float) -> None:
    limit = small_limit(1_000, address, newcomers)
    for name in ("learners.identity", "learners.account_adapter"):
        monkeypatch.setattr(f"quizzes.{name}.ROWS", limit)


def test_flood_makes_few_learners_at_any_number_of_addresses(monkeypatch):
    few_rows(monkeypatch, address=400, newcomers=800)
    for number in range(100):
        try:
            learner_for_writing(request_from(f"198.51.100.{number}"))
        except LimitReachedError:
            break
    assert Learner.objects.count() == 0.75 * 800 // (limits.NEWCOMER_ROWS + 1)


def test_refused_newcomer_stores_nothing_and_may_read(client, monkeypatch):
    key = create_question().current.options.get(is_key=True)
    few_rows(monkeypatch, address=2, newcomers=100)
    practice = at("/practice/row-zero/")
    for _ in range(3):
        answer = client.post(practice, {"option": key.pk}, REMOTE_ADDR=VISITOR)
        assert answer.status_code == 429
    assert not Learner.objects.exists()
    names = [limits.ROWS.address.key(VISITOR), limits.ROWS.newcomers.key("")]
    assert not Budget.objects.filter(pk__in=names).exists()
    assert client.get(practice, REMOTE_ADDR=VISITOR).status_code == 200


def test_rows_of_a_visitor_grow_within_a_limit(client, monkeypatch):
    from tests.exercises.making import ready_exercise

    exercise = ready_exercise()
    few_rows(monkeypatch, address=18, newcomers=100)
    address = exercise.get_absolute_url() + "draft/"
    sender = {"REMOTE_ADDR": VISITOR}
    first = client.post(address, {"code": "x = 1"}, **sender)
    assert first.status_code == 200
    token = first.json()["token"]
    for code in ("x = 2", "x = 3") * 20:  # as long as before: costs nothing
        answer = client.post(address, {"code": code, "based_on": token}, **sender)
        assert answer.status_code == 200
        token = answer.json()["token"]
    answer = client.post(address, {"code": "x" * 2400, "based_on": token}, **sender)
    assert answer.status_code == 429
    form = {"code": "x = 2", "kind": "check", "key": uuid4()}
    assert client.post(exercise.get_absolute_url(), form, **sender).status_code == 429
    assert Client().post(address, {"code": "x" * 400}, **sender).status_code == 429
    assert Learner.objects.count() == 1  # the second visitor got none


def test_refused_block_takes_nothing_of_the_newcomers(monkeypatch):
    few_rows(monkeypatch, address=100, newcomers=8)
    for _ in range(20):
        with pytest.raises(LimitReachedError), kept_learner(request_from(), rows=4):
            pass
    assert not Budget.objects.exists()


PASSWORD = "correct horse battery"


def sign_up(name: str, client: Client | None = None) -> int:
    """Return the status of the answer to a form of a new account."""
    form = {"username": name, "password1": PASSWORD, "email": f"{name}@example.org"}
    client = client or Client()
    return client.post("/accounts/signup/", form, REMOTE_ADDR=VISITOR).status_code


def test_accounts_that_are_made_are_newcomers(monkeypatch):
    few_rows(monkeypatch, address=19, newcomers=100)
    assert [sign_up("") for _ in range(3)] == [200, 200, 200]
    assert sign_up("ada") == 302
    assert sign_up("bob") == 429
    assert not User.objects.filter(username="bob").exists()
    cookies = cookie_of("127.0.0.1")
    for name, status in (("bob", 302), ("cy", 429)):  # a newcomer before, and an account since
        known = Client()
        known.cookies.load(cookies)
        assert sign_up(name, known) == status


# ---- what a refusal says


def few_posts(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    limit = replace(small_limit(2, 4, 4), newcomers=None)
    monkeypatch.setattr(f"quizzes.limits.middleware.{name}", limit)


def test_every_kind_of_post_is_counted(client, monkeypatch):
    few_posts(monkeypatch, "POSTS")
    create_question()
    practice = at("/practice/row-zero/")
    assert client.post(practice, {}, REMOTE_ADDR=VISITOR).status_code == 400
    for method in ("post", "put", "delete", "patch"):
        answer = getattr(client, method)("/nowhere/at/all/", REMOTE_ADDR=VISITOR)
    assert answer.status_code == 429
    assert int(answer["Retry-After"]) >= 1
    assert answer["Cache-Control"] == "no-store"
    assert client.get(practice, REMOTE_ADDR=VISITOR).status_code == 200
    assert client.post(practice, {}, REMOTE_ADDR=OTHER).status_code == 400
    assert not Learner.objects.exists()


def test_sign_ups_are_counted_by_address(client, monkeypatch):
    few_posts(monkeypatch, "SIGN_INS")
    form = {"username": "", "password1": "x"}
    answers = [client.post("/accounts/signup/", form, REMOTE_ADDR=VISITOR) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert client.post("/accounts/signup/", form, REMOTE_ADDR=OTHER).status_code == 200


@pytest.mark.parametrize(
    ("accept", "seconds", "words"),
    [
        ("text/html,*/*", 1, "wait a minute"),
        ("text/html,*/*", 61, "wait 2 minutes"),
        ("text/html,*/*", 540, "wait 9 minutes"),
        ("*/*", 7, "again in 7 s"),
    ],
)
def test_refusal_says_how_long_to_wait(accept, seconds, words):
    answer = refuse(RequestFactory().post("/", HTTP_ACCEPT=accept), seconds)
    assert words in answer.content.decode()
    assert answer["Content-Type"].startswith("text/html" if "html" in accept else "text/plain")
    assert answer["Retry-After"] == str(seconds)


@pytest.mark.soak
def test_200_sign_in_from_one_address(django_user_model):
    user = django_user_model.objects.create_user("ada", password=PASSWORD)
    for _ in range(200):
        form: dict[str, Any] = {"login": user.username, "password": PASSWORD}
        assert Client().post("/accounts/login/", form, REMOTE_ADDR=VISITOR).status_code == 302
