"""Idle visitors are forgotten with all they did; accounts and living visitors are not."""

import time
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from quizzes.learners import idle_learners
from quizzes.learners.identity import learner_for_writing
from quizzes.learners.idle_learners import forget_idle_learners
from quizzes.learners.models import Learner, Progress, User
from quizzes.learners.services import record_progress
from quizzes.limits import limits
from quizzes.limits.models import Budget
from tests.courses import some_course
from tests.factories import create_learner
from tests.learners.visitors import cookie_of, request_from, with_cookies

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def learner(*, idle_days, user=None):
    made = Learner.objects.create(user=user)
    record_progress(some_course().pk, learner=made, kind="step", slug="a/b", state="seen")
    seen_at = timezone.now() - timedelta(days=idle_days)
    Learner.objects.filter(pk=made.pk).update(last_seen_at=seen_at)
    return made


def test_only_idle_learners_without_an_account_are_forgotten():
    kept = [
        learner(idle_days=89),
        learner(idle_days=400, user=User.objects.create_user("ada")),
    ]
    learner(idle_days=91)
    assert forget_idle_learners() == 1
    assert list(Learner.objects.order_by("pk")) == kept
    assert Progress.objects.count() == 2
    assert forget_idle_learners() == 0


def test_many_go_in_batches(monkeypatch):
    monkeypatch.setattr(idle_learners, "BATCH", 3)
    for _ in range(7):
        learner(idle_days=100)
    assert forget_idle_learners() == 7


def test_the_command_says_how_many_and_refuses_nonsense():
    learner(idle_days=10)
    said = StringIO()
    call_command("forget_idle_learners", days=5, stdout=said)
    assert "1 learners" in said.getvalue()
    with pytest.raises(CommandError, match="--days 0: must be between"):
        call_command("forget_idle_learners", days=0)


def test_learner_who_never_came_back_is_forgotten():
    learners = [learner_for_writing(request_from()) for _ in range(3)]
    learner_for_writing(with_cookies(cookie_of()))
    Learner.objects.update(created_at=timezone.now() - timedelta(days=2))
    young = learner_for_writing(request_from())
    assert idle_learners.forget_unclaimed_learners() == len(learners)
    assert Learner.objects.count() == 2
    assert Learner.objects.filter(pk=young.pk).exists()
    assert Learner.objects.filter(is_claimed=True).count() == 1
    assert idle_learners.forget_unclaimed_learners() == 0


def test_oldest_unclaimed_go_first_beyond_the_cap(monkeypatch):
    monkeypatch.setattr(idle_learners, "MOST_UNCLAIMED", 2)
    learners = [learner_for_writing(request_from()) for _ in range(5)]
    for number, row in enumerate(learners):
        at_that_time = timezone.now() - timedelta(hours=5 - number)
        Learner.objects.filter(pk=row.pk).update(created_at=at_that_time)
    assert idle_learners.forget_unclaimed_learners() == 3
    assert set(Learner.objects.values_list("pk", flat=True)) == {row.pk for row in learners[3:]}


def test_learner_of_an_account_is_never_forgotten():
    create_learner("ada")
    Learner.objects.update(created_at=timezone.now() - timedelta(days=400))
    assert idle_learners.forget_unclaimed_learners() == 0


def test_command_forgets_full_buckets(capsys):
    limits.POSTS.person.charge("in use", 100)
    Budget.objects.create(key=1, full_at=time.time() - 3600)
    call_command("forget_idle_learners")
    assert Budget.objects.count() == 1
