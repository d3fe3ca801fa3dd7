"""A class behind one address signs in, reads, answers and checks its code; nobody is refused.

200 learners at night; with every run 20, where an address and the site have a tenth of what may be
kept, and 10 with accounts.
"""

import pytest
from django.test import Client

from quizzes.learners.models import Learner
from quizzes.limits import limits
from quizzes.limits.models import Budget
from tests.limits.class_at_work import (
    for_a_smaller_class,
    sign_in,
    verify_everything,
    work_through,
)
from tests.shipped_course import load_shipped_course

pytestmark = pytest.mark.django_db

ADDRESS = "203.0.113.7"
WHOLE = 200


@pytest.mark.parametrize(
    ("people", "accounts"),
    [
        (10, False),
        (10, True),
        pytest.param(WHOLE, False, marks=pytest.mark.soak),
        pytest.param(WHOLE, True, marks=pytest.mark.soak),
    ],
)
def test_a_class_behind_one_address_reads_answers_and_checks_at_once(
    people: int, accounts: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    share = people / WHOLE
    monkeypatch.setattr("quizzes.exercises.views.wait_for_verdict", lambda **_: None)
    smaller = for_a_smaller_class(limits.ROWS, share)
    monkeypatch.setattr("quizzes.learners.identity.ROWS", smaller)
    load_shipped_course()
    verify_everything()
    refused = []
    for number in range(people):
        browser, answers = Client(), []
        if accounts:
            answers += sign_in(browser, f"student-{number}", REMOTE_ADDR=ADDRESS)
        answers += work_through(browser, REMOTE_ADDR=ADDRESS)
        refused += [(number, path, status) for path, status in answers if status not in {200, 302}]
    assert not refused, refused[:3]
    assert Learner.objects.count() == people
    assert Budget.objects.exists()
