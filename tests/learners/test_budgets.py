"""Budgets: how much a person, an address and all newcomers may do, and what is said beyond it."""

import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import is_dataclass, replace
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client, override_settings
from django.urls import get_resolver
from django.utils import timezone

from quizzes.learners import budgets, idle_learners
from quizzes.learners.budgets import (
    Bucket,
    BudgetSpentError,
    CrowdBudget,
    MeasuredBudget,
    PersonBudget,
    forget_budgets,
)
from quizzes.learners.client_address import network_of
from quizzes.learners.identity import kept_learner, learner_for_writing
from quizzes.learners.models import Budget, Learner, User
from tests.courses import at
from tests.learners.class_at_work import scaled
from tests.learners.visitors import OTHER, VISITOR, cookie_of, request_from, with_cookies
from tests.study.questions import fixed_question

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@pytest.fixture
def bucket():
    return Bucket("test", per_second=0.5, burst=3)


def test_a_burst_passes_and_then_it_is_said_how_long_to_wait(bucket):
    now = 1_000_000.0
    assert [bucket.spend("a", now=now) for _ in range(3)] == [0, 0, 0]
    assert bucket.spend("a", now=now) == pytest.approx(2.0)
    budgets.refusals.clear()
    assert bucket.spend("a", now=now + 2) == 0
    assert bucket.spend("a", now=now + 2) == pytest.approx(2.0)
    budgets.refusals.clear()
    assert [bucket.spend("a", now=now + 1000) for _ in range(3)] == [0, 0, 0]
    assert bucket.spend("a", now=now + 1000) > 0


def test_sources_and_names_are_counted_singly(bucket):
    assert [bucket.spend("a") for _ in range(4)][-1] > 0
    assert bucket.spend("b") == 0
    assert Bucket("another", per_second=0.5, burst=3).spend("a") == 0


def test_a_cost_above_the_whole_budget_is_refused_and_takes_nothing(bucket):
    assert bucket.spend("a", 4) > 0
    assert [bucket.spend("a") for _ in range(3)] == [0, 0, 0]


def test_a_refusal_takes_nothing_and_is_remembered_without_a_query(
    bucket, django_assert_num_queries
):
    for _ in range(4):
        bucket.spend("a")
    before = Budget.objects.get().full_at
    with django_assert_num_queries(0):
        assert all(bucket.spend("a") > 0 for _ in range(50))
    assert Budget.objects.get().full_at == before


def test_a_clock_that_was_an_hour_ahead_locks_nobody_out(bucket):
    for _ in range(4):
        bucket.spend("a", now=time.time() + 3600)
    budgets.refusals.clear()
    assert bucket.spend("a") == 0


def buckets_in(value: object) -> list[Bucket]:
    """Return the bucket, or those of a budget and of what it is made of."""
    if isinstance(value, Bucket):
        return [value]
    if isinstance(value, type) or not (is_dataclass(value) or isinstance(value, MeasuredBudget)):
        return []
    return [one for part in vars(value).values() for one in buckets_in(part)]


def test_no_bucket_of_the_site_refuses_anybody_after_a_clock_was_an_hour_ahead():
    get_resolver().url_patterns  # noqa: B018  (loads all rooms)
    rooms = [vars(one) for name, one in sys.modules.items() if name.startswith("quizzes.")]
    found = {
        one.name: one for room in rooms for value in room.values() for one in buckets_in(value)
    }
    assert {"posts", "figures", "wrong codes of classes", "codes of an account"} <= found.keys()
    for one in found.values():
        for part in (1.0, 0.05):
            one.spend(f"{part}", part * one.burst, now=time.time() + 3600)
            budgets.refusals.clear()
            assert one.wait_seconds(f"{part}", 0.05 * one.burst) == 0, (one, part)
            assert one.spend(f"{part}", 0.05 * one.burst) == 0, (one, part)


def test_what_was_used_before_is_owed(bucket):
    bucket.owe("a", 10)
    assert bucket.spend("a") > 0
    assert bucket.spend("b") == 0


def use_file(file: Path) -> None:
    """Have this thread use a file instead of SQLite's memory, where nobody waits for a lock."""
    if connection.vendor == "sqlite":
        connection.settings_dict = {**connection.settings_dict, "NAME": str(file)}


@pytest.mark.django_db(transaction=True)
def test_two_processes_cannot_both_take_the_last(bucket, tmp_path):
    file = tmp_path / "database"
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("VACUUM INTO %s", [str(file)])

    everybody, now = threading.Barrier(16), time.time()

    def take(_: int) -> bool:
        use_file(file)
        everybody.wait(30)
        budgets.refusals.clear()
        try:
            return bucket.spend("a", now=now) == 0
        finally:
            connection.close()

    with ThreadPoolExecutor(16) as pool:
        assert sum(pool.map(take, range(16))) == 3


def test_a_person_is_refused_before_the_address_pays(bucket):
    budget = PersonBudget("test", per_second=0.001, burst=2)
    noisy, quiet = cookie_of(), cookie_of()
    assert [budget.spend(with_cookies(noisy)) > 0 for _ in range(200)].count(False) == 2
    assert budget.spend(with_cookies(quiet)) == 0
    # What the noisy one was refused is not taken from the address.
    assert [budget.address.spend(VISITOR) > 0 for _ in range(98)].count(True) == 1


def test_strangers_leave_half_of_an_address_to_those_who_are_known():
    budget, known = PersonBudget("test", per_second=0.0001, burst=2), cookie_of()
    assert [budget.spend(request_from()) > 0 for _ in range(200)].count(False) == 50
    assert [budget.spend(with_cookies(known)) > 0 for _ in range(3)] == [False, False, True]
    # What strangers were refused is not taken from the address.
    assert [budget.address.spend(VISITOR) > 0 for _ in range(60)].count(False) == 48


def test_made_up_cookies_are_nobody(bucket):
    budget = PersonBudget("test", per_second=0.001, burst=1)
    for number in range(25):
        assert budget.spend(with_cookies({"learner": f"made-up-{number}"})) == 0
    assert Budget.objects.count() == 2  # of the address and of its strangers
    assert budget.spend(with_cookies({"learner": "made-up"})) > 0


def test_addresses_are_counted_as_networks():
    assert network_of("2001:db8::1") == network_of("2001:db8::2")
    assert network_of("2001:db8::1") != network_of("2001:db8:0:1::1")
    assert network_of(f"::ffff:{VISITOR}") == VISITOR
    assert {network_of(one) for one in ("127.0.0.1", "::1", "::ffff:127.0.0.1")} == {None}


@override_settings(PROXY_COUNT=1, ALLAUTH_TRUSTED_PROXY_COUNT=1)
def test_behind_a_proxy_an_invented_address_does_not_count():
    budget = PersonBudget("test", per_second=0.0001, burst=0.04)  # one of an address's strangers
    for number, refused in enumerate([False, True, True]):
        forwarded = f"10.0.0.{number}, {VISITOR}"
        request = request_from("127.0.0.1", HTTP_X_FORWARDED_FOR=forwarded)
        budgets.refusals.clear()
        # It fits once only.
        assert bool(budget.spend(request, 1.0)) is refused


def may_pass(crowd: CrowdBudget, address: str, cost: float = 1.0) -> bool:
    try:
        crowd.spend(request_from(address), cost)
    except BudgetSpentError:
        return False
    return True


def test_a_crowd_has_its_share_and_others_keep_theirs():
    crowd = CrowdBudget(
        own=Bucket("own", per_second=0.001, burst=2),
        ceiling=Bucket("ceiling", per_second=0.001, burst=5),
        crowd=Bucket("crowd", per_second=0.001, burst=6),
    )

    def passes(address: str) -> int:
        count = 0
        while may_pass(crowd, address):
            count += 1
        return count

    assert passes("203.0.113.1") == 7  # its own and its ceiling
    assert passes("203.0.113.2") == 3  # its own and what the others have left
    assert passes("203.0.113.3") == 2  # its own, whatever others did


def test_a_class_of_200_behind_one_address_may_begin_at_once():
    for _ in range(200):
        learner_for_writing(request_from())
    assert Learner.objects.count() == 200


def test_a_flood_makes_few_learners_and_others_still_may_begin():
    """Twenty addresses, each as often as it likes."""
    for number in range(20):
        for _ in range(500):
            try:
                learner_for_writing(request_from(f"198.51.100.{number}"))
            except BudgetSpentError:
                break
    assert Learner.objects.count() < 1_600
    learner_for_writing(request_from("192.0.2.1"))


def few(monkeypatch, name: str) -> None:
    monkeypatch.setattr(budgets, name, PersonBudget(name, per_second=0.001, burst=0.08))


def test_every_kind_of_post_is_counted_and_the_answer_says_when_to_come_again(client, monkeypatch):
    few(monkeypatch, "POSTS")
    fixed_question()
    practice = at("/practice/row-zero/")
    assert client.post(practice, {}, REMOTE_ADDR=VISITOR).status_code == 400
    for method in ("post", "put", "delete", "patch"):
        answer = getattr(client, method)("/nowhere/at/all/", REMOTE_ADDR=VISITOR)
        budgets.refusals.clear()
    assert answer.status_code == 429
    assert int(answer["Retry-After"]) >= 1
    assert answer["Cache-Control"] == "no-store"
    assert client.get(practice, REMOTE_ADDR=VISITOR).status_code == 200
    assert client.post(practice, {}, REMOTE_ADDR=OTHER).status_code == 400
    assert not Learner.objects.exists()


def test_a_person_gets_a_page_and_a_script_a_sentence(client, monkeypatch):
    few(monkeypatch, "POSTS")
    client.post("/nowhere/", REMOTE_ADDR=VISITOR)
    client.post("/nowhere/", REMOTE_ADDR=VISITOR)
    page = client.post("/nowhere/", REMOTE_ADDR=VISITOR, HTTP_ACCEPT="text/html,*/*")
    assert "Too many requests: wait a minute" in page.content.decode()
    said = client.post("/nowhere/", REMOTE_ADDR=VISITOR, HTTP_ACCEPT="*/*")
    assert said["Content-Type"].startswith("text/plain")


@pytest.mark.parametrize(
    ("seconds", "words"), [(1, "a minute"), (60, "a minute"), (61, "2 minutes"), (540, "9 minutes")]
)
def test_the_page_says_how_long_to_wait(seconds, words):
    page = budgets.refuse(request_from(HTTP_ACCEPT="text/html"), seconds)
    assert f"Too many requests: wait {words}<" in page.content.decode()
    assert f"wait {words}, go back" in page.content.decode()
    assert page["Retry-After"] == str(seconds)


def test_sign_ups_are_counted_by_address(client, monkeypatch):
    few(monkeypatch, "ACCOUNTS")
    fields = {"username": "", "password1": "x"}
    answers = [client.post("/accounts/signup/", fields, REMOTE_ADDR=VISITOR) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert client.post("/accounts/signup/", fields, REMOTE_ADDR=OTHER).status_code == 200


def test_only_accounts_that_are_made_are_newcomers(monkeypatch):
    one = CrowdBudget(*[Bucket(name, per_second=0.0001, burst=1) for name in "abc"])
    one = replace(one, own=Bucket("own", per_second=0.0001, burst=0.5))
    monkeypatch.setattr("quizzes.learners.account_adapter.NEWCOMERS", one)
    password = "correct horse battery"

    def sign_up(name: str, client: Client | None = None) -> int:
        fields = {"username": name, "password1": password, "password2": password}
        fields["email"] = f"{name}@example.org"
        client = client or Client()
        return client.post("/accounts/signup/", fields, REMOTE_ADDR=VISITOR).status_code

    assert [sign_up("") for _ in range(3)] == [200, 200, 200]
    assert sign_up("ada") == 302
    assert sign_up("bob") == 429
    assert not User.objects.filter(username="bob").exists()
    cookies = cookie_of()
    for name, status in (("bob", 302), ("cy", 429)):  # a newcomer before, and an account since
        known = Client()
        known.cookies.load(cookies)
        assert sign_up(name, known) == status


@pytest.mark.soak
def test_200_sign_in_from_one_address_and_none_is_refused(django_user_model):
    user = django_user_model.objects.create_user("ada", password="correct horse battery")
    for _ in range(200):
        form = {"login": user.username, "password": "correct horse battery"}
        assert Client().post("/accounts/login/", form, REMOTE_ADDR=VISITOR).status_code == 302


def test_a_class_of_200_has_room_in_every_budget_of_its_address():
    """Each signs in, and then, known by then, makes twenty posts within a few seconds."""
    for _ in range(200):  # or signs up, with a form that is refused before
        for _ in range(2):
            assert budgets.ACCOUNTS.spend(request_from()) == 0
            assert budgets.POSTS.spend(request_from()) == 0
        budgets.NEWCOMERS.spend(request_from())
    for _ in range(20):
        assert budgets.POSTS.address.spend(VISITOR, 200) == 0


def test_what_a_visitor_has_kept_grows_within_a_budget(client, monkeypatch):
    from tests.exercises.making import ready_exercise

    exercise = ready_exercise()
    small = CrowdBudget(*[Bucket(name, per_second=0.001, burst=330) for name in "abc"])
    monkeypatch.setattr("quizzes.learners.identity.GROWTH", small)
    address = exercise.get_absolute_url() + "draft/"
    sender = {"REMOTE_ADDR": VISITOR}
    first = client.post(address, {"code": "x = 1"}, **sender)
    assert first.status_code == 200
    token = first.json()["token"]
    for code in ("x = 2", "x = 3") * 20:  # as long as before: costs nothing
        answer = client.post(address, {"code": code, "based_on": token}, **sender)
        assert answer.status_code == 200
        token = answer.json()["token"]
    answer = client.post(address, {"code": "x" * 400, "based_on": token}, **sender)
    assert answer.status_code == 429
    # The crowd's has enough for a draft, not for a Check.
    form = {"code": "x = 2", "kind": "check", "key": uuid4()}
    assert client.post(exercise.get_absolute_url(), form, **sender).status_code == 429
    assert Client().post(address, {"code": "x" * 400}, **sender).status_code == 429
    assert Learner.objects.count() == 1  # the second visitor got none


def test_one_who_never_stops_leaves_the_others_of_the_address_their_part():
    def bucket(name: str, burst: float) -> Bucket:
        return Bucket(name, per_second=0.001, burst=burst)

    budget = CrowdBudget(
        own=bucket("a", 1), ceiling=bucket("b", 50), crowd=bucket("c", 60), person=bucket("d", 2)
    )
    noisy, quiet = (with_cookies(cookie_of()) for _ in range(2))
    budgets.refusals.clear()
    for number in range(100):
        with suppress(BudgetSpentError):
            budget.spend(noisy)
            assert number < 2
    budget.spend(quiet)
    left = Budget.objects.get(pk=budget.ceiling.key(VISITOR)).full_at - time.time()
    assert left == pytest.approx(2_000, abs=60)  # two of the three, beyond what is its own


def test_a_refused_newcomer_takes_nothing_of_what_is_kept_for_others(monkeypatch):
    none = CrowdBudget(*[Bucket(name, per_second=0.001, burst=0.5) for name in "efg"])
    monkeypatch.setattr("quizzes.learners.identity.NEWCOMERS", none)
    for _ in range(20):
        with pytest.raises(BudgetSpentError), kept_learner(request_from(), growth=1_000):
            pass
    assert Budget.objects.count() == 0


def test_twenty_addresses_that_flood_for_five_minutes_stay_within_the_bound():
    """By arithmetic; what the site has for crowds is no less than what one address may take."""
    assert budgets.NEWCOMERS.most_within(300, addresses=20) <= 2_000
    # Pages of a database that are not full, its log, and what is counted for nobody.
    assert budgets.GROWTH.most_within(300, addresses=20) * 1.2 + 4_500_000 <= 20_000_000
    ceiling, person, crowd = (
        getattr(budgets.GROWTH, name) for name in ("ceiling", "person", "crowd")
    )
    for rate in ("burst", "per_second"):
        assert getattr(ceiling, rate) == 50 * getattr(person, rate)
        assert getattr(crowd, rate) >= getattr(ceiling, rate)


def test_no_order_of_requests_takes_more_than_the_arithmetic_says(monkeypatch):
    """Twenty addresses spend what they get, each second of five minutes, from rows that count."""
    monkeypatch.setattr(budgets.refusals, "add", lambda *_: None)
    begin, kept = time.time(), 0
    small = scaled(budgets.GROWTH, 0.001)
    for second in range(0, 301, 60):
        monkeypatch.setattr(budgets.time, "time", lambda now=begin + second: now)
        for number in range(20):
            for cost in (1_000, 60, 10):
                while may_pass(small, f"198.51.100.{number}", cost):
                    kept += cost
    most = small.most_within(300, addresses=20)
    assert 0.9 * most < kept <= most


def test_a_learner_who_did_one_thing_is_forgotten_and_one_who_came_back_is_not():
    made = [learner_for_writing(request_from()) for _ in range(3)]
    came_back = with_cookies(cookie_of())
    learner_for_writing(came_back)
    Learner.objects.update(created_at=timezone.now() - timedelta(days=2))
    young = learner_for_writing(request_from())
    assert idle_learners.forget_unclaimed_learners() == len(made)
    assert Learner.objects.count() == 2
    assert Learner.objects.filter(pk=young.pk).exists()
    assert Learner.objects.filter(is_claimed=True).count() == 1
    assert idle_learners.forget_unclaimed_learners() == 0


def test_beyond_the_cap_the_oldest_unclaimed_go_first(monkeypatch):
    monkeypatch.setattr(idle_learners, "MOST_UNCLAIMED", 2)
    made = [learner_for_writing(request_from()) for _ in range(5)]
    for number, learner in enumerate(made):
        at_that_time = timezone.now() - timedelta(hours=5 - number)
        Learner.objects.filter(pk=learner.pk).update(created_at=at_that_time)
    assert idle_learners.forget_unclaimed_learners() == 3
    assert set(Learner.objects.values_list("pk", flat=True)) == {made[3].pk, made[4].pk}


def test_an_account_s_learner_is_never_forgotten(django_user_model):
    user = django_user_model.objects.create_user("ada")
    Learner.objects.create(user=user)
    Learner.objects.update(created_at=timezone.now() - timedelta(days=400))
    assert idle_learners.forget_unclaimed_learners() == 0


def test_full_buckets_are_forgotten_with_the_daily_command(bucket, capsys):
    bucket.spend("full long ago", now=time.time() - 3600)
    bucket.spend("of another clock", now=time.time() + 90_000)
    bucket.owe("in use", 100)
    call_command("forget_idle_learners")
    assert Budget.objects.count() == 1
    assert forget_budgets() == 0


def test_a_refused_newcomer_keeps_nothing_and_may_still_read(client, monkeypatch):
    key = fixed_question().current.options.get(is_key=True)
    none = CrowdBudget(*[Bucket(name, per_second=0.001, burst=0.5) for name in "abc"])
    monkeypatch.setattr("quizzes.learners.identity.NEWCOMERS", none)
    practice = at("/practice/row-zero/")
    assert client.get(practice, REMOTE_ADDR=VISITOR).status_code == 200
    answer = client.post(practice, {"option": key.pk}, REMOTE_ADDR=VISITOR)
    assert answer.status_code == 429
    assert not Learner.objects.exists()
    assert client.get(practice, REMOTE_ADDR=VISITOR).status_code == 200
