"""Questions that ask for a number: in files, in attempts, inside lessons, by hand and by script."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzes.assessment.models import QuestionVersion, Quiz, Response
from quizzes.assessment.numeric_answer import answer_from_json, enough_digits
from quizzes.assessment.presenters import attempt_questions, number_context
from quizzes.assessment.question_files import read_questions
from quizzes.assessment.services import (
    AttemptClosedError,
    answer,
    start_attempt,
    submit_attempt,
)
from quizzes.content_files.files import DiskFiles
from quizzes.learners.models import Progress, ReviewCard
from tests.assessment.content import write_question, write_quiz
from tests.courses import at, some_course

NUMERIC = """
kind: numeric
prompt: How long is one turn of pair 3 in 50 dimensions?
step: sums/adding
answer:
  value: 18.97
  within: 0.01
  unit: positions
  reason: It is $2 \\pi \\cdot 10000^{6/50}$.
  near:
    - value: 57.30
      reason: That is pair 6; pair 3 has the columns 6 and 7.
      mistake: sinusoidal-table/exp_double
"""


@pytest.fixture
def numeric(db, tmp_path, load):
    write_question(tmp_path, "turn", NUMERIC)
    write_question(tmp_path, "one")
    write_quiz(tmp_path, "turns", "turn", "one")
    load()
    return Quiz.objects.get(slug="turns")


@pytest.fixture
def open_attempt(numeric, client):
    client.post(at("/quiz/turns/"))
    return Response.objects.select_related("attempt").get(version__question__slug="turn")


def faults_of(tmp_path, text):
    write_question(tmp_path, "turn", text)
    return [problem.message for problem in read_questions(DiskFiles(tmp_path))[1]]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("  value: 18.97\n", "", "value: missing"),
        ("value: 18.97", "value: about 19", "because of “about”"),
        ("value: 18.97", 'value: "18,970"', "can mean two numbers"),
        ("within: 0.01", "within: -1", "must be a number, 0 or more"),
        ("within: 0.01", "within: 0.01\n  plus_minus: 0.2", "not both"),
        ("value: 18.97", "value: 0", "the value is 0"),
        ("value: 57.30", "value: 19.0", "cannot be told apart from 18.97"),
        ("  reason: It", "  because: It", "reason: missing"),
        ("mistake: sinusoidal-table/exp_double", "mistake: double", "must be <exercise>/"),
        ("answer:", "options:", "answer: missing"),
    ],
)
def test_faults_of_a_numeric_question_are_found(tmp_path, old, new, words):
    assert any(words in problem for problem in faults_of(tmp_path, NUMERIC.replace(old, new)))


def test_the_accepted_interval_includes_its_ends_and_nothing_beyond():
    found = answer_from_json({"value": "1/1000", "within": 0.1, "reason": "x"})
    assert found.accepts(0.0009)
    assert found.accepts(0.0011)
    assert not found.accepts(0.00111)
    assert found.interval == "0.0009 to 0.0011"


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({}, "An answer within 1 % counts as right: three significant digits are enough."),
        (
            {"within": 0.025},
            "An answer within 2.5 % counts as right: three significant digits are enough.",
        ),
        (
            {"within": 0.05},
            "An answer within 5 % counts as right: two significant digits are enough.",
        ),
        (
            {"within": 0.5},
            "An answer within 50 % counts as right: one significant digit is enough.",
        ),
        (
            {"within": 1e-6},
            "An answer within 0.0001 % counts as right: 7 significant digits are enough.",
        ),
        ({"plus_minus": 0.005}, "An answer that is off by up to 0.005 counts as right."),
        ({"plus_minus": 2}, "An answer that is off by up to 2 counts as right."),
        ({"plus_minus": 0}, "Only the exact number is correct."),
        ({"within": 0}, "Only the exact number is correct."),
    ],
)
@pytest.mark.parametrize("value", ["0.353", "-1234.5"])
def test_how_exact_an_answer_must_be_is_said_whatever_it_is(fields, said, value):
    found = answer_from_json({"value": value, "reason": "x", **fields})
    assert found.exactness == said


@pytest.mark.parametrize(("value", "plus_minus"), [("1536", 0.4), ("0", 0.49)])
def test_count_is_a_whole_number_without_interval(value, plus_minus):
    found = answer_from_json({"value": value, "plus_minus": plus_minus, "reason": "x"})
    assert found.exactness == "The answer is a whole number."
    assert number_context(found, "sums").interval == ""


@given(
    value=st.floats(1e-9, 1e9),
    share=st.floats(1e-9, 0.9),
)
def test_rounding_to_the_digits_that_are_said_is_within_the_share(value, share):
    digits = enough_digits(share)
    assert abs(float(f"{value:.{digits - 1}e}") - value) <= share * value * (1 + 1e-9)
    fewer = 5 * 10.0 ** -(digits - 1)  # what rounding to one digit less may change
    assert digits == 1 or fewer > share


def test_every_page_that_asks_for_a_number_says_how_exact(numeric, client):
    said = "An answer within 1 % counts as right: three significant digits are enough."
    question = QuestionVersion.objects.get(question__slug="turn")
    attempt = client.post(at("/quiz/turns/"), follow=True).content.decode()
    practice = client.get(at("/practice/turn/")).content.decode()
    data = {"number": "about", "version": question.pk, "step": "sums/adding"}
    inline = client.post(at("/questions/turn/answer/"), data, headers={"HX-Request": "true"})
    for page in (attempt, practice, inline.content.decode()):
        (sentence,) = re.findall(
            r'<p class="number-answer__exact[^"]*" id="([^"]+)">(.*?)</p>', page
        )
        assert sentence[1] == said
        (described,) = re.findall(r'aria-describedby="([^"]+-help)"', page)
        assert sentence[0] in described.split()


def test_a_near_miss_is_the_nearest_known_mistake_and_never_the_key():
    near = [{"value": value, "reason": value} for value in ("8", "9", "12")]
    found = answer_from_json({"value": "10", "within": 0.05, "reason": "x", "near": near})
    assert found.near_miss(9.1).reason == "9"
    assert found.near_miss(10.0) is None
    assert found.near_miss(11.0) is None


@pytest.mark.both_databases(postgresql="soak")
@pytest.mark.parametrize("typed", ["18.97", "2*pi*10000^(6/50)", "1.897e1", " 19 "])
def test_a_right_number_is_right_however_it_is_written(numeric, learner, typed):
    attempt = start_attempt(learner=learner, quiz=numeric)
    response = attempt.responses.get(version__question__slug="turn")
    assert answer(attempt=attempt, choices={response.pk: typed}) == 1
    response.refresh_from_db()
    assert response.is_right
    assert response.text == typed.strip()


@pytest.mark.both_databases(postgresql="soak")
def test_what_is_no_number_is_kept_and_is_no_answer(numeric, learner):
    attempt = start_attempt(learner=learner, quiz=numeric)
    response = attempt.responses.get(version__question__slug="turn")
    assert answer(attempt=attempt, choices={response.pk: "18,970"}) == 0
    shown = attempt_questions(attempt)[0]
    assert shown.number_answer.typed == "18,970"
    assert "18.970" in shown.number_answer.problem
    assert not shown.answered
    assert not submit_attempt(attempt=attempt, blanks=False)
    assert submit_attempt(attempt=attempt)
    missed = Progress.objects.filter(kind="question", slug="turn")
    assert not missed.exists()  # what was not answered was not missed


@pytest.mark.both_databases(postgresql="soak")
def test_an_answer_can_be_taken_back_and_changed(numeric, learner):
    attempt = start_attempt(learner=learner, quiz=numeric)
    response = attempt.responses.get(version__question__slug="turn")
    for typed, answered in (("3", 1), ("", 0), ("four", 0), ("19", 1)):
        assert answer(attempt=attempt, choices={response.pk: typed}) == answered
    response.refresh_from_db()
    assert response.number == 19


def test_the_page_shows_the_field_and_after_submitting_interval_and_mistake(open_attempt, client):
    address = at(f"/quiz/turns/attempt/{open_attempt.attempt_id}/")
    page = client.get(address).content.decode()
    assert f'name="number-{open_attempt.pk}"' in page
    assert "positions" in page
    assert "18.97" not in page
    client.post(address, {f"number-{open_attempt.pk}": "57.3", "do": "submit-blank"})
    review = client.get(f"{address}review/").content.decode()
    assert "Accepted: 18.78 to 19.16." in review
    assert "That is pair 6" in review
    assert "Your answer, not right" in review


def test_autosave_says_why_a_text_is_no_number(open_attempt, client):
    address = at(f"/quiz/turns/attempt/{open_attempt.attempt_id}/")
    data = {f"number-{open_attempt.pk}": "18,970"}
    said = client.post(address, data, headers={"accept": "application/json"}).json()
    assert said["answered"] == 0
    assert "can mean two numbers" in said["unread"][str(open_attempt.pk)]
    assert 'value="18,970"' in client.get(address).content.decode()


def test_a_press_of_submit_with_an_unreadable_number_says_which(open_attempt, client):
    address = at(f"/quiz/turns/attempt/{open_attempt.attempt_id}/")
    data = {f"number-{open_attempt.pk}": "1,2,3 x", "do": "submit"}
    page = client.post(address, data, follow=True).content.decode()
    assert "what you typed could not be read as a number" in page
    assert 'value="1,2,3 x"' in page


def test_an_older_page_does_not_overwrite_a_number_typed_in_another_tab(open_attempt, client):
    address = at(f"/quiz/turns/attempt/{open_attempt.attempt_id}/")
    name, was = f"number-{open_attempt.pk}", f"was-{open_attempt.pk}"
    client.post(address, {name: "19", was: "", "do": "save"})
    client.post(address, {name: "", was: "", "do": "save"})  # the other tab, opened before
    open_attempt.refresh_from_db()
    assert open_attempt.number == 19


@pytest.mark.parametrize("typed", ["9" * 3000, "\0", "<b>", "١٢"])
def test_hostile_texts_are_kept_short_and_harmless(open_attempt, client, typed):
    address = at(f"/quiz/turns/attempt/{open_attempt.attempt_id}/")
    page = client.post(
        address, {f"number-{open_attempt.pk}": typed, "do": "save"}, follow=True
    ).content.decode()
    assert "<b>" not in page
    open_attempt.refresh_from_db()
    assert open_attempt.is_right is None


def test_a_number_for_a_question_with_options_is_refused(numeric, client):
    client.post(at("/quiz/turns/"))
    other = Response.objects.get(version__question__slug="one")
    address = at(f"/quiz/turns/attempt/{other.attempt_id}/")
    refused = client.post(address, {f"number-{other.pk}": "3", "do": "save"})
    assert refused.status_code == 400


def test_inside_a_lesson_a_bad_number_comes_back_as_it_was_typed(numeric, client):
    version = Quiz.objects.get().questions.get(slug="turn").current
    data = {"number": "18,970", "version": version.pk, "step": "sums/adding"}
    page = client.post(at("/questions/turn/answer/"), data)
    assert page.status_code == 400
    assert 'value="18,970"' in page.content.decode()
    assert not Response.objects.exists()
    client.post(at("/questions/turn/answer/"), data | {"number": "6pi"})
    assert Response.objects.get().is_right


@pytest.mark.parametrize(
    "bad", [{"version": ""}, {"version": 10**9}, {"instance": 7, "version": 0}]
)
def test_a_forged_form_inside_a_lesson_records_nothing(numeric, client, bad):
    data = {"number": "3", "step": "sums/adding"} | bad
    assert client.post(at("/questions/turn/answer/"), data).status_code in {400, 404}
    assert not Response.objects.exists()


def test_a_saved_number_that_comes_again_with_a_blank_is_not_lost(numeric, learner):
    attempt = start_attempt(learner=learner, quiz=numeric)
    response = attempt.responses.get(version__question__slug="turn")
    submit_attempt(attempt=attempt, choices={response.pk: "3 "})
    for typed, lost in ((" 3 ", False), ("4", True)):
        with pytest.raises(AttemptClosedError) as late:
            answer(attempt=attempt, choices={response.pk: typed})
        assert late.value.choices_lost is lost


REFUSED = ["1,500", "1.234,5", "abc", "½", "5,", "1,5,6", "1e999", "nan", "٣"]


@pytest.mark.covering(most=2)
@pytest.mark.parametrize("typed", REFUSED)
def test_what_is_not_read_uses_up_no_answer_in_a_quiz(open_attempt, client, typed):
    address = at(f"/quiz/turns/attempt/{open_attempt.attempt_id}/")
    name = f"number-{open_attempt.pk}"
    said = client.post(address, {name: typed}, headers={"accept": "application/json"}).json()
    assert f"“{typed}”" in said["unread"][str(open_attempt.pk)]
    page = client.post(address, {name: typed, "do": "submit"}, follow=True).content.decode()
    assert f"“{typed}”" in page
    assert "could not be read as a number" in page
    open_attempt.refresh_from_db()
    assert open_attempt.is_right is None
    client.post(address, {name: "18,97", "do": "submit-blank"})
    open_attempt.refresh_from_db()
    assert open_attempt.is_right


@pytest.mark.covering(most=3)
@pytest.mark.parametrize("typed", ["", *REFUSED])
def test_what_is_not_read_uses_up_no_answer_inside_a_lesson(numeric, client, typed):
    version = Quiz.objects.get().questions.get(slug="turn").current
    data = {"version": version.pk, "step": "sums/adding"}
    page = client.post(at("/questions/turn/answer/"), data | {"number": typed})
    assert page.status_code == 400
    assert (f"“{typed}”" if typed else "Type a number first") in page.content.decode()
    assert not Response.objects.exists()
    assert not Progress.objects.filter(kind="question").exists()
    client.post(at("/questions/turn/answer/"), data | {"number": "18,97"})
    assert Response.objects.get().is_right


@pytest.mark.covering(most=2)
@pytest.mark.parametrize("typed", REFUSED)
def test_what_is_not_read_uses_up_no_answer_in_a_review(open_attempt, client, typed):
    learner = open_attempt.attempt.learner
    due = learner.created_at
    card = ReviewCard.objects.create(
        course=some_course(), learner=learner, kind="question", slug="turn", due_at=due
    )
    data = {"card": card.pk, "seen": 0, "question": "turn", "version": open_attempt.version_id}
    for address in ("/review/", at("/practice/turn/")):
        page = client.post(address, data | {"number": typed})
        assert page.status_code == 400
        assert f"“{typed}”" in page.content.decode()
        assert f'value="{typed}"' in page.content.decode()
    card.refresh_from_db()
    assert card.reviews == 0
    assert Response.objects.filter(attempt=None).count() == 0
    said = client.post("/review/", data | {"number": "18,97"}, follow=True).content.decode()
    assert "read as 18.97" in said
    assert Response.objects.get(attempt=None).is_right


def test_a_decimal_comma_is_repeated_as_it_was_read_on_every_page(open_attempt, client):
    address = at(f"/quiz/turns/attempt/{open_attempt.attempt_id}/")
    name = f"number-{open_attempt.pk}"
    said = client.post(address, {name: "18,97"}, headers={"accept": "application/json"}).json()
    assert said["read"] == {str(open_attempt.pk): "18.97"}
    assert "Read as 18.97." in client.get(address).content.decode()
    client.post(address, {name: "18,97", "do": "submit-blank"})
    review = client.get(f"{address}review/").content.decode()
    assert "read as 18.97" in review
    assert "Your answer, right" in review


def test_a_decimal_comma_refused_by_an_earlier_release_is_said_and_can_be_sent_again(
    open_attempt, client
):
    address = at(f"/quiz/turns/attempt/{open_attempt.attempt_id}/")
    Response.objects.filter(pk=open_attempt.pk).update(text="18,97")
    assert (
        "This could not be read as a number when you sent it"
        in client.get(address).content.decode()
    )
    client.post(address, {f"number-{open_attempt.pk}": "18,97", "do": "save"})
    open_attempt.refresh_from_db()
    assert open_attempt.is_right
