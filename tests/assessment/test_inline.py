"""Questions inside lessons: asked in the step, answered once, never changed by a later edit."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import RequestFactory

from quizzes.assessment.models import Question, Response
from quizzes.assessment.single_question import SubmittedAnswer, answer_inline
from quizzes.pages.blocks import PageContext, page_problems, parse_page, render_page
from tests.assessment.content import QUESTION, write_question
from tests.courses import at, some_course

pytestmark = pytest.mark.django_db


def block(slug):
    return f"```question\nslug: {slug}\n```\n\n"


def shown(text, learner=None, course=None):
    """Return a step with this text as a visitor, or a learner, sees it."""
    request = RequestFactory().get(at("/learn/a/b/"))
    request.user = AnonymousUser()
    context = PageContext(request, learner, course or some_course(), lesson="a", step="b")
    return render_page(parse_page(text, path="b.md"), context)


def test_an_inline_answer_without_a_script_returns_to_the_step(client, quiz):
    option = quiz.questions.get(slug="one").current.options.last()
    answer = client.post(at("/questions/one/answer/"), {"option": option.pk, "step": "a/b"})
    assert answer.url == at("/learn/a/b/#question-one")
    assert Response.objects.get().choice == option


def test_an_inline_answer_with_htmx_is_a_fragment_with_every_reason(client, quiz):
    option = quiz.questions.get(slug="one").current.options.last()
    data = {"option": option.pk, "step": "a/b"}
    page = client.post(at("/questions/one/answer/"), data, headers={"HX-Request": "true"})
    text = page.content.decode()
    assert "Your answer, not right" in text
    assert "Right answer" in text
    assert "One too many." in text
    assert "<html" not in text


@pytest.mark.parametrize(
    ("data", "status"),
    [
        ({"step": "a/b"}, 400),
        ({"step": "a/b", "option": "x"}, 400),
        ({"step": "a/b", "option": "999999"}, 404),
        ({"option": "1"}, 404),
        ({"step": "../../etc", "option": "1"}, 404),
    ],
)
def test_bad_inline_answers(client, quiz, data, status):
    answer = client.post(at("/questions/one/answer/"), data)
    assert answer.status_code == status
    assert not Response.objects.exists()
    if status == 400:
        assert "Choose an option first" in answer.content.decode()


def test_a_question_is_asked_in_the_same_order_to_everybody(quiz, learner):
    assert shown(block("one")).count('type="radio"') == 3
    options = [shown(block("one"), who).split("</fieldset>")[0] for who in (None, learner)]
    radios = [text.split('name="option"')[1:] for text in options]
    assert [part.split("</label>")[0] for part in radios[0]] == [
        part.split("</label>")[0] for part in radios[1]
    ]
    assert not Response.objects.exists()


def test_an_answered_question_shows_every_reason_and_outlives_an_edit(
    quiz, learner, tmp_path, load
):
    question = Question.objects.get(slug="one")
    wrong = question.current.options.get(text="three")
    answer_inline(learner=learner, question=question, step="a/b", asked=SubmittedAnswer(wrong.pk))
    before = shown(block("one"), learner)
    assert "Your answer, not right" in before
    assert 'type="radio"' not in before
    write_question(tmp_path, "one", QUESTION.replace("One too many.", "Edited since."))
    load()
    assert shown(block("one"), learner) == before
    assert 'type="radio"' in shown(block("one"))


def test_a_page_made_before_an_edit_can_still_be_answered(client, quiz, tmp_path, load):
    old = Question.objects.get(slug="one").current.options.get(text="two")
    write_question(tmp_path, "one", QUESTION.replace("One too many.", "Edited since."))
    load()
    client.post(at("/questions/one/answer/"), {"option": old.pk, "step": "a/b"})
    assert Response.objects.get().version.number == 1


def test_a_question_that_is_not_there_is_a_notice(quiz):
    assert "The question gone is not here yet." in shown(block("gone"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("```question\nslug: One!\n```", "must be a slug"),
        ("```question\n```", "slug: missing"),
        ("```question\nslug: one\nmode: x\n```", "mode: unknown field"),
        ("```question\nslug: one\n---\nbody\n```", "has no body"),
    ],
)
def test_faults_of_a_block_are_found(text, words):
    problems = page_problems(parse_page(text, path="b.md"))
    assert any(words in problem.message for problem in problems), problems


def test_queries_do_not_grow_with_the_questions_of_a_step(
    quiz, learner, tmp_path, load, django_assert_num_queries
):
    for number in range(10):
        write_question(tmp_path, f"more-{number}")
    load()
    for question in Question.objects.filter(slug__startswith="more"):
        option = question.current.options.first().pk
        answer_inline(learner=learner, question=question, step="a/b", asked=SubmittedAnswer(option))
    course = some_course()
    with django_assert_num_queries(3):
        shown(block("more-1"), learner, course)
    everything = "".join(block(f"more-{number}") for number in range(10))
    with django_assert_num_queries(3):
        page = shown(everything, learner, course)
    assert page.count("Your answer") == 10
