"""Questions inside lessons: asked in the step, answered once, never changed by a later edit."""

import re

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import RequestFactory
from django.utils import timezone

from quizzes.assessment.models import Question, Response
from quizzes.assessment.single_question import SubmittedAnswer, answer_inline
from quizzes.learners.models import Progress, ReviewCard
from quizzes.pages.blocks import PageContext, page_problems, parse_page, render_page
from tests.assessment.content import QUESTION, write_question
from tests.courses import at, some_course

pytestmark = pytest.mark.django_db
STEP = "a/b"
HTMX = {"HX-Request": "true"}


def block(slug):
    return f"```question\nslug: {slug}\n```\n\n"


def shown(text, learner=None, course=None):
    """Return a step with this text as a visitor, or a learner, sees it."""
    request = RequestFactory().get(at("/learn/a/b/"))
    request.user = AnonymousUser()
    context = PageContext(request, learner, course or some_course(), lesson="a", step="b")
    return render_page(parse_page(text, path="b.md"), context)


def without_token(page):
    return re.sub(r'value="[A-Za-z0-9]{64}"', "", page)


def test_an_inline_answer_without_a_script_returns_to_the_step(client, quiz):
    option = quiz.questions.get(slug="one").current.options.last()
    answer = client.post(at("/questions/one/answer/"), {"option": option.pk, "step": "a/b"})
    assert answer.url == at("/learn/a/b/#question-one")
    assert Response.objects.get().choice == option


def test_an_inline_answer_with_htmx_is_a_fragment_with_its_reason(client, quiz):
    option = quiz.questions.get(slug="one").current.options.last()
    data = {"option": option.pk, "step": "a/b"}
    page = client.post(at("/questions/one/answer/"), data, headers={"HX-Request": "true"})
    text = page.content.decode()
    assert "Your answer, not right" in text
    assert option.reason in text
    assert "Right answer" not in text
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
    answer_inline(learner=learner, question=question, step="a/b", answer=SubmittedAnswer(wrong.pk))
    before = shown(block("one"), learner)
    assert "Your answer, not right" in before
    assert 'type="radio"' not in before
    write_question(tmp_path, "one", QUESTION.replace("One too many.", "Edited since."))
    load()
    assert without_token(shown(block("one"), learner)) == without_token(before)
    assert 'type="radio"' in shown(block("one"))


def test_a_page_made_before_an_edit_can_still_be_answered(client, quiz, tmp_path, load):
    old = Question.objects.get(slug="one").current.options.get(text="two")
    write_question(tmp_path, "one", QUESTION.replace("One too many.", "Edited since."))
    load()
    client.post(at("/questions/one/answer/"), {"option": old.pk, "step": "a/b"})
    assert Response.objects.get().version.number == 1


def test_a_question_that_is_not_there_is_a_notice(quiz):
    assert "The question gone is not available yet." in shown(block("gone"))


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
        answer_inline(
            learner=learner, question=question, step="a/b", answer=SubmittedAnswer(option)
        )
    course = some_course()
    with django_assert_num_queries(2):
        shown(block("more-1"), learner, course)
    everything = "".join(block(f"more-{number}") for number in range(10))
    with django_assert_num_queries(2):
        page = shown(everything, learner, course)
    assert page.count("Your answer") == 10
    for few in (1, 4):
        text = "".join(block(f"more-{number}") for number in range(few))
        shown(text, None, course)  # from then on it is cached
        with django_assert_num_queries(1):
            shown(text, None, course)


@pytest.mark.both_databases
def test_a_kept_question_is_that_of_the_database(quiz, tmp_path, load):
    course, text = some_course(), block("one") + block("two")
    first = shown(text, None, course)
    tokens = re.findall(r'csrfmiddlewaretoken" value="([A-Za-z0-9]+)"', first)
    assert len(tokens) == 2
    again = shown(text, None, course)
    assert without_token(again) == without_token(first)
    assert not any(token in again for token in tokens), "each answer has a token of its own"
    option = quiz.questions.get(slug="one").current.options.first()
    type(option).objects.filter(pk=option.pk).update(text="said anew")
    assert shown(text, None, course).count("said anew") == 1
    write_question(tmp_path, "one", QUESTION.replace("prompt: ", "prompt: Anew. "))
    load()
    changed = shown(text, None, course)
    assert "Anew. " in changed
    assert "said anew" not in changed
    Question.objects.filter(slug="one").update(withdrawn_at=timezone.now())
    assert "The question one is not available yet" in shown(text, None, course)


# ---- trying again


@pytest.fixture
def wrong(client, quiz):
    """Answer a question inside a step wrong; return its address, its options and its answer."""
    options = list(quiz.questions.get(slug="one").current.options.all())
    first = next(option for option in options if not option.is_key)
    where = at("/questions/one/answer/")
    page = client.post(where, {"step": STEP, "option": first.pk}, headers=HTMX).content.decode()
    return where, options, first, page


def test_a_wrong_choice_shows_its_own_reason_alone(client, wrong):
    _, options, first, page = wrong
    assert first.reason in page
    assert not any(option.reason in page for option in options if option != first)
    assert "Right answer" not in page
    assert "Try again" in page
    assert "Show all reasons" in page


def test_later_tries_are_judged_and_counted_and_the_first_answer_stands(client, wrong):
    where, options, first, _ = wrong
    key = next(option for option in options if option.is_key)
    other = next(option for option in options if not option.is_key and option != first)
    form = client.post(where, {"step": STEP, "show": "again"}, headers=HTMX).content.decode()
    assert all(f'value="{option.pk}"' in form for option in options)
    again = client.post(where, {"step": STEP, "option": other.pk}, headers=HTMX).content.decode()
    assert other.reason in again
    assert first.reason not in again
    page = client.post(where, {"step": STEP, "option": key.pk}, headers=HTMX).content.decode()
    assert all(option.reason in page for option in options)
    assert "Try again" not in page
    response = Response.objects.get()
    assert (response.choice, response.is_right, response.tries) == (first, False, 2)
    assert Progress.objects.get(kind="question").state == "shaky"
    assert ReviewCard.objects.count() == 1


def test_the_same_answer_sent_twice_is_no_try(client, wrong):
    where, _, first, _ = wrong
    client.post(where, {"step": STEP, "option": first.pk}, headers=HTMX)
    assert Response.objects.get().tries == 0


def test_all_reasons_are_shown_on_demand_with_and_without_a_script(client, wrong):
    where, options, _, _ = wrong
    for headers in ({}, HTMX):
        page = client.post(where, {"step": STEP, "show": "reasons"}, headers=headers)
        assert all(option.reason in page.content.decode() for option in options)


def test_without_a_script_a_later_try_is_a_page_with_a_way_back(client, wrong):
    where, options, first, _ = wrong
    other = next(option for option in options if not option.is_key and option != first)
    page = client.post(where, {"step": STEP, "option": other.pk}).content.decode()
    assert other.reason in page
    assert f'href="{at("/learn/a/b/")}#question-one"' in page


def test_nothing_to_show_before_an_answer(client, quiz):
    where = at("/questions/one/answer/")
    assert client.post(where, {"step": STEP, "show": "reasons"}).status_code == 404
