"""Questions that ask for a number, written in the browser."""

import pytest

from quizzes.assessment.models import Question
from quizzes.assessment.numeric_answer import answer_from_json
from tests.drafts import revision_of
from tests.teaching.forms import address, form, teach

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]


def numeric(revision, **changes):
    """What the form of a number sends."""
    data = {
        "revision": revision,
        "kind": "numeric",
        "prompt": "How long is a turn?",
        "step": form()["step"],
        "tags": "waves",
        "answer-value": "2*pi",
        "answer-size": "0.02",
        "answer-measure": "within",
        "answer-unit": "positions",
        "answer-reason": "One radian a position.",
        "near-value-1": "1",
        "near-reason-1": "That is one radian.",
        "do": "publish",
    }
    return data | {name.replace("_", "-"): value for name, value in changes.items()}


@pytest.fixture
def begun(ada, quiz):
    ada.post(teach("questions/"), {"slug": "a-turn", "kind": "numeric"})
    return Question.objects.get(slug="a-turn")


def test_from_nothing_to_published(ada, begun):
    page = ada.get(address("a-turn")).content.decode()
    assert 'name="answer-value"' in page
    assert 'name="text-1"' not in page
    ada.post(address("a-turn"), numeric(revision_of(begun)))
    begun.refresh_from_db()
    assert begun.current.kind == "numeric"
    answer = answer_from_json(begun.current.answer)
    assert answer.accepts(6.3)
    assert not answer.accepts(6.5)
    assert answer.near_miss(1.0).reason == "That is one radian."
    again = ada.get(address("a-turn")).content.decode()
    assert 'value="2*pi"' in again
    assert "That is one radian." in again


@pytest.mark.covering(most=4)
@pytest.mark.parametrize(
    ("change", "field", "words"),
    [
        ({"answer_value": ""}, "answer-value", "Type a number first"),
        ({"answer_value": "two"}, "answer-value", "cannot be read as a number"),
        ({"answer_value": "6,283"}, "answer-value", "can mean two numbers"),
        ({"answer_size": "much"}, "answer-size", "must be a number, 0 or more"),
        ({"answer_size": "-1"}, "answer-size", "must be a number, 0 or more"),
        ({"answer_reason": ""}, "answer-reason", "must not be empty"),
        ({"near_value_1": "6.3"}, "answer-value", "cannot be told apart"),
        ({"near_reason_1": ""}, "near-reason-1", "must not be empty"),
        ({"near_value_1": ""}, "near-value-1", ""),
        ({"prompt": ""}, "prompt", "must not be empty"),
    ],
)
def test_what_is_missing_is_named_at_its_field_and_nothing_is_lost(
    ada, begun, change, field, words
):
    data = numeric(revision_of(begun), **change)
    page = ada.post(address("a-turn"), data, follow=True).content.decode()
    assert f'href="#{field}"' in page
    assert words in page
    assert "positions" in page
    begun.refresh_from_db()
    assert begun.current is None


def test_the_preview_shows_field_and_interval_and_saves_nothing(ada, begun):
    before = revision_of(begun)
    page = ada.post(teach("questions/a-turn/preview/"), numeric("")).content.decode()
    assert "Your number" in page
    assert "Accepted: 6.1575 to 6.4088." in page
    begun.refresh_from_db()
    assert revision_of(begun) == before
    assert begun.current is None


@pytest.mark.both_databases
def test_a_published_number_is_edited_into_a_new_version(ada, begun):
    ada.post(address("a-turn"), numeric(revision_of(begun)))
    begun.refresh_from_db()
    ada.post(
        address("a-turn"),
        numeric(revision_of(begun), answer_measure="plus_minus", answer_size="0.5"),
    )
    begun.refresh_from_db()
    assert begun.current.number == 2
    assert answer_from_json(begun.current.answer).accepts(6.7)
