"""The deep dive: cards by number, progress like steps, one address each."""

import pytest

from quizzes.learners.models import Progress
from quizzes.lessons.models import Lesson
from tests.content.lesson_text import lessons
from tests.courses import at, some_course
from tests.shipped_course import load_shipped_course

CARDS = at("/deep-dive/")


@pytest.fixture
def course(db):
    load_shipped_course()


def test_without_cards_there_is_no_deep_dive(client, db):
    some_course()
    assert client.get(CARDS).url == at("/learn/")
    assert client.get(f"{CARDS}1/").status_code == 404


@pytest.mark.slow
def test_ten_cards_one_after_the_other(client, course):
    assert client.get(CARDS).url == at("/learn/deep-dive/the-problem/")
    for number in range(1, 11):
        page = client.get(f"{CARDS}{number}/")
        assert page.status_code == 200
        assert f'{number}<span class="deep-card__of">/10</span>' in page.content.decode()
        onward = client.post(f"{CARDS}{number}/").url
        end = at("/learn/?finished=deep-dive")
        assert onward == (f"{CARDS}{number + 1}/" if number < 10 else end)
    done = Progress.objects.get(kind="lesson", slug="deep-dive")
    assert done.state == "done"


@pytest.mark.parametrize("number", [11, 999999999])
def test_a_card_that_is_not_there_is_not_found(client, course, number):
    assert client.get(f"{CARDS}{number}/").status_code == 404


def test_a_card_has_one_address_and_keeps_the_parameters_of_its_figure(client, course):
    old = client.get(at("/learn/deep-dive/seeing-it/?codes.d_model=20"))
    assert old.status_code == 302
    assert old.url == f"{CARDS}5/?codes.d_model=20"
    assert client.get(old.url).status_code == 200


def test_the_second_visit_goes_on_where_the_first_stopped(client, course):
    client.post(f"{CARDS}1/")
    first = client.get(CARDS, follow=True)
    assert first.redirect_chain[-1][0] == f"{CARDS}2/"


def test_card_has_the_scripts_of_its_blocks(client, course):
    """As a step has them: a listing can be run there too."""
    card = client.get(at("/learn/deep-dive/code/"), follow=True).content.decode()
    assert 'data-do="run"' in card
    assert "lessons/listing.js" in card


def test_lessons_and_cards_stand_apart_in_the_list(client, course):
    page = client.get(at("/learn/")).content.decode()
    assert page.count('id="deep-dive"') == 1
    assert page.index('id="deep-dive"') < page.index('class="course__lessons"')


def test_each_card_has_one_picture_or_one_question_and_takes_about_a_minute():
    (deck,) = [lesson for lesson in lessons() if lesson.form == Lesson.Form.CARDS]
    assert len(deck.steps_read) == 10
    for card in deck.steps_read:
        kinds = [block.kind for block in card.page.blocks if block.kind != "listing"]
        assert len(kinds) == 1, f"{card.slug}: {kinds}"
        assert card.page.words <= 200, card.slug
    assert sum(card.reading_seconds for card in deck.steps_read) <= 15 * 60


def test_a_withdrawn_deck_is_read_to_its_end_by_those_who_met_it(client, course):
    first = client.post(f"{CARDS}1/")
    assert first.url == f"{CARDS}2/"
    Lesson.objects.filter(slug="deep-dive").update(withdrawn_at="2026-01-01T00:00:00Z")
    page = client.get(at("/learn/deep-dive/the-problem/"))
    assert page.status_code == 200
    assert CARDS not in page.content.decode().partition("<main")[2].partition("</main")[0]
    onward = client.post(at("/learn/deep-dive/the-problem/")).url
    assert onward.startswith(at("/learn/deep-dive/"))
    assert client.get(onward).status_code == 200
