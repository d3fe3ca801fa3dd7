"""Answers regraded: what an answer becomes, preview and effect, undo, who is left alone."""

import json
import random
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest
from django.core import serializers
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from quizzes.assessment.corrections.comparison import (
    ComparedQuestion,
    IncomparableError,
    OfferedOption,
    StoredAnswer,
    counterparts,
    new_score,
)
from quizzes.assessment.corrections.keys import OTHER_FACTS, OTHER_PROMPT
from quizzes.assessment.models import (
    Attempt,
    Instance,
    Option,
    Question,
    Quiz,
    Regrade,
    RegradedResponse,
    Response,
    WantedInstance,
)
from quizzes.assessment.services import answer, start_attempt, submit_attempt
from quizzes.assessment.single_question import SubmittedAnswer, answer_inline
from quizzes.courses.models import AuditEntry
from quizzes.grader.api import AuthorError
from quizzes.learners.models import Learner, Progress, ReviewCard
from quizzes.learners.review import record_review
from quizzes.regrades.answers import Wish, plan_answers
from quizzes.regrades.apply import apply_answers
from quizzes.regrades.offers import Drawing, drawing, want_instances
from quizzes.regrades.plan import PlanChangedError, RegradeRefusedError
from quizzes.regrades.scope import Scope
from quizzes.regrades.undo import undo_answers
from quizzes.study.data_erasure import erase
from quizzes.worker.question_pool import WantedInstances, store_instance
from tests.assessment.content import QUESTION, write_question, write_quiz
from tests.assessment.drawn import made

Rule, Rest = Regrade.Rule, Regrade.Rest
OTHER_KEY = QUESTION.replace("    key: true\n", "").replace(
    "  - text: three\n", "  - text:   three\n    key: true\n"
)


# ---- one answer


def options(*texts, key=0, start=1):
    return tuple(
        OfferedOption(pk, text, pk - start == key) for pk, text in enumerate(texts, start=start)
    )


def single(*texts, key=0, start=1):
    return ComparedQuestion("single", options(*texts, key=key, start=start))


@given(
    texts=st.lists(st.text("abcd", min_size=1, max_size=3), min_size=2, max_size=6, unique=True),
    data=st.data(),
)
def test_an_answer_counts_by_the_key_wherever_its_option_stands_now(texts, data):
    order = data.draw(st.permutations(range(len(texts))))
    key = data.draw(st.integers(0, len(texts) - 1))
    chosen = data.draw(st.integers(0, len(texts) - 1))
    new = single(*(f" {texts[one]}  " for one in order), key=order.index(key), start=100)
    got = new_score(StoredAnswer(chosen=(1 + chosen,)), single(*texts), new)
    assert got == (chosen == key)


def test_one_reworded_option_is_found_by_its_place_two_are_not():
    old = options("two", "three", "four")
    to = counterparts(old, options("two", "3, not more", "four", start=10))
    assert {pk: one.pk for pk, one in to.items()} == {1: 10, 2: 11, 3: 12}
    assert set(counterparts(old, options("two", "five", "six", start=10))) == {1}


@pytest.mark.parametrize(
    ("new", "words"),
    [
        (single("two", "five", "six", start=10), "does not offer what was chosen"),
        (single("two", "three", "new", key=2, start=10), None),
        (single("two", "three", "x", "new", key=3, start=10), "was not offered"),
        (ComparedQuestion("text", answer={"accepts": ["two"]}), "another kind"),
    ],
)
def test_what_cannot_be_carried_over_is_said(new, words):
    old, chosen = single("two", "three", "four"), StoredAnswer(chosen=(2,))
    if words is None:  # only one option was reworded: it answers to the one in its place
        assert new_score(chosen, old, new) == 0
        return
    with pytest.raises(IncomparableError, match=words):
        new_score(chosen, old, new)


def test_a_number_that_is_offered_no_more_is_compared_with_the_key():
    old = single("0.50", "1.5", "2.5", key=1)
    new = single("$0.5$", "1.75", "9", "11", key=0, start=10)
    assert new_score(StoredAnswer(chosen=(1,)), old, new) == 1
    assert new_score(StoredAnswer(chosen=(3,)), old, new) == 0


def test_numbers_and_texts_are_judged_by_the_new_answer():
    old = ComparedQuestion("numeric", answer={"value": "10", "reason": "-"})
    new = ComparedQuestion("numeric", answer={"value": "10", "plus_minus": 1, "reason": "-"})
    assert new_score(StoredAnswer(number=10.9, text="10.9"), old, new) == 1
    assert new_score(StoredAnswer(number=11.1, text="11.1"), old, new) == 0
    old, new = (ComparedQuestion("text", answer={"accepts": one}) for one in (["a"], ["a", "b*"]))
    assert new_score(StoredAnswer(text="Bx"), old, new) == 1


# ---- stored answers


def other_version(tmp_path, load, slug="one", text=OTHER_KEY):
    before = Question.objects.get(slug=slug).current
    write_question(tmp_path, slug, text)
    load()
    question = Question.objects.select_related("current", "course").get(slug=slug)
    return question, before


def a_wish(question, before, rule=Rule.NEW_KEY, **more):
    to = question.current if rule in {Rule.NEW_KEY, Rule.ACCEPT_BOTH} else None
    return Wish(question, before, to, rule, as_of=timezone.now(), **more)


def sit(quiz, choose, sitting=None, submit=True):
    """One learner answers each question by the text that `choose` gives it; None is a blank."""
    learner = Learner.objects.create()
    attempt = start_attempt(learner=learner, quiz=quiz)
    Attempt.objects.filter(pk=attempt.pk).update(sitting=sitting)
    choices = {}
    for response in attempt.responses.select_related("version__question"):
        text = choose(response.version.question.slug)
        if text is not None:
            choices[response.pk] = response.version.options.get(text=text).pk
    if submit:
        submit_attempt(attempt=attempt, choices=choices)
    else:
        answer(attempt=attempt, choices=choices)
    return learner


def some_class(quiz, seed, size=12):
    draw = random.Random(seed)
    texts = ["two", "three", "none of these", None]
    return [
        sit(quiz, lambda _: draw.choice(texts), sitting=draw.choice([None, 7])) for _ in range(size)
    ]


TABLES = (Attempt, Response, Progress, ReviewCard, Option, Question)


def everything():
    """Every column of every row that a regrade could touch."""
    rows = [one for table in TABLES for one in table.objects.order_by("pk")]
    return json.loads(serializers.serialize("json", rows))


def countings():
    return {one.pk: (one.score, one.is_dropped) for one in Response.objects.all()}


@pytest.mark.both_databases
@pytest.mark.covering(most=1)
@pytest.mark.parametrize("seed", range(2))
def test_the_effect_is_the_preview_and_undo_brings_everything_back(
    tmp_path, load, quiz, staff, seed
):
    draw = random.Random(seed)
    some_class(quiz, seed)
    alone = Learner.objects.create()
    first = Question.objects.select_related("current", "course").get(slug="one")
    picked = first.current.options.get(text=draw.choice(["two", "three"]))
    asked = SubmittedAnswer(version=first.current_id, instance=None, value=picked.pk)
    answer_inline(learner=alone, question=first, step="sums/adding", answer=asked)
    question, before = other_version(tmp_path, load)
    start = everything()
    for rule in Rule:
        wish = a_wish(
            question,
            before,
            rule,
            nobody_loses=draw.random() < 0.5,
            scope=draw.choice([Scope(), Scope(1, "autumn", (7,))]),
        )
        planned, were = plan_answers(wish), countings()
        assert everything() == start, "a preview stored something"
        done = apply_answers(wish, digest=planned.digest, note="The key was wrong.", by=staff)
        now = countings()
        told = {
            change.work: (change.now.score, change.now.is_dropped) for change in planned.changes
        }
        assert {pk: now[pk] for pk in now if now[pk] != were[pk]} == told
        for one in Attempt.objects.filter(pk__in=[c.attempt for c in planned.changes]):
            share = one.earned / one.possible if one.possible else Decimal(1)
            assert share == {c.now_share for c in planned.changes if c.attempt == one.pk}.pop()
        if wish.scope.cohort_id:
            assert all(change.sitting == 7 for change in planned.changes)
        if wish.nobody_loses:
            assert not any(one.direction == "down" for one in planned.changes)
        assert undo_answers(done, by=staff, scope=wish.scope) == len(planned.changes)
        assert everything() == start
    assert AuditEntry.objects.filter(act="regraded", by=staff).count() == len(Rule)


def test_progress_and_cards_follow(tmp_path, load, quiz, staff):
    was_right = sit(quiz, lambda _: "two")
    was_wrong = sit(quiz, lambda slug: "three" if slug == "one" else "two")
    reviewed = sit(quiz, lambda slug: "three" if slug == "one" else "two")
    record_review(card=reviewed.review_cards.get(), seen=0, remembered=True)
    question, before = other_version(tmp_path, load)
    wish = a_wish(question, before)
    assert plan_answers(wish).directions == {"up": 2, "down": 1, "same": 0}
    apply_answers(wish, digest=plan_answers(wish).digest, note="", by=staff)

    def state(learner, kind, slug):
        return learner.progress.get(kind=kind, slug=slug).state

    assert state(was_right, "question", "one") == state(was_right, "quiz", "sums") == "shaky"
    assert was_right.review_cards.filter(slug="one").exists()
    assert state(was_wrong, "question", "one") == state(was_wrong, "quiz", "sums") == "done"
    assert not was_wrong.review_cards.exists()
    assert reviewed.review_cards.get().reviews == 1  # a card that was reviewed stays


def test_undo_keeps_what_a_learner_did_since(tmp_path, load, quiz, staff):
    learner = sit(quiz, lambda _: "two")
    question, before = other_version(tmp_path, load)
    wish = a_wish(question, before)
    start = {row.pk: row.updated_at for row in learner.progress.all()}
    done = apply_answers(wish, digest=plan_answers(wish).digest, note="", by=staff)
    since = timezone.now()
    learner.progress.filter(kind="quiz").update(updated_at=since)
    undo_answers(done, by=staff)
    for row in learner.progress.all():
        assert row.updated_at == (since if row.kind == "quiz" else start[row.pk])


@pytest.mark.both_databases
def test_of_two_that_apply_one_preview_the_second_is_told(tmp_path, load, quiz, staff):
    sit(quiz, lambda _: "two")
    question, before = other_version(tmp_path, load)
    wish = a_wish(question, before)
    digest = plan_answers(wish).digest
    apply_answers(wish, digest=digest, note="", by=staff)
    with pytest.raises(PlanChangedError):
        apply_answers(wish, digest=digest, note="", by=staff)
    assert Regrade.objects.count() == 1


def test_twice_in_a_row_is_undone_from_the_newest(tmp_path, load, quiz, staff):
    some_class(quiz, 5)
    question, before = other_version(tmp_path, load)
    start, done = everything(), []
    for rule in (Rule.NEW_KEY, Rule.DROP):
        wish = a_wish(question, before, rule)
        done.append(apply_answers(wish, digest=plan_answers(wish).digest, note="", by=staff))
    with pytest.raises(RegradeRefusedError, match=str(done[1])):
        undo_answers(done[0], by=staff)
    for one in reversed(done):
        undo_answers(one, by=staff)
    assert everything() == start
    assert not RegradedResponse.objects.filter(undone_at=None).exists()


def test_open_attempts_and_what_comes_after_the_preview_are_left(tmp_path, load, quiz, staff):
    sit(quiz, lambda _: "three")
    sit(quiz, lambda _: "three", submit=False)
    question, before = other_version(tmp_path, load)
    wish = a_wish(question, before)
    planned = plan_answers(wish)
    assert planned.looked_at == 1
    for attempt in Attempt.objects.filter(submitted_at=None):
        submit_attempt(attempt=attempt)
    apply_answers(wish, digest=planned.digest, note="", by=staff)  # as it was looked at
    assert Response.objects.filter(version=before, is_right=True).count() == 1
    assert plan_answers(a_wish(question, before)).directions["up"] == 1  # handed in since


def test_overdue_attempts_are_regraded_before_they_are_stored(tmp_path, load, quiz, staff):
    sit(quiz, lambda _: "three", submit=False)
    Attempt.objects.update(deadline_at=timezone.now() - timedelta(hours=1))
    question, before = other_version(tmp_path, load)
    wish = a_wish(question, before)
    apply_answers(wish, digest=plan_answers(wish).digest, note="", by=staff)
    attempt = Attempt.objects.with_points().get()
    assert (attempt.submitted_at, attempt.points[0]) == (None, 1)


def test_dropping_the_only_question_is_full_points(tmp_path, load, staff, db):
    write_question(tmp_path, "one")
    write_quiz(tmp_path, "single", "one")
    load()
    learner = sit(Quiz.objects.get(slug="single"), lambda _: "three")
    question = Question.objects.select_related("current", "course").get(slug="one")
    wish = a_wish(question, question.current, Rule.DROP, nobody_loses=True)
    apply_answers(wish, digest=plan_answers(wish).digest, note="", by=staff)
    assert learner.attempts.with_points().get().share == 1
    assert learner.progress.get(kind="quiz").state == "done"


def test_what_followed_goes_with_the_data_of_a_learner_and_does_not_come_back(
    tmp_path, load, quiz, staff
):
    learner = sit(quiz, lambda slug: "three" if slug == "one" else "two")
    question, before = other_version(tmp_path, load)
    wish = a_wish(question, before)
    done = apply_answers(wish, digest=plan_answers(wish).digest, note="", by=staff)
    assert done.responses.get().kept["card"]["slug"] == "one"
    erase(learner=learner, user=None)
    assert done.responses.get().kept == {}
    undo_answers(done, by=staff)
    assert not learner.progress.exists()
    assert not learner.review_cards.exists()


# ---- questions with drawn numbers


def drawn_versions(tmp_path, load, generated, pool, learner):
    """An answered generated question, and a newer version that words it otherwise."""
    attempt = start_attempt(learner=learner, quiz=generated.quizzes.get())
    response = attempt.responses.get(version__question=generated)
    wrong = response.instance.options.filter(is_key=False).first()
    submit_attempt(attempt=attempt, choices={response.pk: wrong.pk})
    folder = tmp_path / "questions" / "drawn"
    (folder / "generate.py").write_text((folder / "generate.py").read_text() + "\n# mended\n")
    load()
    question = Question.objects.select_related("current", "course").get(slug="drawn")
    return question, generated.current, response


def test_a_generated_question_is_compared_by_its_seed(
    db, tmp_path, load, generated, pool, learner, staff
):
    question, before, response = drawn_versions(tmp_path, load, generated, pool, learner)
    wish = a_wish(question, before)
    assert plan_answers(wish).incomparable == {"its new numbers have not been drawn yet": 1}
    assert (want_instances(wish), want_instances(wish)) == (1, 0)
    assert drawing(wish) == Drawing(met=1, not_asked=(), waiting=1)
    wanted = WantedInstance.objects.get()
    assert (wanted.version, wanted.seed) == (question.current, response.instance.seed)
    drawn = store_instance(question.current, made(wanted.seed))
    assert drawing(wish).done == 1
    assert (plan_answers(wish).changes, plan_answers(wish).incomparable) == ((), {})
    chosen = Option.objects.get(pk=response.instance.options.filter(is_key=False)[0].pk)
    drawn.options.filter(is_key=True).update(is_key=False)
    drawn.options.filter(text=chosen.text).update(is_key=True)
    assert plan_answers(wish).directions["up"] == 1
    Instance.objects.filter(pk=drawn.pk).update(prompt="Other words?")
    assert plan_answers(wish).incomparable == {OTHER_PROMPT: 1}
    assert plan_answers(replace(wish, same_prompt=True)).directions["up"] == 1
    Instance.objects.filter(pk=drawn.pk).update(facts={"n": -1})
    asked = replace(wish, same_prompt=True, rest=Rest.ALL_RIGHT)
    assert plan_answers(asked).incomparable == {OTHER_FACTS: 1}
    apply_answers(asked, digest=plan_answers(asked).digest, note="", by=staff)
    response.refresh_from_db()
    assert response.is_right


class Program:
    """Stands for the author's sandbox: numbers for each seed, but for those that fail."""

    def __init__(self, failing=()):
        self.failing = set(failing)


def test_a_worker_draws_what_is_wanted_and_says_what_cannot_be(
    db, tmp_path, load, generated, pool, monkeypatch
):
    version, program = generated.current, Program({7})

    def generate(files, kind, seeds, author, **_):
        if author.failing & set(seeds):
            raise AuthorError("generate.py", 1, "it fails")
        return [made(seed) for seed in seeds if seed != 8]  # 8 is refused

    monkeypatch.setattr("quizzes.worker.question_pool.generate", generate)
    wanted = WantedInstances()
    assert wanted.lowest() is None
    for seed in (5, 6, 7, 8):
        WantedInstance.objects.create(version=version, seed=seed)
    assert wanted.lowest() == version
    with pytest.raises(AuthorError):
        wanted.draw(version, wanted.new_seeds(), program)
    assert set(version.instances.filter(seed__gt=4).values_list("seed", flat=True)) == {5, 6}
    left = dict(WantedInstance.objects.values_list("seed", "problem"))
    assert (set(left), left[7]) == ({7, 8}, "")
    assert "refuses" in left[8]
    wanted.mark(version, "generate.py:1: it fails")
    assert WantedInstance.objects.get(seed=7).problem == "generate.py:1: it fails"
    assert wanted.lowest() is None
