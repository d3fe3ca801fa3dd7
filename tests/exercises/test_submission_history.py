"""The history: what changed from try to try, going on from one, and what was graded again."""

import random

import pytest
from django.test import Client

from quizzes.exercises.models import Submission
from quizzes.exercises.queue import leases
from quizzes.exercises.services import grade_again
from quizzes.exercises.submission_history import (
    MOST_LINES,
    compare,
    comparison,
    recent_history,
    recent_tries,
    tries_of,
)
from quizzes.learners.models import Learner
from tests.exercises import making
from tests.exercises.asking import PAGE, post
from tests.factories import create_submission

pytestmark = [pytest.mark.both_databases(postgresql="soak"), pytest.mark.django_db]

FIRST = "a = 1\nb = 2\nc = 3\n"
SECOND = "a = 1\nb = 20\nc = 3\nd = '<b>'\n"


@pytest.fixture
def tries(client, exercise):
    for code in (FIRST, SECOND):
        post(client, code=code)
    return list(Submission.objects.order_by("pk"))


def signs(old, new):
    return [(line.sign, line.text) for line in compare(old, new).lines]


def test_a_difference_has_the_changed_lines_with_their_numbers():
    lines = compare(FIRST, SECOND).lines
    assert [(line.sign, line.old_number, line.new_number) for line in lines] == [
        ("", 1, 1),
        ("-", 2, None),
        ("+", None, 2),
        ("", 3, 3),
        ("+", None, 4),
    ]


def test_what_did_not_change_far_away_is_left_out():
    old = "\n".join(map(str, range(40)))
    found = signs(old, old.replace("20", "twenty"))
    assert [sign for sign, _ in found] == ["…", "", "", "", "-", "+", "", "", "", "…"]
    assert ("-", "20") in found


def test_equal_texts_have_no_lines_and_huge_ones_are_not_compared():
    assert compare(FIRST, FIRST).lines == ()
    assert compare("x\n" * (MOST_LINES + 1), FIRST) is None
    assert compare("", FIRST).added == 3


def test_the_page_of_a_try_shows_what_changed_since_the_one_before(client, tries):
    text = client.get(tries[1].get_absolute_url()).content.decode()
    assert "2 lines added, 1 removed" in text
    assert "<code>b = 20</code>" in text
    assert "d = &#x27;&lt;b&gt;&#x27;" in text
    assert "What changed" not in client.get(tries[0].get_absolute_url()).content.decode()


def test_any_earlier_try_can_be_compared_with(client, tries):
    post(client, code=FIRST)
    address = Submission.objects.first().get_absolute_url()
    assert "The code is the same" in (
        client.get(address, {"against": tries[0].pk}).content.decode()
    )
    assert "1 line added, 2 removed" in client.get(address).content.decode()


@pytest.mark.parametrize("against", ["0", "x", "-1", "9" * 40, "²"])
def test_what_is_no_earlier_try_is_not_found(client, tries, against):
    assert client.get(tries[1].get_absolute_url(), {"against": against}).status_code == 404


def test_nobody_elses_try_is_compared_with(client, tries):
    other = Client()
    post(other, code="secret = 1")
    post(client, code=FIRST)
    theirs = Submission.objects.get(code="secret = 1")
    mine = Submission.objects.first()
    assert client.get(mine.get_absolute_url(), {"against": theirs.pk}).status_code == 404


def test_the_history_counts_changes_and_leads_back_to_the_editor(client, tries):
    text = client.get(PAGE).content.decode()
    assert "2 lines added, 1 removed" in text
    assert "the first" in text
    for row in tries:
        assert f'href="{PAGE}?from={row.pk}#id_code"' in text


def test_a_try_graded_again_is_told_in_the_history_and_on_its_page(client, tries):
    making.let_leases_lapse()
    leases.record(lease=making.lease(), report=making.WRONG)
    grade_again(submission=tries[0])
    text = client.get(tries[0].get_absolute_url()).content.decode()
    assert "Graded again" in text
    assert "the verdict was <strong>Not yet: the result differs</strong>" in text
    assert client.get(PAGE).content.decode().count("graded again") == 1


def test_counts_beside_history_are_those_of_tries():
    """Of learners with any number of Submits, Checks and verdicts, some of them waiting."""
    draw, exercise = random.Random(2), making.ready_exercise()
    counts = set()
    for number in (0, 1, 5, 30):
        learner = Learner.objects.create()
        for _ in range(number):
            verdict = draw.choice(["wrong", "wrong", "not_graded", "correct", ""])
            kind, parsed = draw.choice(["submit", "submit", "check"]), draw.random() < 0.8
            create_submission(exercise, learner, verdict, kind=kind, parsed=parsed)
        entries, tries = recent_tries(exercise=exercise, learner=learner)
        counted = tries_of(exercise=exercise.pk, learner=learner.pk)
        assert (tries.graded, tries.solved) == (counted.graded, counted.solved)
        assert entries == recent_history(exercise=exercise, learner=learner)
        counts.add((tries.graded > 0, tries.solved))
    assert {(False, False), (True, True)} <= counts


def test_compared_tries_come_without_what_is_large(client, tries):
    """A version has its files, proof and outline in tens of kilobytes, and each try has one."""
    (earlier,) = comparison(tries[1], "")["tries"]
    deferred = earlier.exercise_version.get_deferred_fields()
    assert deferred >= {"files", "proof", "outline"}
