"""What learners read of answers that were regraded, in attempts, lessons and reviews."""

import pytest
from django.test import RequestFactory
from django.utils.timezone import now

from quizzes.assessment.corrections.notices import AS_BEFORE, STILL_RIGHT
from quizzes.assessment.lesson_block import answered_in
from quizzes.assessment.models import Attempt, Instance, Option, Question, Regrade, Response
from quizzes.assessment.presenters import attempt_questions, response_context
from quizzes.assessment.single_question import SubmittedAnswer, answer_in_review, answer_inline
from quizzes.learners.models import Learner, User
from quizzes.pages.blocks import PageContext
from quizzes.regrades.answers import Wish, plan_answers
from quizzes.regrades.apply import apply_answers
from quizzes.regrades.scope import Scope
from quizzes.regrades.undo import undo_answers
from quizzes.study.concept_states import evidence_of
from quizzes.worker.question_pool import store_instance
from tests.assessment.content import QUESTION
from tests.assessment.drawn import made
from tests.regrades.test_answers import a_wish, drawn_versions, other_version, sit

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]
Rule = Regrade.Rule
NEW_KEY = QUESTION.replace("    key: true\n", "").replace(
    "  - text: three\n    reason: ", "  - text: three\n    key: true\n    reason: Indeed. "
)


@pytest.fixture
def staff():
    return User.objects.create_user("staff")


def do(wish, staff, note="The key was *wrong*."):
    return apply_answers(wish, digest=plan_answers(wish).digest, note=note, by=staff)


def asked(question, text):
    return SubmittedAnswer(question.current.options.get(text=text).pk)


def marks(context):
    return {str(option.text): option.mark for option in context.options if option.mark}


def in_step(question, learner):
    request = RequestFactory().get("/")
    context = PageContext(request, learner, question.course, "sums", "adding")
    return answered_in(context, [question.slug])[question.slug]


def of_attempt(learner, slug="one"):
    attempt = Attempt.objects.get(learner=learner)
    place = attempt.responses.get(version__question__slug=slug).order
    return attempt_questions(attempt)[place - 1]


def test_every_place_tells_the_new_key_with_its_reasons(tmp_path, load, quiz, staff):
    """In a quiz, a lesson and a review; of an answer that changed, and of one that did not."""
    question = Question.objects.select_related("current", "course").get(slug="one")
    quizzed = {text: sit(quiz, lambda _, text=text: text) for text in ("two", "none of these")}
    alone, reviewing = Learner.objects.create(), Learner.objects.create()
    answer_inline(
        learner=alone, question=question, step="sums/adding", answer=asked(question, "two")
    )
    review = answer_in_review(learner=reviewing, question=question, answer=asked(question, "three"))
    question, before = other_version(tmp_path, load, text=NEW_KEY)
    kept = a_wish(question, before)
    done = do(kept, staff)

    def places():
        response = Response.objects.select_related("version__question__course").get(pk=review.pk)
        return [
            of_attempt(quizzed["two"]),
            of_attempt(quizzed["none of these"]),
            in_step(question, alone),
            response_context(response, reviewing),
        ]

    first, unchanged, inline, reviewed = places()
    assert (
        marks(first) == marks(inline) == {"two": "Your answer, not right", "three": "Right answer"}
    )
    assert marks(reviewed) == {"three": "Your answer, right"}
    assert inline.partial  # to be tried again
    assert reviewed.right
    for one in (first, inline, reviewed):
        assert "<em>wrong</em>" in one.correction.note
    assert marks(unchanged) == {"none of these": "Your answer, not right", "three": "Right answer"}
    assert (unchanged.correction.words, unchanged.correction.note) == (AS_BEFORE, "")
    assert all(
        "Indeed." in next(str(o.reason) for o in one.options if str(o.text) == "three")
        for one in places()
    )
    undo_answers(done, by=staff)
    assert [one.correction for one in places()] == [None] * 4
    assert marks(places()[0]) == {"two": "Your answer, right"}


def test_a_learner_who_keeps_a_better_mark_reads_the_right_key_too(tmp_path, load, quiz, staff):
    lucky = sit(quiz, lambda _: "two")
    sit(quiz, lambda _: "three")
    question, before = other_version(tmp_path, load)
    do(a_wish(question, before, nobody_loses=True), staff)
    shown = of_attempt(lucky)
    assert (shown.verdict, shown.correction.words) == ("right", STILL_RIGHT)
    assert marks(shown)["three"] == "Right answer"


def test_a_class_that_a_regrade_is_not_about_reads_nothing_of_it(tmp_path, load, quiz, staff):
    ours, theirs = sit(quiz, lambda _: "two", 7), sit(quiz, lambda _: "two")
    declining = sit(quiz, lambda _: "two", 8)
    question, before = other_version(tmp_path, load)
    autumn = Scope(1, "autumn", (7,))
    own = do(a_wish(question, before, scope=autumn), staff)
    assert of_attempt(ours).correction is not None
    assert of_attempt(theirs).correction is of_attempt(declining).correction is None
    undo_answers(own, by=staff, scope=autumn)
    everywhere = do(a_wish(question, before), staff)
    undo_answers(everywhere, by=staff, scope=Scope(2, "spring", (8,)))
    assert of_attempt(ours).correction is not None
    assert of_attempt(declining).correction is None


def test_a_later_try_in_a_lesson_is_judged_by_the_new_key(tmp_path, load, quiz, staff):
    learner = Learner.objects.create()
    question = Question.objects.select_related("current", "course").get(slug="one")
    old = {option.text: option.pk for option in question.current.options.all()}
    facts = {"learner": learner, "question": question, "step": "sums/adding"}
    answer_inline(**facts, answer=SubmittedAnswer(old["two"]))
    question, before = other_version(tmp_path, load, text=NEW_KEY)
    do(a_wish(question, before), staff)
    for text, right in (("none of these", False), ("three", True)):
        tried = answer_inline(**facts, answer=SubmittedAnswer(old[text]))
        assert (tried.pk, tried.is_right) == (None, right)
        shown = response_context(tried, learner)
        assert shown.right == right
        assert marks(shown)[text] == f"Your answer, {'right' if right else 'not right'}"


def test_a_drawn_question_has_the_reasons_of_the_new_version(
    tmp_path, load, generated, pool, staff
):
    learner = Learner.objects.create()
    question, before, response = drawn_versions(tmp_path, load, generated, pool, learner)
    drawn = store_instance(question.current, made(response.instance.seed))
    response.refresh_from_db()
    Option.objects.filter(instance=drawn).update(is_key=False, reason="By the new program.")
    Option.objects.filter(instance=drawn, text=response.choice.text).update(is_key=True)
    Instance.objects.filter(pk=drawn.pk).update(prompt="Said otherwise?")
    wish = a_wish(question, before, same_prompt=True)
    done = do(wish, staff)
    shown = of_attempt(learner, "drawn")
    assert "Said otherwise?" not in shown.prompt  # what was asked is not written anew
    assert list(marks(shown).values()) == ["Your answer, right"]
    assert {"By the new program." in one.reason for one in shown.options} == {True}
    undo_answers(done, by=staff)
    assert {
        "By the new program." in one.reason for one in of_attempt(learner, "drawn").options
    } == {False}


def test_what_is_left_out_neither_keeps_a_concept_nor_gives_it(tmp_path, load, quiz, staff):
    learner = sit(quiz, lambda slug: "three" if slug == "one" else "two")
    question = Question.objects.select_related("current", "course").get(slug="one")
    assert evidence_of(question.course, learner, {}).newest["one"] is False
    do(Wish(question, question.current, None, Rule.DROP, as_of=now()), staff)
    assert "one" not in evidence_of(question.course, learner, {}).newest


def test_where_nothing_was_marked_anew_no_query_is_asked_for_it(
    quiz, staff, django_assert_num_queries
):
    learner = sit(quiz, lambda _: "two")
    attempt = Attempt.objects.get(learner=learner)
    with django_assert_num_queries(2):
        attempt_questions(attempt)
