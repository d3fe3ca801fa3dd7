"""Rate limits: by address, and what a figure, a draft and a sign-up answer beyond them."""

import pytest
from django.test import Client, RequestFactory, override_settings

from quizzes.learners import rate_limit
from quizzes.learners.rate_limit import Rate

VISITOR, OTHER = "203.0.113.7", "203.0.113.8"


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def ask(rate: Rate, address: str) -> int:
    return rate.wait_seconds(RequestFactory().get("/", REMOTE_ADDR=address))


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def rate(clock):
    return Rate(per_second=0.5, burst=3, clock=clock)


def test_a_burst_passes_and_then_it_is_said_how_long_to_wait(rate, clock):
    assert [ask(rate, VISITOR) for _ in range(5)] == [0, 0, 0, 2, 2]
    clock.now = 2.0
    assert [ask(rate, VISITOR) for _ in range(2)] == [0, 2]
    clock.now = 1000.0
    assert [ask(rate, VISITOR) for _ in range(4)] == [0, 0, 0, 2]


def test_addresses_are_counted_singly_and_an_ipv6_network_as_one(rate):
    assert [ask(rate, VISITOR) for _ in range(4)][-1] == 2
    assert ask(rate, OTHER) == 0
    assert [ask(rate, f"2001:db8::{n}") for n in range(4)] == [0, 0, 0, 2]
    assert ask(rate, "2001:db8:0:1::1") == 0


def test_an_ipv4_address_written_as_ipv6_is_that_address_and_not_everybody_s_network(rate):
    assert [ask(rate, f"::ffff:{VISITOR}") for _ in range(4)] == [0, 0, 0, 2]
    assert ask(rate, VISITOR) == 2
    assert ask(rate, f"::ffff:{OTHER}") == 0


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "::ffff:127.0.0.1"])
def test_this_machine_is_not_limited(rate, address):
    assert not any(ask(rate, address) for _ in range(20))


def test_what_is_kept_is_bounded(rate, monkeypatch):
    monkeypatch.setattr(rate_limit, "KEPT_ADDRESSES", 10)
    for n in range(50):
        ask(rate, f"203.0.113.{n}")
    assert len(rate._buckets) == 10


@override_settings(PROXY_COUNT=1, ALLAUTH_TRUSTED_PROXY_COUNT=1)
def test_behind_a_proxy_the_visitors_address_counts_and_an_invented_one_does_not(rate):
    def ask_through_proxy(forwarded: str) -> int:
        request = RequestFactory().get("/", REMOTE_ADDR="127.0.0.1", HTTP_X_FORWARDED_FOR=forwarded)
        return rate.wait_seconds(request)

    assert [ask_through_proxy(f"10.0.0.{n}, {VISITOR}") for n in range(4)] == [0, 0, 0, 2]
    assert ask_through_proxy(OTHER) == 0


def test_without_a_proxy_the_header_is_not_believed(rate):
    for n in range(3):
        request = RequestFactory().get("/", REMOTE_ADDR=VISITOR, HTTP_X_FORWARDED_FOR=f"10.0.0.{n}")
        rate.wait_seconds(request)
    assert ask(rate, VISITOR) == 2


@pytest.fixture
def few(monkeypatch):
    """A rate of one, wherever it is used."""

    def put(place: str) -> None:
        monkeypatch.setattr(place, Rate(per_second=0.1, burst=1))

    return put


def test_a_flood_of_figures_is_answered_with_when_to_come_again(client, few):
    few("quizzes.lessons.figures.views.FIGURES")
    address = "/figures/sinusoidal/heatmap.json"
    assert client.get(address, REMOTE_ADDR=VISITOR).status_code != 429
    answer = client.get(address, REMOTE_ADDR=VISITOR)
    assert (answer.status_code, answer["Retry-After"]) == (429, "10")
    assert answer["Cache-Control"] == "no-store"
    assert client.get(address, REMOTE_ADDR=OTHER).status_code != 429


@pytest.mark.django_db
def test_sign_up_is_limited_by_address_with_a_friendly_page_and_when_to_come_again():
    client, fields = Client(), {"username": "", "password1": "x"}
    with override_settings(ACCOUNT_RATE_LIMITS={"signup": "2/m/ip"}):
        answers = [client.post("/accounts/signup/", fields, REMOTE_ADDR=VISITOR) for _ in range(3)]
        other = client.post("/accounts/signup/", fields, REMOTE_ADDR=OTHER)
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert answers[2]["Retry-After"] == "60"
    assert "Too many requests: wait a minute" in answers[2].content.decode()
    assert other.status_code == 200
