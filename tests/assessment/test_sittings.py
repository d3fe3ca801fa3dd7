"""Attempts for a class's work: rules under the lock, deadlines by the clock, pools, points."""

import re
from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from quizzes.assessment import sittings
from quizzes.assessment.canonical_files import quiz_file
from quizzes.assessment.models import Attempt, Question, Quiz, QuizQuestion, Response
from quizzes.assessment.pools import pool_problems
from quizzes.assessment.question_files import read_quizzes
from quizzes.assessment.services import (
    AttemptClosedError,
    NumbersMissingError,
    answer,
    hand_in_overdue,
    history_of,
    start_attempt,
    submit_attempt,
)
from quizzes.assessment.sittings import SittingClosedError, free_practice, refused
from quizzes.content_files.files import DiskFiles
from quizzes.learners.models import Learner, Progress, ReviewCard
from tests.assessment.content import QUESTION, write_question, write_quiz
from tests.courses import at

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
WORK = 7
PAGE = at("/quiz/sums/")


@pytest.fixture
def rules(monkeypatch):
    """Let a test say what holds, as the room of classes does."""

    class Rules:
        asked = 0
        changes: dict[str, object] = {}
        offers: tuple[sittings.Offer, ...] = ()

        def __call__(self, learner, quiz, sitting, now):
            self.asked += 1
            changes = {"sitting": sitting, **self.changes}
            return sittings.Sitting(**{**vars(free_practice()), **changes})

    said = Rules()
    monkeypatch.setattr(sittings.rules_of, "filling", said)

    def offers(learner, quiz, now):
        return sittings.Offers(said.offers, said(learner, quiz, sittings.PRACTICE, now))

    monkeypatch.setattr(sittings.offers_of, "filling", offers)
    return said


def put_deadline(attempt, **ago):
    """Move the deadline of an attempt into the past."""
    at_ = timezone.now() - timedelta(**ago)
    Attempt.objects.filter(pk=attempt.pk).update(deadline_at=at_)
    attempt.refresh_from_db()
    return at_


def key_of(response):
    return response.version.options.get(is_key=True).pk


def test_without_rules_there_is_practice_and_nothing_else(quiz, learner, monkeypatch):
    monkeypatch.setattr(sittings.rules_of, "filling", sittings.rules_of.default)
    assert start_attempt(learner=learner, quiz=quiz).deadline_at is None
    with pytest.raises(SittingClosedError, match="has no assignment"):
        start_attempt(learner=learner, quiz=quiz, sitting=WORK)


def test_each_sitting_has_its_own_open_attempt(quiz, learner, rules):
    free = start_attempt(learner=learner, quiz=quiz)
    work = start_attempt(learner=learner, quiz=quiz, sitting=WORK)
    assert free != work
    assert start_attempt(learner=learner, quiz=quiz, sitting=WORK) == work
    with pytest.raises(IntegrityError), transaction.atomic():
        Attempt.objects.create(learner=learner, quiz=quiz, sitting=WORK)
    assert history_of(learner, quiz).open == free
    assert history_of(learner, quiz, WORK).open == work


@pytest.mark.parametrize("changes", [{"may_start": False}, {"attempts_left": 0}])
def test_rules_refuse_a_new_attempt_and_leave_an_open_one(quiz, learner, rules, changes):
    begun = start_attempt(learner=learner, quiz=quiz, sitting=WORK)
    rules.changes = {"why_not": "It closed on Monday.", **changes}
    assert start_attempt(learner=learner, quiz=quiz, sitting=WORK) == begun
    submit_attempt(attempt=begun)
    with pytest.raises(SittingClosedError, match="It closed on Monday"):
        start_attempt(learner=learner, quiz=quiz, sitting=WORK)
    assert Attempt.objects.count() == 1


def test_the_deadline_of_the_rules_is_that_of_the_attempt(quiz, learner, rules):
    deadline = timezone.now() + timedelta(minutes=20)
    rules.changes = {"deadline": deadline}
    assert start_attempt(learner=learner, quiz=quiz, sitting=WORK).deadline_at == deadline


# ---- overdue is a fact of the clock


def test_answers_are_taken_for_half_a_minute_after_the_deadline(quiz, learner, rules):
    attempt = start_attempt(learner=learner, quiz=quiz, sitting=WORK)
    response = attempt.responses.first()
    put_deadline(attempt, seconds=20)
    answer(attempt=attempt, choices={response.pk: key_of(response)})
    deadline = put_deadline(attempt, seconds=25)
    submit_attempt(attempt=attempt)
    attempt.refresh_from_db()
    assert (attempt.submitted_at, attempt.ended_by) == (deadline, "learner")
    assert (attempt.earned, attempt.possible) == (1, 3)


@pytest.mark.parametrize("verb", ["answer", "submit"])
def test_later_answers_are_refused_and_nothing_is_lost(quiz, learner, rules, verb):
    attempt = start_attempt(learner=learner, quiz=quiz, sitting=WORK)
    one, two, _ = attempt.responses.all()
    answer(attempt=attempt, choices={one.pk: key_of(one)})
    put_deadline(attempt, seconds=31)
    do = answer if verb == "answer" else submit_attempt
    with pytest.raises(AttemptClosedError) as late:
        do(attempt=attempt, choices={two.pk: key_of(two)})
    assert late.value.choices_lost
    with pytest.raises(AttemptClosedError) as same:
        do(attempt=attempt, choices={one.pk: key_of(one)})
    assert not same.value.choices_lost
    saved = attempt.responses.filter(answered_at__isnull=False)
    assert list(saved.values_list("pk", flat=True)) == [one.pk]


def test_an_overdue_attempt_is_handed_in_before_anybody_writes_it_down(quiz, learner, rules):
    attempt = start_attempt(learner=learner, quiz=quiz, sitting=WORK)
    one = attempt.responses.first()
    answer(attempt=attempt, choices={one.pk: key_of(one)})
    deadline = put_deadline(attempt, minutes=5)
    now = timezone.now()
    found = Attempt.objects.handed_in(now).with_points().scored().get()
    assert (found.handed_in_at, found.submitted_at) == (deadline, None)
    assert (found.points, found.right, found.question_count) == ((1, 3), 1, 3)
    assert not Attempt.objects.open(now).exists()
    assert Attempt.objects.overdue(now).get() == attempt
    said = history_of(learner, quiz, WORK)
    assert (said.open, said.latest, said.submitted) == (None, attempt, 1)


def test_writing_it_down_changes_nothing_that_was_said_of_it(quiz, learner, rules):
    attempt = start_attempt(learner=learner, quiz=quiz, sitting=WORK)
    one, two, _ = attempt.responses.all()
    wrong = next(pk for pk in two.option_order if pk != key_of(two))
    answer(attempt=attempt, choices={one.pk: key_of(one), two.pk: wrong})
    deadline = put_deadline(attempt, hours=3)
    before = Attempt.objects.handed_in(timezone.now()).with_points().get()
    assert hand_in_overdue(attempt)
    assert not hand_in_overdue(attempt)
    attempt.refresh_from_db()
    assert (attempt.submitted_at, attempt.ended_by) == (deadline, "time")
    assert (attempt.earned, attempt.possible) == before.points
    assert Progress.objects.get(kind="quiz").state == "shaky"
    assert ReviewCard.objects.get().slug == two.version.question.slug


def test_the_next_start_hands_in_what_is_overdue(quiz, learner, rules):
    first = start_attempt(learner=learner, quiz=quiz, sitting=WORK)
    put_deadline(first, minutes=1)
    second = start_attempt(learner=learner, quiz=quiz, sitting=WORK)
    first.refresh_from_db()
    assert (second != first, first.ended_by) == (True, "time")
    put_deadline(second, minutes=1)
    rules.changes = {"may_start": False, "why_not": "Once only."}
    with pytest.raises(SittingClosedError):
        start_attempt(learner=learner, quiz=quiz, sitting=WORK)
    second.refresh_from_db()
    assert second.ended_by == "time"  # written down although no other began


def test_page_of_before_begins_the_same_work(client, quiz, rules):
    client.post(PAGE, {"sitting": f"assignment:{WORK}"})
    assert Attempt.objects.get().sitting == WORK


@pytest.mark.both_databases(postgresql="soak")
def test_the_page_of_an_attempt_counts_down_and_then_leads_to_its_review(client, quiz, rules):
    rules.changes = {"deadline": timezone.now() + timedelta(minutes=20)}
    page = client.post(PAGE, {"sitting": WORK}, follow=True).content.decode()
    attempt = Attempt.objects.get()
    assert int(re.search(r'data-seconds="(\d+)"', page)[1]) in range(1100, 1201)
    assert "minutes left" in page
    assert "countdown.js" in page
    for left, words in (("days=14", "14 days left"), ("hours=9", "9 hours left")):
        unit, _, number = left.partition("=")
        end = timezone.now() + timedelta(**{unit: int(number)})
        Attempt.objects.update(deadline_at=end)
        assert words in client.get(attempt.get_absolute_url()).content.decode()
    put_deadline(attempt, minutes=2)
    late = client.post(
        attempt.get_absolute_url(), {"do": "save"}, headers={"accept": "application/json"}
    )
    assert late.status_code == 409
    review = client.get(attempt.get_absolute_url(), follow=True)
    assert "Submitted when time was up" in review.content.decode()
    attempt.refresh_from_db()
    assert attempt.ended_by == "time"


@pytest.mark.both_databases(postgresql="soak")
def test_the_page_of_a_quiz_offers_work_and_says_why_not(client, quiz, rules):
    client.post(PAGE)  # a learner
    work = sittings.Sitting(**{**vars(free_practice()), "sitting": WORK})
    closed = refused(8, "It opens on Tuesday.")
    rules.offers = (
        sittings.Offer(work, "Linear algebra", "Due on Friday."),
        sittings.Offer(closed, "Calculus", "Not open yet."),
    )
    page = client.get(PAGE).content.decode()
    assert f'name="sitting" value="{WORK}"' in page
    assert "For Linear algebra" in page
    assert "It opens on Tuesday." in page
    assert 'value="8"' not in page
    rules.changes = {"may_start": False, "why_not": "You have no attempts left."}
    answered = client.post(PAGE, {"sitting": "8"})
    assert answered.status_code == 403
    assert "You have no attempts left." in answered.content.decode()


def test_a_quiz_for_classes_only_is_found_by_nobody_else(client, quiz, rules):
    Quiz.objects.update(class_only=True)
    assert client.get(PAGE).status_code == 404
    assert client.post(PAGE).status_code == 404
    assert "Sums" not in client.get(at("/quiz/")).content.decode()
    Learner.objects.all().delete()
    Quiz.objects.update(class_only=False)
    client.post(PAGE)
    Attempt.objects.all().delete()
    Quiz.objects.update(class_only=True)
    work = sittings.Sitting(**{**vars(free_practice()), "sitting": WORK})
    rules.offers = (sittings.Offer(work, "Linear algebra", "Due on Friday."),)
    assert client.get(PAGE).status_code == 200


# ---- points, pools, order


@pytest.fixture
def pooled(db, tmp_path, load):
    """A quiz with a fixed question, two pools and points; six questions have its tag."""
    for number in range(7):
        tags = "tags: [sums]\n" if number else "tags: [others]\n"
        write_question(tmp_path, f"q{number}", QUESTION + tags)
    path = write_quiz(tmp_path, "sums", "q0")
    path.write_text(
        "title: Sums\nsummary: Adding up.\nshuffle: true\nquestions:\n"
        "  - {slug: q1, points: 2.5}\n  - {draw: 3, tag: sums}\n"
        "  - q0\n  - {draw: 2, tag: sums, points: 0.5}\n"
    )
    load()
    return Quiz.objects.get(slug="sums")


def test_an_attempt_draws_pools_without_what_stands_in_the_quiz(pooled):
    met = set()
    for _ in range(10):
        attempt = start_attempt(learner=Learner.objects.create(), quiz=pooled)
        worth = {
            response.version.question.slug: response.points
            for response in attempt.responses.select_related("version__question")
        }
        assert len(worth) == 7
        assert (worth.pop("q1"), worth.pop("q0")) == (Decimal("2.5"), 1)
        assert sorted(worth.values()) == [Decimal("0.5")] * 2 + [1] * 3
        met.add(frozenset(slug for slug, points in worth.items() if points == 1))
    assert len(met) > 1


def test_a_pool_prefers_what_the_learner_has_not_met(pooled, learner):
    Quiz.objects.update(shuffle=False)
    pooled.places.filter(question__isnull=False).delete()
    pooled.places.filter(draw=2).delete()
    first = start_attempt(learner=learner, quiz=pooled)
    submit_attempt(attempt=first)
    second = start_attempt(learner=learner, quiz=pooled)
    slugs = [
        set(one.responses.values_list("version__question__slug", flat=True))
        for one in (first, second)
    ]
    assert slugs[0] | slugs[1] == {f"q{number}" for number in range(1, 7)}


def test_points_stay_as_they_were_when_the_attempt_began(pooled, learner):
    attempt = start_attempt(learner=learner, quiz=pooled)
    QuizQuestion.objects.update(points=9)
    submit_attempt(attempt=attempt)
    attempt.refresh_from_db()
    assert attempt.possible == Decimal("2.5") + 3 + 1 + Decimal("1.0")


@pytest.mark.both_databases(postgresql="soak")
def test_questions_are_shuffled_for_each_attempt(quiz):
    Quiz.objects.update(shuffle=True)
    quiz.refresh_from_db()
    orders = {
        tuple(
            start_attempt(learner=Learner.objects.create(), quiz=quiz).responses.values_list(
                "version", flat=True
            )
        )
        for _ in range(20)
    }
    assert len(orders) > 1


@pytest.mark.both_databases(postgresql="soak")
def test_a_quiz_file_with_pools_is_written_as_it_was_read(tmp_path, pooled):
    (source,), problems = read_quizzes(DiskFiles(tmp_path))
    assert not problems
    assert source.size == 7
    text = quiz_file(source.content)
    assert "- {slug: q1, points: 2.5}" in text
    assert "- {draw: 3, tag: sums}" in text
    assert "class_only" not in text
    (tmp_path / "quizzes/sums.yaml").write_text(text)
    (again,), _ = read_quizzes(DiskFiles(tmp_path))
    assert again.content_hash == source.content_hash == pooled.loaded_hash


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ("{slug: q1, points: 0}", "points: 0: must be a number above 0"),
        ("{slug: q1, points: 1.234}", "at most two decimals"),
        ("{slug: q1, points: lots}", "'lots': must be a number"),
        ("{slug: q1, points: 1001}", "up to 1000"),
        ("{slug: q1, weight: 2}", "unknown field"),
        ("{draw: 0, tag: sums}", "draw: 0: must be a whole number between 1"),
        ("{draw: 2}", "tag: missing"),
        ("{tag: sums}", "draw: missing"),
        ("{draw: 1, tag: sums, slug: q1}", "unknown field"),
        ("{points: 2}", "slug: missing"),
        ("{draw: 50, tag: sums}", "questions: 51, at most 50"),
    ],
)
def test_faults_of_a_place_are_named_with_their_line(tmp_path, entry, words):
    path = write_quiz(tmp_path, "sums", "q0")
    path.write_text(f"title: Sums\nsummary: Adding.\nquestions:\n  - q0\n  - {entry}\n")
    problems = read_quizzes(DiskFiles(tmp_path))[1]
    assert any(words in problem.message and problem.line in {3, 4, 5} for problem in problems), (
        problems
    )


def test_a_pool_that_can_always_be_filled_has_no_fault():
    tags = {f"q{number}": ["a"] for number in range(5)} | {"b": ["b"]}
    assert list(pool_problems([(2, "a"), (2, "a"), (1, "b")], {"q0"}, tags)) == []
    ((number, words),) = pool_problems([(2, "a"), (3, "a")], {"q0"}, tags)
    sentence = "needs 3 questions with the tag 'a', but only 2 are left"
    assert (number, sentence in words) == (1, True)
    assert list(pool_problems([(1, "c")], set(), tags))


# ---- generated questions of a class's work


@pytest.fixture
def drawn_quiz(generated):
    return Quiz.objects.get(slug="sums")


def test_work_waits_two_minutes_for_numbers_and_then_leaves_the_question_out(
    drawn_quiz, learner, rules
):
    for _ in range(2):
        with pytest.raises(NumbersMissingError):
            start_attempt(learner=learner, quiz=drawn_quiz, sitting=WORK)
    assert not Attempt.objects.exists()
    long_ago = timezone.now() - timedelta(seconds=121)
    Question.objects.filter(slug="drawn").update(numbers_missing_since=long_ago)
    attempt = start_attempt(learner=learner, quiz=drawn_quiz, sitting=WORK)
    dropped, asked = attempt.responses.select_related("version")
    assert (dropped.is_dropped, dropped.instance, asked.is_dropped) == (True, None, False)
    assert submit_attempt(attempt=attempt, choices={asked.pk: key_of(asked)}, blanks=False)
    attempt.refresh_from_db()
    assert (attempt.earned, attempt.possible) == (1, 1)
    assert Attempt.objects.scored().get().question_count == 1
    assert Progress.objects.get(kind="quiz").state == "done"


def test_work_does_not_wait_for_numbers_until_a_clock_that_was_put_back_is_there_again(
    drawn_quiz, learner, rules
):
    with pytest.raises(NumbersMissingError):
        start_attempt(learner=learner, quiz=drawn_quiz, sitting=WORK)
    in_an_hour = timezone.now() + timedelta(hours=1)
    Question.objects.filter(slug="drawn").update(numbers_missing_since=in_an_hour)
    assert start_attempt(learner=learner, quiz=drawn_quiz, sitting=WORK)


def test_practice_does_not_wait_for_numbers(drawn_quiz, learner, rules):
    assert start_attempt(learner=learner, quiz=drawn_quiz).responses.count() == 1


@pytest.mark.both_databases(postgresql="soak")
def test_the_page_says_that_numbers_are_drawn_and_uses_no_attempt(client, drawn_quiz, rules):
    answered = client.post(PAGE, {"sitting": WORK})
    assert (answered.status_code, answered.headers["Retry-After"]) == (503, "10")
    assert "No attempt has been used" in answered.content.decode()
    long_ago = timezone.now() - timedelta(seconds=121)
    Question.objects.filter(slug="drawn").update(numbers_missing_since=long_ago)
    page = client.post(PAGE, {"sitting": WORK}, follow=True).content.decode()
    assert "This question has been left out" in page
    client.post(Attempt.objects.get().get_absolute_url(), {"do": "submit-blank"})
    review = client.get(f"{Attempt.objects.get().get_absolute_url()}review/").content.decode()
    assert "Question 1: left out" in review
    assert "0 of 1 right" in review


# ---- constraints


def test_the_database_refuses_points_that_nobody_handed_in(quiz, learner):
    attempt = start_attempt(learner=learner, quiz=quiz)
    mine = Attempt.objects.filter(pk=attempt.pk)
    now = timezone.now()
    for wrong in (
        {"earned": 1, "possible": 3},
        {"submitted_at": now},
        {"submitted_at": now, "earned": 4, "possible": 3},
        {"submitted_at": now, "earned": 1, "possible": 3, "ended_by": "magic"},
        {"ended_by": "time"},
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            mine.update(**wrong)


def test_the_database_refuses_answers_of_two_forms(quiz, learner):
    attempt = start_attempt(learner=learner, quiz=quiz)
    one = attempt.responses.first()
    mine = Response.objects.filter(pk=one.pk)
    now = timezone.now()
    told = {"answered_at": now, "is_right": True, "score": 1}
    for right in (
        {"choice": key_of(one)},
        {"choices": [key_of(one)]},
        {"number": 1.0, "text": "1"},
        {"text": "rope"},
    ):
        with transaction.atomic():
            mine.update(**told, **right)
            transaction.set_rollback(True)
    mine.update(is_right=True, score=1)  # a regrade makes a blank right
    mine.update(is_right=None, score=None)
    for wrong in (
        told,
        {"choice": key_of(one)},
        {**told, "choice": key_of(one), "choices": [1]},
        {**told, "choice": key_of(one), "text": "x"},
        {**told, "number": 1.0},
        {**told, "text": "x", "score": None},
        {**told, "text": "x", "score": Decimal("0.5")},
        {**told, "text": "x", "is_right": False},
        {"points": 0},
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            mine.update(**wrong)
