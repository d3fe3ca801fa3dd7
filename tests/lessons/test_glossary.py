"""The glossary: every term of the page of notation has a card, and uses lead there."""

import re

import pytest
from django.utils.html import strip_tags

from quizzes.lessons.glossary import glossary_of, read_glossary
from quizzes.lessons.models import Step
from tests.courses import at, some_course
from tests.shipped_course import load_shipped_course

pytestmark = pytest.mark.both_databases(postgresql="soak")


@pytest.fixture
def course(db):
    load_shipped_course()
    return some_course()


def test_every_row_of_the_page_is_a_term_with_a_card_and_a_place(client, course):
    glossary = glossary_of(course)
    html = client.get(at("/learn/reference/notation/")).content.decode()
    tables = re.findall(r"<table>.*?</table>", html, re.DOTALL)
    terms = [one for one in tables if re.search(r"<th[^>]*>(letter|word)</th>", one)]
    rows = sum(one.count("<tr>") - 1 for one in terms)
    assert len(terms) == 4
    assert sum(len(term.meanings) for term in glossary.terms) >= rows
    for term in glossary.terms:
        assert html.count(f'id="{term.id}"') == 1, term.name
        assert all(strip_tags(one.text) for one in term.meanings), term.name


def test_a_term_is_a_link_at_its_first_use_and_has_its_card_once(client, course):
    html = client.get(at("/learn/alibi/penalty/")).content.decode()
    used = re.findall(r'data-term="([^"]+)"', html)
    assert len(used) == len(set(used)) > 5
    for term in used:
        assert f'/learn/reference/notation/#{term}" data-term="{term}"' in html
        assert html.count(f'id="card-{term}"') == 1


def test_a_letter_has_the_meaning_of_its_lesson(client, course):
    def card(path: str) -> str:
        html = client.get(at(path)).content.decode()
        return strip_tags(re.search(r'id="card-term-i".*?</div>', html, re.DOTALL)[0])

    assert "position of a query" in card("/learn/alibi/penalty/")
    assert "pair of columns" in card("/learn/sinusoidal-values/the-formula/")


def test_a_link_of_a_formula_alone_has_a_name(client, course):
    html = client.get(at("/learn/relative-shift/after-projections/")).content.decode()
    links = re.findall(r'<a class="term"([^>]*)><math', html)
    assert links
    assert all('aria-label="' in one for one in links)


def test_links_headings_and_code_blocks_stay_as_they_are(client, course):
    for step in Step.objects.filter(lesson__slug="rope", lesson__course=course):
        html = client.get(step.get_absolute_url()).content.decode()
        assert not re.search(r"<a [^>]*>(?:(?!</a>).)*<a ", html, re.DOTALL)
        assert not re.search(r"<h[2-4][^>]*>(?:(?!</h).)*class=\"term\"", html, re.DOTALL)


def test_the_words_of_a_chip_stay_as_they_are(client, course):
    """A script makes it a button, and a control inside of a control is none to a screen reader."""
    html = client.get(at("/learn/sinusoidal-values/frequencies/")).content.decode()
    chips = re.findall(r"<span class=\"chip\"[^>]*>.*?</span>", html, re.DOTALL)
    assert any("d_model" in chip for chip in chips)
    assert [chip for chip in chips if "<a" in chip] == []


def test_a_course_without_the_step_has_no_glossary(db):
    assert glossary_of(some_course("another")) is None


def test_a_table_with_other_headings_is_no_glossary():
    text = "| name |\n|---|\n| a |\n\n| word | meaning |\n|---|---|\n| token | x |"
    assert [term.name for term in read_glossary(text, "one/notation").terms] == ["token"]
