"""Eight at once: on PostgreSQL in threads, on the real site by HTTP, at night on both databases."""

import re
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from http.cookiejar import CookieJar
from threading import Event
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

import pytest
from django.db import connection, connections, transaction
from django.utils import timezone

from quizzes.assessment import sittings
from quizzes.assessment.models import Attempt, Question, Regrade, Response
from quizzes.assessment.models.attempts import LATE_ANSWERS
from quizzes.assessment.services import (
    AttemptClosedError,
    answer,
    hand_in_overdue,
    start_attempt,
    submit_attempt,
)
from quizzes.assessment.single_question import SubmittedAnswer, answer_inline
from quizzes.learners.models import Learner, Progress, ReviewCard, User
from quizzes.learners.services import adopt
from quizzes.regrades.answers import Wish, plan_answers
from quizzes.regrades.apply import apply_answers
from quizzes.regrades.plan import PlanChangedError
from tests.collapsed_spaces import collapse_spaces
from tests.courses import at

pytestmark = [pytest.mark.both_databases, pytest.mark.races]
# On PostgreSQL the threads above race for the same locks; a site of it takes half a minute to make.
BY_HTTP = pytest.mark.both_databases(postgresql="soak")
TIMES = 8
QUIZ = at("/quiz/test-your-understanding/")


@pytest.fixture
def threads(transactional_db):
    """Skip where all threads share the one connection of a database in memory."""
    if connection.vendor == "sqlite":
        pytest.skip("an in-memory database has one connection: the tests by HTTP race on SQLite")


def at_once(*actions):
    """Run every action in a thread with a connection of its own; return what they gave."""

    def run(action):
        try:
            return action()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(actions)) as pool:
        return list(pool.map(run, actions))


def wrong_answers(attempt):
    """Return an answer that is not right for every question: what is blank was not missed."""
    return {
        response.pk: response.version.options.filter(is_key=False).first().pk
        for response in attempt.responses.all()
    }


def submitted(attempt, choices=None):
    try:
        return submit_attempt(attempt=attempt, choices=choices)
    except AttemptClosedError:
        return False


def test_eight_starts_make_one_attempt(threads, quiz, learner):
    found = at_once(*[lambda: start_attempt(learner=learner, quiz=quiz)] * TIMES)
    assert len({attempt.pk for attempt in found}) == 1
    assert (Attempt.objects.count(), Response.objects.count()) == (1, 3)


def test_eight_submissions_submit_once(threads, quiz, learner):
    attempt = start_attempt(learner=learner, quiz=quiz)
    wrong = wrong_answers(attempt)
    assert at_once(*[lambda: submitted(attempt, wrong)] * TIMES).count(True) == 1
    assert Progress.objects.filter(kind="quiz").count() == 1
    assert list(ReviewCard.objects.values_list("reviews", flat=True)) == [0, 0, 0]


def test_an_answer_that_meets_a_submission_waits_and_is_too_late(threads, quiz, learner):
    attempt = start_attempt(learner=learner, quiz=quiz)
    one = attempt.responses.first()
    not_committed = Event()

    def submit():
        with transaction.atomic():
            submit_attempt(attempt=attempt)
            not_committed.set()
            time.sleep(0.3)

    def late():
        assert not_committed.wait(60)
        with pytest.raises(AttemptClosedError):
            answer(attempt=attempt, choices={one.pk: one.option_order[0]})

    at_once(submit, late)
    assert not attempt.responses.filter(choice__isnull=False).exists()


def test_eight_inline_answers_are_one(threads, quiz, learner):
    question = quiz.questions.get(slug="one")
    options = [option.pk for option in question.current.options.all()]
    given = at_once(
        *[
            lambda pk=options[n % 3]: answer_inline(
                learner=learner, question=question, step="a/b", answer=SubmittedAnswer(pk)
            )
            for n in range(TIMES)
        ]
    )
    first = Response.objects.get()
    same = [one for one in given if one.pk is not None]
    assert {(one.pk, one.choice_id) for one in same} == {(first.pk, first.choice_id)}
    # One that came when a wrong first answer was stored already, with another option, tried again.
    again = [one for one in given if one.pk is None]
    assert first.choice_id not in {one.choice_id for one in again}
    assert len(again) == first.tries
    assert not (again and first.is_right)


def test_signing_in_while_submitting_loses_nothing(threads, quiz):
    for turn in range(TIMES):
        user = User.objects.create_user(f"ada-{turn}")
        own = Learner.objects.create(user=user)
        visitor = Learner.objects.create()
        attempt = start_attempt(learner=visitor, quiz=quiz)
        wrong = wrong_answers(attempt)
        at_once(
            lambda visitor=visitor, user=user: adopt(learner=visitor, user=user),
            lambda attempt=attempt, wrong=wrong: submitted(attempt, wrong),
            lambda visitor=visitor, user=user: adopt(learner=visitor, user=user),
        )
        attempt.refresh_from_db()
        assert attempt.learner == own
        assert attempt.submitted_at is not None
        assert own.progress.filter(kind="quiz").count() == 1
        assert own.review_cards.count() == 3
        assert not Learner.objects.filter(pk=visitor.pk).exists()


class Browser:
    """A visitor with cookies who sends forms, also several at once."""

    def __init__(self, site):
        self.root = site.url
        self.jar = CookieJar()
        self.opener = build_opener(HTTPCookieProcessor(self.jar))

    def get(self, path):
        with self.opener.open(self.root + path, timeout=20) as page:
            return page.url.removeprefix(self.root), collapse_spaces(page.read().decode())

    def post(self, path, data, **headers):
        token = next(cookie.value for cookie in self.jar if cookie.name == "csrftoken")
        body = urlencode({**data, "csrfmiddlewaretoken": token}).encode()
        request = Request(self.root + path, body, {"Referer": self.root, **headers})
        with self.opener.open(request, timeout=20) as page:
            return page.url.removeprefix(self.root), page.read().decode()

    def post_at_once(self, *posts):
        with ThreadPoolExecutor(len(posts)) as pool:
            return list(pool.map(lambda post: self.post(*post), posts))


@BY_HTTP
def test_a_newcomer_who_clicks_start_eight_times_has_one_attempt(site):
    """No cookie yet: all eight posts must find the same learner."""
    browser = Browser(site)
    browser.get(QUIZ)
    pages = browser.post_at_once(*[(QUIZ, {})] * TIMES)
    assert len({address for address, _ in pages}) == 1
    assert browser.get(pages[0][0])[1].count("<fieldset") == 8


@BY_HTTP
def test_clicking_submit_eight_times_submits_once_and_frightens_nobody(site):
    browser = Browser(site)
    browser.get(QUIZ)
    address, page = browser.post(QUIZ, {})
    names = dict.fromkeys(re.findall(r'name="(response-\d+)"', page))
    fields = {name: re.search(rf'name="{name}"\s+value="(\d+)"', page)[1] for name in names}
    pages = browser.post_at_once(*[(address, fields | {"do": "submit"})] * TIMES)
    assert {where for where, _ in pages} == {f"{address}review/"}
    assert all("already been submitted" not in text for _, text in pages)
    assert "Taken 1 time." in browser.get(QUIZ)[1]


@BY_HTTP
def test_a_newcomer_who_answers_two_questions_of_a_step_at_once_keeps_both(site):
    browser = Browser(site)
    steps = ("order-blindness", "the-formula")
    posts = []
    for step in steps:
        _, page = browser.get(at(f"/learn/sinusoidal-values/{step}/"))
        action, option = (
            re.search(r'action="(/c/[a-z-]+/questions/[a-z0-9-]+/answer/)"', page)[1],
            re.search(r'name="option"\s+value="(\d+)"', page)[1],
        )
        posts.append((action, {"step": f"sinusoidal-values/{step}", "option": option}))
    browser.post_at_once(*posts)
    for step in steps:
        assert "Your answer, " in browser.get(at(f"/learn/sinusoidal-values/{step}/"))[1]


# ---- twenty at once


MANY = 20
WORK = 1


@pytest.fixture
def one_attempt_each(monkeypatch):
    """Let each learner begin one attempt for a class's work, as its rules would."""

    def rules(learner, quiz, sitting, now):
        used = Attempt.objects.filter(learner=learner, sitting=sitting).count()
        told = {"sitting": sitting, "attempts_left": max(0, 1 - used)}
        deadline = now + timedelta(minutes=10) if sitting else None
        return sittings.Sitting(**{**vars(sittings.free_practice()), **told, "deadline": deadline})

    monkeypatch.setattr(sittings.rules_of, "filling", rules)


def started(learner, quiz):
    try:
        return start_attempt(learner=learner, quiz=quiz, sitting=WORK).pk
    except sittings.SittingClosedError:
        return None


def test_twenty_starts_of_a_class_s_work_use_one_attempt(threads, quiz, learner, one_attempt_each):
    found = at_once(*[lambda: started(learner, quiz)] * MANY)
    assert len(set(found)) == 1
    assert Attempt.objects.count() == 1


def test_twenty_who_submit_and_start_again_get_no_second_attempt(
    threads, quiz, learner, one_attempt_each
):
    attempt = start_attempt(learner=learner, quiz=quiz, sitting=WORK)
    actions = [lambda: submitted(attempt), lambda: started(learner, quiz)] * (MANY // 2)
    at_once(*actions)
    assert Attempt.objects.count() == 1
    assert started(learner, quiz) is None


def test_of_twenty_answers_around_the_deadline_all_before_it_count_and_none_after(
    threads, quiz, learner, one_attempt_each
):
    attempt = start_attempt(learner=learner, quiz=quiz, sitting=WORK)
    responses = list(attempt.responses.all())
    # The clock decides: half a second is left of the half minute after the deadline.
    passes_at = timezone.now() + timedelta(seconds=0.5)
    Attempt.objects.update(deadline_at=passes_at - LATE_ANSWERS)

    def send(number):
        time.sleep(number / MANY)
        response = responses[number % 3]
        before = timezone.now()
        try:
            answer(attempt=attempt, choices={response.pk: response.option_order[number % 2]})
        except AttemptClosedError:
            return before, timezone.now(), False
        return before, timezone.now(), True

    sent = at_once(*[lambda n=number: send(n) for number in range(MANY)])
    assert all(taken for _, after, taken in sent if after < passes_at)
    assert not any(taken for before, _, taken in sent if before > passes_at)
    assert not attempt.responses.filter(answered_at__gt=passes_at).exists()
    assert Attempt.objects.overdue(timezone.now()).count() == 1
    attempt.refresh_from_db()
    results = at_once(*[lambda: hand_in_overdue(attempt)] * MANY)
    assert results.count(True) == 1
    assert Progress.objects.filter(kind="quiz").count() == 1


@BY_HTTP
def test_twenty_clicks_on_start_then_twenty_answers_and_submits_by_http(site):
    """The real site, with its real locks."""
    browser = Browser(site)
    browser.get(QUIZ)
    pages = browser.post_at_once(*[(QUIZ, {})] * MANY)
    assert len({address for address, _ in pages}) == 1
    address, page = pages[0]
    names = list(dict.fromkeys(re.findall(r'name="(response-\d+)"', page)))
    fields = {name: re.search(rf'name="{name}"\s+value="(\d+)"', page)[1] for name in names}
    posts = [(address, {name: fields[name], "do": "save"}) for name in names[:10]]
    posts += [(address, fields | {"do": "submit"})] * 10
    answered = browser.post_at_once(*posts)
    assert all("review/" in where or where.startswith(address) for where, _ in answered)
    assert browser.get(address)[0] == f"{address}review/"


def test_of_two_regrades_and_a_hand_in_at_once_one_regrade_is_done(
    threads, tmp_path, load, quiz, learner
):
    """Learners are locked before attempts, so nobody waits for the other for ever."""
    handed_in = start_attempt(learner=learner, quiz=quiz)
    submit_attempt(attempt=handed_in, choices=wrong_answers(handed_in))
    still_open = start_attempt(learner=learner, quiz=quiz)
    question = Question.objects.select_related("current", "course").get(slug="one")
    wish = Wish(question, question.current, None, Regrade.Rule.ALL_RIGHT, as_of=timezone.now())
    digest, staff = plan_answers(wish).digest, User.objects.create_user("staff")

    def regraded():
        try:
            return bool(apply_answers(wish, digest=digest, note="", by=staff))
        except PlanChangedError:
            return False

    found = at_once(regraded, regraded, lambda: submitted(still_open))
    assert sorted(found[:2]) == [False, True]
    assert found[2]
    assert Response.objects.filter(version=question.current, is_right=True).count() == 1
