"""/review/ and /practice/: what is due, with fresh numbers, once for two tabs, also from code."""

import re

import pytest

from quizzes.assessment.models import Response
from quizzes.exercises.queue import leases
from quizzes.grader.judge.report import Report, Verdict
from quizzes.learners.models import Learner, Progress, ReviewCard
from quizzes.learners.services import note_missed
from tests.courses import at, some_course
from tests.exercises.making import lease, ready_exercise, waiting
from tests.factories import MISTAKE, SENTENCE, create_question
from tests.study.questions import SWAP, generated_question, next_day, submission_with_mistake

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]


def fields(page):
    """Return the hidden fields of the first form of the page's main part."""
    main = page.content.decode().split("<main")[1]
    found = re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', main)
    return {name: value for name, value in found if name != "csrfmiddlewaretoken"}


def miss(client, question):
    """Answer wrong inside a lesson; return the learner."""
    wrong = question.current.options.filter(is_key=False).first()
    data = {"option": wrong.pk, "step": "sinusoidal-values/the-formula"}
    client.post(at(f"/questions/{question.slug}/answer/"), data)
    next_day()
    return Learner.objects.get()


def test_a_visitor_reads_what_comes_here_and_no_row_is_made(client):
    page = client.get("/review/").content.decode()
    assert "Nothing to review" in page
    assert not Learner.objects.exists()


def test_a_missed_question_waits_a_day_and_the_page_says_until_when(client):
    question = create_question()
    miss(client, question)
    ReviewCard.objects.all().delete()
    note_missed(some_course().pk, learner=Learner.objects.get(), kind="question", slug="row-zero")
    page = client.get("/review/").content.decode()
    assert "Nothing is due right now" in page
    assert f"{ReviewCard.objects.get().due_at:%H:%M}" in page
    header = client.get("/learn/", follow=True).content.decode().partition("<main")[0]
    assert 'href="/review/"' in header  # it does not come and go
    assert "site-nav__count" not in header


def test_a_missed_question_is_due_is_counted_in_the_header_and_leaves_when_known(client):
    question = create_question()
    learner = miss(client, question)
    page = client.get("/review/")
    assert "What of row-zero?" in page.content.decode()
    assert '<span class="site-nav__count">1' in page.content.decode()
    key = question.current.options.get(is_key=True)
    answered = client.post("/review/", fields(page) | {"option": key.pk}, follow=True)
    assert "<h1>Right</h1>" in answered.content.decode()
    assert "Nothing is due right now" in client.get("/review/").content.decode()
    assert Progress.objects.get(learner=learner, kind="question").state == "done"


def test_a_wrong_answer_shows_every_reason_and_stays_for_later(client):
    question = create_question()
    miss(client, question)
    page = client.get("/review/")
    wrong = question.current.options.get(is_key=False)
    answered = client.post("/review/", fields(page) | {"option": wrong.pk}, follow=True)
    assert SENTENCE in answered.content.decode()
    assert "It is." in answered.content.decode()
    assert ReviewCard.objects.get().reviews == 1


def test_a_generated_question_comes_with_numbers_not_met(client):
    question = generated_question()
    wrong = question.current.instances.first().options.get(order=2)
    client.post(at(f"/questions/{question.slug}/answer/"), {"option": wrong.pk, "step": "a/b"})
    next_day()
    page = client.get("/review/").content.decode()
    assert f"How much is {wrong.instance.seed}?" not in page
    assert "How much is" in page


def test_of_two_tabs_the_second_is_told_and_nothing_counts_twice(client):
    question = create_question()
    miss(client, question)
    page = client.get("/review/")
    key = question.current.options.get(is_key=True)
    for _ in range(2):
        said = client.post("/review/", fields(page) | {"option": key.pk}, follow=True)
    assert "already answered that one" in said.content.decode()
    assert ReviewCard.objects.get().reviews == 1
    assert Response.objects.filter(step="").count() == 1


def test_nothing_chosen_is_asked_once_more(client):
    miss(client, create_question())
    page = client.get("/review/")
    assert client.post("/review/", fields(page)).status_code == 302
    assert ReviewCard.objects.get().reviews == 0


def test_a_question_that_is_gone_does_not_stop_the_queue(client):
    learner = miss(client, create_question())
    ReviewCard.objects.create(
        course=some_course(),
        learner=learner,
        kind="question",
        slug="gone",
        due_at=learner.created_at,
    )
    assert "What of row-zero?" in client.get("/review/").content.decode()


@pytest.mark.parametrize(
    "bad", [{"option": 10**18}, {"option": "x"}, {"question": "nobody"}, {"seen": "9" * 30}]
)
def test_forged_fields_record_nothing(client, bad):
    question = create_question()
    miss(client, question)
    key = question.current.options.get(is_key=True)
    data = fields(client.get("/review/")) | {"option": key.pk} | bad
    assert client.post("/review/", data).status_code in {302, 404}
    assert ReviewCard.objects.get().reviews == 0


def test_a_card_is_answered_by_its_own_question_only(client):
    question, other = create_question(), create_question("row-one")
    learner = miss(client, question)
    key = other.current.options.get(is_key=True)
    foreign = {"question": other.slug, "option": key.pk}
    assert client.post("/review/", fields(client.get("/review/")) | foreign).status_code == 404
    note_missed(some_course().pk, learner=learner, kind="mistake", slug="sinusoidal-table/other")
    card = ReviewCard.objects.get(kind="mistake")
    assert client.post("/review/", {"card": card.pk, "seen": 0} | foreign).status_code == 404
    assert set(ReviewCard.objects.values_list("reviews", flat=True)) == {0}
    assert not Response.objects.filter(step="").exists()


def test_a_known_mistake_in_submitted_code_comes_to_review():
    exercise, learner = ready_exercise(), Learner.objects.create()
    waiting(exercise, learner)
    report = Report(Verdict.KNOWN_MISTAKE, known_mistake=SWAP)
    assert leases.record(lease=lease(), report=report)
    assert ReviewCard.objects.get(learner=learner).slug == MISTAKE


def test_a_mistake_in_code_is_asked_by_a_question_that_knows_it(client):
    learner = miss(client, create_question())
    ReviewCard.objects.all().delete()
    generated_question()
    submission_with_mistake(learner)
    note_missed(some_course().pk, learner=learner, kind="mistake", slug=MISTAKE)
    next_day()
    page = client.get("/review/")
    assert "A mistake you made in code" in page.content.decode()
    assert "How much is" in page.content.decode()
    seed = re.search(r"How much is (\d)", page.content.decode())[1]
    key = Response._meta.get_field("choice").related_model.objects.get(
        instance__seed=seed, is_key=True
    )
    client.post("/review/", fields(page) | {"option": key.pk})
    assert ReviewCard.objects.get().reviews == 1


def test_without_such_a_question_one_recalls_it_oneself(client):
    learner = miss(client, create_question())
    ReviewCard.objects.all().delete()
    submission_with_mistake(learner)
    note_missed(some_course().pk, learner=learner, kind="mistake", slug=MISTAKE)
    next_day()
    page = client.get("/review/")
    assert "Do you remember what was wrong" in page.content.decode()
    assert SENTENCE in page.content.decode()
    client.post("/review/", fields(page) | {"recall": "no"})
    assert ReviewCard.objects.get().reviews == 1


def test_practice_asks_as_often_as_one_likes_with_other_numbers(client):
    question = generated_question(seeds=range(5))
    seen = set()
    for _ in range(5):
        page = client.get(at("/practice/drawn/")).content.decode()
        seed = re.search(r"How much is (\d)", page)[1]
        seen.add(seed)
        key = question.current.instances.get(seed=seed).options.get(is_key=True)
        answered = client.post(at("/practice/drawn/"), {"option": key.pk}, follow=True)
        assert "Try again with different numbers" in answered.content.decode()
    assert seen == set("01234")
    assert client.get(at("/practice/drawn/")).status_code == 200  # and then they come round


def test_practice_without_a_choice_says_so_and_makes_no_learner(client):
    generated_question()
    page = client.post(at("/practice/drawn/"), {})
    assert page.status_code == 400
    assert "Choose an option first" in page.content.decode()
    assert not Learner.objects.exists()


def test_a_generated_question_without_numbers_is_being_prepared(client):
    generated_question(seeds=[])
    assert "being prepared" in client.get(at("/practice/drawn/")).content.decode()
