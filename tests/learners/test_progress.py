"""The ledger of progress keeps the best state, and nothing that it does not know."""

from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from quizzes.learners.models import Learner, Progress
from quizzes.learners.progress import rename_progress
from quizzes.learners.services import progress_of, record_progress, record_states
from quizzes.page_reads import reading_page
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


AGO = {number: timezone.now() - timedelta(days=number) for number in (1, 5, 9)}


@pytest.mark.parametrize("state", Progress.State.values)
def test_same_state_keeps_the_later_time(state):
    course, learner, newest = some_course().pk, Learner.objects.create(), []
    for days in (5, 1, 9):
        thing = {"kind": "step", "slug": "rope/one", "state": state}
        record_progress(course, learner=learner, **thing, at=AGO[days])
        newest.append(Progress.objects.get().updated_at)
    assert newest == [AGO[5], AGO[1], AGO[1]]
    assert Progress.objects.get().done_at == (AGO[9] if state == "done" else None)


@pytest.mark.parametrize("state", Progress.State.values)
@pytest.mark.parametrize("slugs", [["rope"], ["rope", "alibi"]])
def test_states_recorded_again_have_new_times(state, slugs):
    course, learner, before = some_course().pk, Learner.objects.create(), timezone.now()
    for slug in slugs:
        thing = {"kind": "question", "slug": slug, "state": state}
        record_progress(course, learner=learner, **thing, at=AGO[5])
    states = dict.fromkeys(slugs, state)
    record_states(course, learner=learner, kind="question", states=states)
    assert all(row.updated_at >= before for row in Progress.objects.all())


@pytest.mark.parametrize("again", ["seen", "shaky"])
def test_worse_state_leaves_the_time(again):
    course, learner = some_course().pk, Learner.objects.create()
    for state, days in (("done", 5), (again, 1)):
        thing = {"kind": "question", "slug": "row", "state": state}
        record_progress(course, learner=learner, **thing, at=AGO[days])
    assert Progress.objects.get().updated_at == AGO[5]


@pytest.mark.parametrize(
    ("old", "new", "newest"),
    [
        (("seen", 1), ("seen", 5), ("seen", 1)),
        (("seen", 5), ("seen", 1), ("seen", 1)),
        (("done", 5), ("seen", 1), ("done", 1)),
        (("done", 1), ("seen", 5), ("done", 1)),
        (("seen", 1), ("done", 5), ("done", 5)),
    ],
)
def test_renamed_thing_keeps_best_state_and_its_time(old, new, newest):
    course, learner = some_course().pk, Learner.objects.create()
    for slug, (state, days) in {"old": old, "new": new}.items():
        thing = {"kind": "lesson", "slug": slug, "state": state}
        record_progress(course, learner=learner, **thing, at=AGO[days])
    with transaction.atomic():
        rename_progress(course, kind="lesson", old="old", new="new")
    row = Progress.objects.get()
    assert (row.slug, row.state, row.updated_at) == ("new", newest[0], AGO[newest[1]])


@pytest.mark.parametrize(("kind", "state"), [("lection", "seen"), ("lesson", "read")])
def test_a_kind_or_state_that_is_none_is_refused_and_not_left_out_in_silence(kind, state):
    """SQLite would skip such a row as it skips one that is there: it breaks a constraint too."""
    learner = Learner.objects.create()
    with pytest.raises(ValueError, match="is not a valid"), transaction.atomic():
        record_progress(some_course().pk, learner=learner, kind=kind, slug="rope", state=state)
    assert not Progress.objects.exists()


@pytest.mark.parametrize("before", [None, "seen", "shaky", "done"])
def test_many_states_are_recorded_as_single_ones(before):
    """Whatever was recorded before, and with the time at which something was first done."""
    course, states = some_course().pk, {state: state for state in Progress.State.values}
    one, many = Learner.objects.create(), Learner.objects.create()
    for learner in (one, many):
        for slug in states if before else ():
            record_progress(course, learner=learner, kind="lesson", slug=slug, state=before)
    first_done = dict(Progress.objects.filter(learner=many).values_list("slug", "done_at"))
    for slug, state in states.items():
        record_progress(course, learner=one, kind="lesson", slug=slug, state=state)
    record_states(course, learner=many, kind="lesson", states=states)
    rows = Progress.objects.order_by("slug").values_list("slug", "state")
    assert list(rows.filter(learner=many)) == list(rows.filter(learner=one))
    for row in Progress.objects.filter(learner=many):
        assert (row.done_at is not None) == (row.state == "done")
        assert not first_done.get(row.slug) or row.done_at == first_done[row.slug]


@pytest.mark.parametrize("slugs", [["rope"], ["rope", "alibi"]])
def test_reading_page_shows_recorded_states(slugs):
    course, learner = some_course().pk, Learner.objects.create()
    with reading_page():
        assert not progress_of(course, learner, "lesson", slugs)
        states = dict.fromkeys(slugs, "done")
        record_states(course, learner=learner, kind="lesson", states=states)
        assert progress_of(course, learner, "lesson", slugs) == states


def test_states_that_are_none_are_refused():
    learner, states = Learner.objects.create(), {"rope": "done", "alibi": "read"}
    with pytest.raises(ValueError, match="is not a valid"), transaction.atomic():
        record_states(some_course().pk, learner=learner, kind="lesson", states=states)
    assert not Progress.objects.exists()
