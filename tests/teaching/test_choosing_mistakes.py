"""An answer stands for a known mistake of the course: chosen by its words, in files and browser."""

import re
from html import unescape
from random import Random

import pytest

from quizzes.assessment.models import Question
from quizzes.classes.publishing.later import publish_closed_drafts
from quizzes.courses.models import OldName
from quizzes.exercises.models import Exercise, ExerciseVersion
from quizzes.grader.judge import BUILT_IN_MISTAKES
from tests.authoring.test_export import exported
from tests.drafts import question_drafts, revision_of
from tests.exercises.making import shipped_source, unverified_exercise
from tests.teaching.forms import address, form, teach

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]

TABLE = "sinusoidal-table"
SWAP = f"{TABLE}/swap"


@pytest.fixture
def exercise(course):
    return unverified_exercise()


def options_of(page, field):
    """Return value, words and whether it is chosen, of each option of a choice list."""
    body = re.search(rf'<select id="{field}" name="{field}">(.*?)</select>', page, re.DOTALL)
    assert body is not None
    found = re.findall(r'<option value="([^"]*)"( selected)?>([^<]*)<', body.group(1))
    return [(unescape(value), unescape(words), bool(chosen)) for value, chosen, words in found]


def chosen_in(page, field):
    return [value for value, _, chosen in options_of(page, field) if chosen and value]


def test_list_has_every_mistake_of_the_course(ada, quiz, exercise):
    variants = shipped_source().definition.wrong
    page = ada.get(address()).content.decode()
    listed = {value: words for value, words, _ in options_of(page, "mistake-1")}
    mistakes = [slug for slug, one in variants.items() if one.kind == "mistake"]
    assert list(listed) == ["", *(f"{TABLE}/{slug}" for slug in (*mistakes, *BUILT_IN_MISTAKES))]
    assert listed[SWAP] == "Your even columns hold the cosine and your odd columns the sine. (swap)"
    assert "`" not in "".join(listed.values())
    assert f'<optgroup label="{exercise.current.title}">' in page


def test_withdrawn_exercise_offers_no_mistake(ada, quiz, exercise):
    Exercise.objects.update(withdrawn_at="2026-01-01T00:00Z")
    assert 'name="mistake-1"' not in ada.get(address()).content.decode()
    answer = ada.post(address(), form(**{"mistake-1": SWAP}), follow=True).content.decode()
    assert f"there is no known mistake {SWAP}" in answer


@pytest.mark.parametrize("seed", range(2))
def test_browser_and_files_give_the_same_question(ada, quiz, exercise, tmp_path, load, seed):
    drawn = Random(seed)
    names = [f"{TABLE}/{slug}" for slug in (*exercise.current.definition.wrong, *BUILT_IN_MISTAKES)]
    chosen = [drawn.choice(["", *names]) for _ in range(4)]
    fields = form(**{f"text-{number}": f"Answer {number}" for number in range(1, 5)})
    fields |= {f"reason-{number}": "So." for number in range(1, 5)}
    fields |= {f"mistake-{number}": name for number, name in enumerate(chosen, start=1)}
    ada.post(address(), fields)
    question = Question.objects.get(slug="one")
    assert [one.mistake for one in question.current.options.all()] == chosen
    page = ada.get(address()).content.decode()
    shown = [chosen_in(page, f"mistake-{number}") for number in range(1, 5)]
    assert shown == [[name] if name else [] for name in chosen]
    exported(tmp_path)
    text = (tmp_path / "questions/one/question.yaml").read_text()
    assert re.findall(r"mistake: (\S+)", text) == [name for name in chosen if name]
    load()
    question.refresh_from_db()
    assert question.loaded_hash == question.current.content_hash
    assert question.versions.count() == 2


def test_wrong_number_stands_for_a_mistake(ada, quiz, exercise):
    ada.post(teach("questions/"), {"slug": "how-many", "kind": "numeric"})
    fields = {
        **{name: form("how-many")[name] for name in ("revision", "do", "step")},
        "kind": "numeric",
        "prompt": "How many?",
        "answer-value": "4",
        "answer-size": "0.1",
        "answer-reason": "Counted.",
        "near-value-1": "8",
        "near-reason-1": "Twice.",
        "near-mistake-1": SWAP,
    }
    ada.post(address("how-many"), fields)
    question = Question.objects.get(slug="how-many")
    assert question.current.answer["near"][0]["mistake"] == SWAP
    page = ada.get(address("how-many")).content.decode()
    assert chosen_in(page, "near-mistake-1") == [SWAP]
    assert chosen_in(page, "near-mistake-2") == []
    unknown = fields | {"revision": revision_of(question), "near-mistake-1": "no/such"}
    answer = ada.post(address("how-many"), unknown, follow=True).content.decode()
    assert "there is no known mistake no/such" in answer
    assert 'href="#near-mistake-1"' in answer


def test_unknown_mistake_is_named_and_kept(ada, quiz, exercise):
    answer = ada.post(address(), form(**{"mistake-1": f"{TABLE}/swop"}), follow=True)
    page = answer.content.decode()
    assert "Saved, not published" in page
    assert f"there is no known mistake {TABLE}/swop" in page
    assert 'href="#mistake-1"' in page
    assert chosen_in(page, "mistake-1") == [f"{TABLE}/swop"]
    assert Question.objects.get(slug="one").current.number == 1


def test_choice_alone_makes_an_option(ada, quiz, exercise):
    page = ada.post(address(), form(**{"mistake-3": SWAP}), follow=True).content.decode()
    assert "Option 3, answer" in page
    assert chosen_in(page, "mistake-3") == [SWAP]


def test_published_mistake_outlives_its_exercise(ada, quiz, exercise):
    ada.post(address(), form(**{"mistake-1": SWAP}))
    Exercise.objects.update(withdrawn_at="2026-01-01T00:00Z")
    page = ada.get(address()).content.decode()
    assert chosen_in(page, "mistake-1") == [SWAP]
    ada.post(address(), form(**{"mistake-1": SWAP, "prompt": "Again?"}))
    current = Question.objects.get(slug="one").current
    assert (current.prompt, current.options.first().mistake) == ("Again?", SWAP)


def test_mistake_of_a_renamed_exercise_has_its_words(ada, quiz, exercise, course):
    ada.post(address(), form(**{"mistake-1": SWAP}))
    OldName.objects.create(course=course, kind="exercise", old=TABLE, new="table")
    Exercise.objects.filter(pk=exercise.pk).update(slug="table")
    page = ada.get(address()).content.decode()
    (first,) = [words for value, words, chosen in options_of(page, "mistake-1") if chosen and value]
    assert first.startswith("Your even columns hold the cosine")


def test_convention_is_kept_and_not_offered(ada, quiz, exercise):
    files = {
        **exercise.current.files,
        "wrong/swap.py": exercise.current.files["wrong/swap.py"].replace(
            "Kind: mistake", "Kind: convention"
        ),
    }
    ExerciseVersion.objects.filter(pk=exercise.current_id).update(
        files=files, content_hash="4" * 64
    )
    page = ada.get(address()).content.decode()
    assert SWAP not in {value for value, _, _ in options_of(page, "mistake-1")}
    ada.post(address(), form(**{"mistake-1": SWAP}))
    assert Question.objects.get(slug="one").current.options.first().mistake == SWAP
    page = ada.get(address()).content.decode()
    assert chosen_in(page, "mistake-1") == [SWAP]
    assert chosen_in(page, "mistake-2") == []


def test_planned_draft_with_a_mistake_is_published(ada, quiz, exercise):
    """What waits for a class is held to the same rule when it is published."""
    ada.post(address(), form(do="save", **{"mistake-1": SWAP}))
    question_drafts().update(publish_when_closed=True)
    assert publish_closed_drafts() == 1
    assert Question.objects.get(slug="one").current.options.first().mistake == SWAP
    ada.post(address(), form(do="save", **{"mistake-1": "no/such"}))
    base = Question.objects.get(slug="one").current.content_hash
    question_drafts().update(publish_when_closed=True, base=base)
    assert publish_closed_drafts() == 0
    assert "no known mistake no/such" in question_drafts().get().not_published_why
