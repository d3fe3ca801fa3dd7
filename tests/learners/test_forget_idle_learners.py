"""Idle visitors are forgotten with all they did; accounts and living visitors are not."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from quizzes.learners import idle_learners
from quizzes.learners.idle_learners import forget_idle_learners
from quizzes.learners.models import Learner, Progress, User
from quizzes.learners.services import record_progress
from tests.courses import some_course

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
