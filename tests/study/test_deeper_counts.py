"""What lies off the path of a lesson counts neither on the map nor on the start page."""

import re

import pytest
from django.test import Client

from quizzes.concepts.files import Concept, MapSource, save_map
from quizzes.lessons.models import Lesson, Step
from quizzes.study.search_index import Part, search_index
from tests.courses import at, some_course
from tests.factories import create_exercise, create_lesson, create_question

pytestmark = pytest.mark.django_db


@pytest.fixture
def course():
    """A lesson with two steps and a deeper one, a reference, and a concept of each."""
    create_lesson("order", ["one", "two"], deeper=["proof"])
    create_lesson("words", ["notation"], number=2, form=Lesson.Form.REFERENCE)
    steps = {"path": "order/one", "deep": "order/proof", "letters": "words/notation"}
    for slug, step in steps.items():
        question = create_question(f"{slug}-question")
        question.current.step = step
        question.current.save()
    concepts = tuple(
        Concept(slug, slug.capitalize(), "A summary.", (), (step,), (), "Order")
        for slug, step in steps.items()
    )
    save_map(some_course(), MapSource(some_course().slug, "map.yaml", 1, concepts))
    return some_course()


def words_of(html: str) -> str:
    return " ".join(re.sub("<[^>]*>", " ", html).split())


def page(client: Client, path: str) -> str:
    answer = client.get(at(path))
    assert answer.status_code == 200, path
    html: str = answer.content.decode()
    return html


def answer(client: Client, slug: str, step: str) -> None:
    question = course_question(slug)
    option = question.current.options.get(is_key=True)
    sent = {"option": option.pk, "step": step}
    address = at(f"/questions/{question.slug}/answer/")
    assert client.post(address, sent, follow=True).status_code == 200


def course_question(slug: str):
    return some_course().questions.select_related("current").get(slug=f"{slug}-question")


def test_a_family_counts_concepts_of_the_path(course, client: Client) -> None:
    html = page(client, "/map/")
    assert "0 of 1 mastered" in words_of(html)
    assert all(f'data-concept="{slug}"' in html for slug in ("path", "deep", "letters"))
    answer(client, "deep", "order/proof")
    assert "0 of 1 mastered" in words_of(page(client, "/map/"))
    answer(client, "path", "order/one")
    assert "1 of 1 mastered" in words_of(page(client, "/map/"))


@pytest.fixture
def mixed(course):
    """Concepts of a step of the path and a deeper one: one with an exercise, one asked beside."""
    create_exercise("proving", course, step="order/proof")
    pair = ("order/one", "order/proof")
    beside = ("order/two", "order/proof")
    concepts = (
        Concept("pair", "Pair", "A summary.", (), pair, ("proving",), "Order"),
        Concept("beside", "Beside", "A summary.", (), beside, ("proving",), "Order"),
    )
    save_map(course, MapSource(course.slug, "map.yaml", 1, concepts))
    return course


def test_the_path_is_enough_to_master_a_concept(mixed, client: Client) -> None:
    assert "0 of 2 mastered" in words_of(page(client, "/map/"))
    answer(client, "deep", "order/proof")
    assert "0 of 2 mastered" in words_of(page(client, "/map/"))
    answer(client, "path", "order/one")
    assert "1 of 2 mastered" in words_of(page(client, "/map/"))
    client.post(at("/learn/order/one/"))
    assert "1 of 1 concepts mastered" in words_of(page(client, "/learn/"))


def test_a_lesson_counts_concepts_of_its_path(course, client: Client) -> None:
    client.post(at("/learn/order/one/"))
    assert "0 of 1 concepts mastered" in words_of(page(client, "/learn/"))


def test_the_map_leads_beside_the_path(course, client: Client) -> None:
    html = page(client, "/map/?focus=deep")
    assert at("/learn/order/proof/") in html.partition('id="details"')[2]


def test_the_start_page_counts_the_path(course, client: Client) -> None:
    for step in ("one", "proof"):
        client.post(at(f"/learn/order/{step}/"))
    words = words_of(client.get("/").content.decode())
    assert "2 steps · 2 min" in words
    assert "1 of 2 read" in words


def hit(query: str, address: str) -> Part:
    hits = search_index(some_course()).hits(query)
    return next(part for part in hits if part.address == at(address))


def test_search_finds_what_lies_beside_the_path(course) -> None:
    assert hit("proof", "/learn/order/proof/").kind_in_words == "Step"
    assert hit("notation", "/learn/words/notation/").kind_in_words == "Reference"
    assert hit("words", "/learn/words/").kind_in_words == "Reference"


def test_the_index_knows_what_becomes_a_reference(course) -> None:
    Lesson.objects.filter(slug="words").update(form=Lesson.Form.STEPS)
    assert hit("words", "/learn/words/").kind_in_words == "Lesson"
    Step.objects.filter(slug="notation").update(title="Letters")
    assert hit("letters", "/learn/words/notation/").title == "Letters"
