"""Generated questions prepared ahead: pools, who draws what, what an author's fault does."""

import threading
from contextlib import contextmanager

import pytest

from quizzes.assessment.generator.generated_question import generated_from
from quizzes.assessment.models import (
    Attempt,
    ForeignChoiceError,
    Instance,
    Option,
    Question,
    Quiz,
    Response,
)
from quizzes.assessment.presenters import attempt_questions
from quizzes.assessment.selection import draw_steadily, draw_with_mistake
from quizzes.assessment.services import answer, start_attempt, submit_attempt
from quizzes.assessment.single_question import SubmittedAnswer, answer_inline
from quizzes.grader.errors import AuthorError, SandboxBroken
from quizzes.learners.models import Learner
from quizzes.worker import pool_keeper, question_pool
from quizzes.worker.pool_keeper import AuthorSandboxes, PoolKeeper
from quizzes.worker.question_pool import (
    InstancePool,
    fill_pools,
    question_to_fill,
    store_instance,
)
from tests.assessment.content import write_question
from tests.assessment.drawn import MISTAKE, SOURCE, YAML, made
from tests.courses import SLUG, at

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@pytest.fixture
def sandbox(monkeypatch):
    """A sandbox that is never opened; generators give what `made` says."""

    @contextmanager
    def opener(profile):
        yield profile

    monkeypatch.setattr(
        question_pool, "generate", lambda files, kind, seeds, author, **_: map(made, seeds)
    )
    return opener


def test_pools_are_filled_to_their_size_and_then_left(generated, sandbox):
    assert question_to_fill() == generated.current
    assert fill_pools(size=5, opener=sandbox) == []
    assert generated.current.instances.count() == 5
    assert question_to_fill(size=5) is None


def test_a_worker_fills_pools_for_a_moment_until_all_are_full(generated, sandbox, monkeypatch):
    keeper = PoolKeeper(InstancePool(), AuthorSandboxes(sandbox), stopping=threading.Event())
    monkeypatch.setattr(pool_keeper, "PIECE_SECONDS", 1e-9)
    assert keeper.fill()
    assert generated.current.instances.count() == question_pool.FIRST
    monkeypatch.setattr(pool_keeper, "PIECE_SECONDS", 60)
    assert keeper.fill()
    assert generated.current.instances.count() >= question_pool.POOL_SIZE
    assert not keeper.fill()


def test_exhausted_instances_are_followed_by_fresh_ones(generated, pool, monkeypatch):
    monkeypatch.setattr(question_pool, "EXHAUSTED_AFTER", 1)
    assert question_to_fill(size=4) is None
    quiz = Quiz.objects.get()
    start_attempt(learner=Learner.objects.create(), quiz=quiz)
    assert question_to_fill(size=4) == generated.current


def test_an_authors_fault_is_told_and_left_to_the_workers(generated, sandbox, monkeypatch):
    """A machine is busiest when its site starts; one failure then must turn nothing off."""

    def fail(*_, **__):
        raise AuthorError("generate.py", 3, "ZeroDivisionError: division by zero")

    monkeypatch.setattr(question_pool, "generate", fail)
    assert fill_pools(opener=sandbox) == [
        f"{SLUG}/questions/drawn/generate.py:3: ZeroDivisionError: division by zero"
    ]
    generated.current.refresh_from_db()
    assert generated.current.problem == ""
    assert question_to_fill() == generated.current


@pytest.mark.both_databases(postgresql="soak")
@pytest.mark.parametrize("instances", [0, 1])
def test_a_version_that_made_questions_stands(generated, sandbox, monkeypatch, instances):
    """Rules that came since then refuse what is new, not what learners are asked already."""
    for seed in range(instances):
        store_instance(generated.current, made(seed))
    stood = []

    def generate(_files, _kind, seeds, _author, *, is_published):
        stood.append(is_published)
        return map(made, seeds)

    monkeypatch.setattr(question_pool, "generate", generate)
    fill_pools(size=3, opener=sandbox)
    assert stood[0] == bool(instances)


def test_a_version_that_breaks_the_sandbox_keeps_no_numbers_from_others(
    tmp_path, load, sandbox, monkeypatch
):
    for slug in ("breaks", "works"):
        source = SOURCE.replace("{}", repr({"slug": slug}))
        (write_question(tmp_path, slug, YAML).parent / "generate.py").write_text(source)
    load()
    asked = []

    def generate(files, _kind, seeds, _author, **_):
        asked.append("breaks" if "breaks" in files["generate.py"] else "works")
        if asked[-1] == "breaks":
            raise SandboxBroken("the fork server died")
        return map(made, seeds)

    monkeypatch.setattr(question_pool, "generate", generate)
    with pytest.raises(SandboxBroken, match="the fork server died"):
        fill_pools(size=5, opener=sandbox)
    assert asked == ["breaks", "works"]
    works = Question.objects.select_related("current").get(slug="works").current
    assert works.instances.count() == 5


def test_a_question_with_a_noted_problem_is_left_out(generated, learner):
    InstancePool().mark(generated.current, "generate.py:3: ZeroDivisionError: division by zero")
    assert question_to_fill() is None
    attempt = start_attempt(learner=learner, quiz=Quiz.objects.get())
    assert [one.version.question.slug for one in attempt.responses.all()] == ["one"]


def test_an_attempt_keeps_its_numbers_and_the_next_gets_others(generated, pool, learner):
    seen = set()
    for _ in pool:
        attempt = start_attempt(learner=learner, quiz=Quiz.objects.get())
        shown = attempt_questions(attempt)[0]
        assert shown == attempt_questions(Attempt.objects.get(pk=attempt.pk))[0]
        response = attempt.responses.get(instance__isnull=False)
        assert str(response.instance.seed) in str(shown.prompt)
        seen.add(response.instance_id)
        submit_attempt(attempt=attempt)
    assert seen == {one.pk for one in pool}


def test_a_quiz_counts_what_it_asks_and_says_what_is_still_drawn(generated, client):
    page = client.get(at("/quiz/sums/")).content.decode()
    assert "<li>1 question, no time limit.</li>" in page
    assert "The numbers for 1 more question are being prepared" in page
    store_instance(generated.current, made(1))
    page = client.get(at("/quiz/sums/")).content.decode()
    assert "<li>2 questions, no time limit.</li>" in page
    assert "being prepared" not in page


def test_a_quiz_of_nothing_but_questions_without_numbers_asks_to_wait(generated, client):
    Quiz.objects.get().places.filter(question__slug="one").delete()
    page = client.get(at("/quiz/sums/")).content.decode()
    assert "The numbers for this quiz are being prepared" in page
    assert "<form" not in page.partition("<main")[2]
    assert "Its numbers are being prepared" in client.get(at("/quiz/")).content.decode()


def test_a_look_is_steady_until_it_is_answered_and_then_there_are_others(generated, pool, learner):
    def look():
        return draw_steadily([generated], learner=learner)[generated.pk]

    first = look()
    assert first == look()
    answer_inline(
        learner=learner, question=generated, step="a/b", answer=SubmittedAnswer(first.options[0].pk)
    )
    assert look().instance != first.instance


def test_a_mistake_is_asked_for_with_numbers_not_met(generated, pool, learner):
    drawn = draw_with_mistake(generated.course_id, MISTAKE, learner=learner)
    assert MISTAKE in {option.mistake for option in drawn.options}
    assert draw_with_mistake(generated.course_id, "sinusoidal-table/other", learner=learner) is None


@pytest.mark.both_databases(postgresql="soak")
def test_options_of_other_numbers_are_refused(generated, pool, learner):
    attempt = start_attempt(learner=learner, quiz=Quiz.objects.get())
    response = attempt.responses.get(instance__isnull=False)
    foreign = Option.objects.exclude(instance=response.instance).filter(instance__in=pool).first()
    with pytest.raises(Exception, match="was not offered"):
        answer(attempt=attempt, choices={response.pk: foreign.pk})
    response.choice = foreign
    with pytest.raises(ForeignChoiceError):
        response.save()


def test_a_choice_or_an_instance_of_another_version_is_refused(generated, pool, learner):
    other = Question.objects.select_related("current").get(slug="one").current
    with pytest.raises(ForeignChoiceError):
        Response(learner=learner, version=other, instance=pool[0], option_order=[]).save()
    foreign = pool[0].options.first()
    with pytest.raises(ForeignChoiceError):
        Response(learner=learner, version=other, choice=foreign, option_order=[foreign.pk]).save()


def test_the_same_seed_is_stored_once(generated):
    assert store_instance(generated.current, made(1)) == store_instance(generated.current, made(1))
    assert Instance.objects.count() == 1
    assert Option.objects.filter(instance__isnull=False).count() == 3


@pytest.mark.both_databases(postgresql="soak")
def test_inside_a_lesson_the_page_asks_and_the_answer_stays(generated, pool, client):
    option = draw_steadily([generated], learner=None)[generated.pk].options[1]
    client.post(at("/questions/drawn/answer/"), {"option": option.pk, "step": "a/b"})
    response = Response.objects.get()
    assert response.instance == option.instance
    assert response.is_right is option.is_key


def test_without_numbers_the_lesson_says_so(generated, client):
    page = client.post(at("/questions/drawn/answer/"), {"step": "a/b"})
    assert page.status_code == 400


def test_queries_do_not_grow_with_generated_questions(
    tmp_path, load, learner, django_assert_max_num_queries
):
    for number in range(6):
        path = write_question(tmp_path, f"drawn-{number}", YAML)
        (path.parent / "generate.py").write_text(SOURCE)
    load()
    questions = list(Question.objects.select_related("current").all())
    for question in questions:
        store_instance(question.current, made(question.pk))
    with django_assert_max_num_queries(4):
        assert len(draw_steadily(questions, learner=learner)) == 6


def test_what_failed_before_is_tried_again_when_somebody_asks(generated, sandbox):
    """Not at every start of the site: a version that fails once fails again."""
    problem = "generate.py:1: took longer than 10 s"
    type(generated.current).objects.filter(pk=generated.current.pk).update(problem=problem)
    assert fill_pools(size=5, opener=sandbox) == [f"{SLUG}/questions/drawn/{problem}"]
    assert generated.current.instances.count() == 0
    assert fill_pools(size=5, again=True, opener=sandbox) == []
    assert generated.current.instances.count() == 5
    assert question_to_fill(size=6) == generated.current


def test_numbers_that_cannot_be_stored_are_the_authors_fault(generated, sandbox, monkeypatch):
    def too_much(*_):
        raise ValueError("no such number")

    monkeypatch.setattr(question_pool, "store_instance", too_much)
    words = (
        f"{SLUG}/questions/drawn/generate.py:1: its numbers cannot be stored: ValueError: no such"
    )
    assert fill_pools(opener=sandbox)[0].startswith(words)


@pytest.mark.both_databases(postgresql="soak")
@pytest.mark.parametrize("bad", list("\0\x1b\x7f\x9b\u202e\u2066\u2028\ud800"))
@pytest.mark.parametrize("place", ["prompt", "facts", "name of a fact", "mistake", "unit"])
def test_text_that_nobody_sees_is_refused(bad, place):
    def text(of):
        return f"x{bad}" if of == place else "x"

    answer = {"value": 1.0, "reason": "x", "within": 0.1, "unit": text("unit")}
    answer["near"] = [{"value": 9.0, "reason": "x", "mistake": text("mistake")}]
    facts = {text("name of a fact"): text("facts")}
    plain = {"prompt": text("prompt"), "facts": facts, "proof": 1.0, "answer": answer}
    with pytest.raises(ValueError, match="contains"):
        generated_from(plain, kind="numeric", seed=1)
