"""Which key is in force since a regrade, for whom, and what is right by it."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils.timezone import now

from quizzes.assessment.corrections.comparison import (
    ComparedQuestion,
    OfferedOption,
    StoredAnswer,
    counterparts,
)
from quizzes.assessment.corrections.keys import AnsweredVersion, CorrectedKey, corrected_keys
from quizzes.assessment.models import Attempt, Option, Question, QuestionVersion, Regrade
from quizzes.regrades.answers import plan_answers
from quizzes.regrades.apply import apply_answers
from quizzes.regrades.scope import Scope
from quizzes.regrades.undo import undo_answers
from tests.assessment.content import QUESTION
from tests.regrades.test_answers import OTHER_KEY, a_wish, other_version, sit

pytestmark = pytest.mark.both_databases(postgresql="soak")
Rule, Rest = Regrade.Rule, Regrade.Rest
SINGLE, MULTIPLE = QuestionVersion.Kind.SINGLE, QuestionVersion.Kind.MULTIPLE
MINUTE = timedelta(minutes=1)


def asked(kind, texts, first):
    """Return a question with options "a* b c", of which those with a star are right."""
    options = [
        OfferedOption(pk, text.rstrip("*"), text.endswith("*"))
        for pk, text in enumerate(texts.split(), first)
    ]
    scoring = "all_or_nothing" if kind == MULTIPLE else ""
    return ComparedQuestion(kind, tuple(options), scoring)


def corrected(kind, old, new, *, both=False, rest=Rest.LEAVE):
    before, after = asked(kind, old, 1), asked(kind, new, 101)
    to = counterparts(before.options, after.options)
    options = {pk: Option(pk=one.pk, is_key=one.is_key) for pk, one in to.items()}
    return CorrectedKey(before, after, options, both, rest)


@pytest.mark.parametrize("rest", Rest.values)
@pytest.mark.parametrize(
    ("kind", "old", "new", "right", "by_both"),
    [
        (SINGLE, "a* b c", "a b* c", "b", "a b"),
        (SINGLE, "a* b c", "b* a c", "b", "a b"),  # in another order
        (SINGLE, "a* b c", "a mended* c", "b", "a b"),  # reworded, in the same place
        (SINGLE, "a* b c", "a new* other", "a", "a"),  # nobody could choose what is right
        (SINGLE, "a* b c", "new b* other", "b", "a b"),  # the old key is offered no more
        (SINGLE, "1/2 2* 3", "0.5* 4 5", "1/2", "1/2 2"),  # the same number in other letters
        (MULTIPLE, "a* b* c", "a* b c*", "a c", "a b c"),
        (MULTIPLE, "a* b* c d", "a* new* c other", "a b", "a b"),
    ],
)
def test_the_options_that_are_right(kind, old, new, right, by_both, rest):
    texts = [one.rstrip("*") for one in old.split()]
    for both, expected in ((False, right), (True, by_both)):
        found = corrected(kind, old, new, both=both, rest=rest).right_options()
        assert {texts[pk - 1] for pk in found} == set(expected.split())


def test_what_an_answer_earns():
    key = corrected(SINGLE, "a* b c", "a b* other")
    given = [StoredAnswer(chosen=(pk,)) for pk in (1, 2, 3)]
    assert [key.score_of(one) for one in given] == [0, 1, 0]
    assert corrected(SINGLE, "a* b c", "a b* other", both=True).score_of(given[0]) == 1
    for rest, expected in ((Rest.LEAVE, None), (Rest.DROP, None), (Rest.ALL_RIGHT, Decimal(1))):
        lost = corrected(SINGLE, "a* b c", "new* b other", rest=rest)
        assert lost.score_of(given[0]) == expected


@pytest.fixture
def marked(db, tmp_path, load, quiz):
    """Return a function that regrades a question, and the version that was asked."""

    def mark(text=OTHER_KEY, **more):
        question, _ = other_version(tmp_path, load, text=text)
        wish = a_wish(question, asked_version, **more)
        return apply_answers(wish, digest=plan_answers(wish).digest, note="", by=None)

    asked_version = Question.objects.select_related("current").get(slug="one").current
    return mark, asked_version


def in_force(version, *sittings, at=None):
    """Return the text of the option that is right for what was handed in there, None if the old."""
    ended = at or Attempt.objects.order_by("-submitted_at").values_list("submitted_at")[0][0]
    key = corrected_keys({AnsweredVersion(version.pk, sitting, ended) for sitting in sittings}).get(
        version.pk
    )
    if key is None:
        return None
    (right,) = key.right_options()
    return Option.objects.get(pk=right).text


def test_a_class_that_declined_keeps_its_key_in_all_of_its_sittings(quiz, marked):
    """One of them had no answer that changed, and another class keeps the new key."""
    mark, version = marked
    for sitting, text in ((7, "two"), (8, "none of these"), (9, "two")):
        sit(quiz, lambda slug, text=text: text, sitting)
    done = mark()
    assert in_force(version, 7, 8) == in_force(version, 9) == "three"
    undo_answers(done, by=None, scope=Scope(1, sittings=(7, 8)))
    assert in_force(version, 7, 8) is None
    assert in_force(version, 9) == "three"


def test_a_regrade_of_a_class_is_in_force_for_that_class(quiz, marked):
    mark, version = marked
    for sitting in (7, 9):
        sit(quiz, lambda slug: "two", sitting)
    mark(scope=Scope(1, sittings=(7,)))
    assert (in_force(version, 7), in_force(version, 9)) == ("three", None)


def test_what_is_handed_in_after_a_regrade_counts_by_the_key_it_was_asked_with(quiz, marked):
    mark, version = marked
    sit(quiz, lambda slug: "two", 7)
    mark()
    assert in_force(version, 7) == "three"
    assert in_force(version, 7, at=now() + MINUTE) is None


def test_the_newest_key_is_in_force(quiz, marked):
    mark, version = marked
    sit(quiz, lambda slug: "two", 7)
    mark()
    third = QUESTION.replace("    key: true\n", "").replace(
        "  - text: none of these\n", "  - text: none of these\n    key: true\n"
    )
    mark(third, rule=Rule.ACCEPT_BOTH)
    key = corrected_keys({AnsweredVersion(version.pk, 7, now() - MINUTE)})[version.pk]
    texts = Option.objects.filter(pk__in=key.right_options()).values_list("text", flat=True)
    assert set(texts) == {"two", "none of these"}


def test_a_version_that_asks_for_another_kind_of_answer_has_no_key_for_the_old(quiz, marked):
    mark, version = marked
    sit(quiz, lambda slug: "two", 7)
    several = QUESTION.replace("kind: single", "kind: multiple\nscoring: all_or_nothing")
    mark(several.replace("  - text: three\n", "  - text: three\n    key: true\n"), rest=Rest.DROP)
    assert in_force(version, 7) is None
