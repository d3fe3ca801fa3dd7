"""The ledger of progress keeps the best state, and nothing that it does not know."""

import pytest
from django.db import transaction

from quizzes.learners.models import Learner, Progress
from quizzes.learners.services import progress_of, record_progress
from tests.courses import some_course

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]


@pytest.mark.parametrize(
    ("states", "kept"),
    [
        (["seen"], "seen"),
        (["seen", "done"], "done"),
        (["done", "seen"], "done"),
        (["done", "shaky"], "done"),
        (["shaky", "seen", "shaky"], "shaky"),
        (["seen", "shaky", "done", "seen"], "done"),
    ],
)
def test_the_best_state_is_kept(states, kept):
    learner = Learner.objects.create()
    for state in states:
        record_progress(some_course().pk, learner=learner, kind="lesson", slug="rope", state=state)
    assert progress_of(some_course().pk, learner, "lesson", ["rope", "alibi"]) == {"rope": kept}


@pytest.mark.parametrize(("kind", "state"), [("lection", "seen"), ("lesson", "read")])
def test_a_kind_or_state_that_is_none_is_refused_and_not_left_out_in_silence(kind, state):
    """SQLite would skip such a row as it skips one that is there: it breaks a constraint too."""
    learner = Learner.objects.create()
    with pytest.raises(ValueError, match="is not a valid"), transaction.atomic():
        record_progress(some_course().pk, learner=learner, kind=kind, slug="rope", state=state)
    assert not Progress.objects.exists()
