"""Answers as people type and paste them, through the forms of the pages."""

import html
import re
from datetime import timedelta

import pytest
from django.utils import timezone

from quizzes.assessment.models import Attempt, Question
from quizzes.assessment.question_files import read_questions
from quizzes.assessment.services import hand_in_overdue
from quizzes.content_files.files import DiskFiles
from tests.assessment.content import write_question, write_quiz
from tests.courses import at

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]
PAGE = at("/quiz/typed/")
ANSWER = "step: sums/adding\nanswer:\n  reason: So it is.\n"
TEXTS = {
    "dash": "key-value",
    "apostrophe": "Euler's",
    "quotes": '"why"',
    "name": "RoPE",
    "stop": "etc.",
    "prime": "f′(x)",
}
NUMBERS = {"half": ("-0.5", ""), "share": ("0.5", ""), "length": ("18.97", "positions")}
RIGHT = [
    ("dash", "key‑value"),
    ("dash", "key‐value"),
    ("dash", "key–value"),
    ("dash", "key−value"),
    ("dash", "ｋｅｙ－ｖａｌｕｅ"),
    ("apostrophe", "Euler’s"),
    ("apostrophe", "Euler‘s"),
    ("apostrophe", "Euler´s"),
    ("apostrophe", "Eulerʼs"),
    ("quotes", "“why”"),
    ("quotes", "„why“"),
    ("quotes", "«why»"),
    ("quotes", "``why''"),
    ("name", "RoPE\u200b"),
    ("name", "\ufeffRoPE"),
    ("name", "\u202dRoPE\u202c"),
    ("name", "Ro\u00adPE"),
    ("name", "RoPE."),
    ("stop", "etc."),
    ("prime", "f'(x)"),
    ("prime", "f’(x)."),
    *(("half", f"{sign}0.5") for sign in "-‑‐‒–—﹣－−"),
    ("half", "‑１／２"),
    ("share", "\u200b0.5"),
    ("share", "0.5\u200f"),
    ("share", "\ufeff0.5"),
    ("share", "\u202d0.5\u202c"),
    ("length", "18.97 positions"),
    ("length", "18.97 Positions"),
    ("length", "18,97"),
]
WRONG = [
    ("dash", "key value"),
    ("apostrophe", "Eulers"),
    ("name", "RoPE.."),
    ("name", "Ro PE"),
    ("stop", "et"),
    ("half", "0.5"),
    ("half", "~0.5"),
]
BLANK = [("name", "\u200b\ufeff "), ("share", "\u200b")]
REFUSED = [
    ("share", "50 %", "Write 0.5."),
    ("share", "½", "Write 1/2."),
    ("share", "5·10⁻¹", "Write 5·10^-1."),
    ("length", "18.97 rows", "because of “rows”"),
]


@pytest.fixture
def attempt(client, db, tmp_path, load):
    """An attempt begun on its page, at a quiz with a question of each kind."""
    for slug, accepted in TEXTS.items():
        quoted = "'" + accepted.replace("'", "''") + "'"
        text = f"  accepts: [{quoted}]\n"
        write_question(tmp_path, slug, f"kind: text\nprompt: Which?\n{ANSWER}{text}")
    for slug, (value, unit) in NUMBERS.items():
        text = f'  value: "{value}"\n  unit: "{unit}"\n'
        write_question(tmp_path, slug, f"kind: numeric\nprompt: How many?\n{ANSWER}{text}")
    write_quiz(tmp_path, "typed", *TEXTS, *NUMBERS)
    load()
    client.post(PAGE)
    return Attempt.objects.get()


def asked(attempt, slug):
    return attempt.responses.select_related("version").get(version__question__slug=slug)


def field_of(response):
    kind = "text" if response.version.kind == "text" else "number"
    return f"{kind}-{response.pk}"


def save(client, attempt, answers):
    """Send answers by the form of the page; return the page, and the stored responses by slug."""
    page = client.get(attempt.get_absolute_url()).content.decode()
    fields = {"do": "save"}
    for slug, typed in answers.items():
        name = field_of(asked(attempt, slug))
        was = f"was-{name.partition('-')[2]}"
        there = re.search(rf'name="{was}" value="([^"]*)"', page)
        fields |= {name: typed, was: html.unescape(there[1])}
    shown = client.post(attempt.get_absolute_url(), fields, follow=True)
    return shown.content.decode(), {slug: asked(attempt, slug) for slug in answers}


def rounds(cases):
    """Return the cases in rounds, each with at most one answer to each question."""
    left, found = list(cases), []
    while left:
        found.append({slug: rest for slug, *rest in reversed(left)})
        left = [case for case in left if found[-1][case[0]] != list(case[1:])]
    return found


def test_answers_that_look_right_count(client, attempt):
    for answers in rounds(RIGHT):
        typed = {slug: text for slug, (text,) in answers.items()}
        shown, stored = save(client, attempt, typed)
        assert {slug: (one.is_right, one.text) for slug, one in stored.items()} == {
            slug: (True, text.strip()) for slug, text in typed.items()
        }
        assert "aria-invalid" not in shown


def test_answers_that_look_wrong_do_not_count(client, attempt):
    for answers in rounds(WRONG):
        _, stored = save(client, attempt, {slug: text for slug, (text,) in answers.items()})
        assert not [slug for slug, one in stored.items() if one.is_right]


def test_what_nobody_sees_is_no_answer(client, attempt):
    shown, stored = save(client, attempt, dict(BLANK))
    assert {(one.text, one.answered_at) for one in stored.values()} == {("", None)}
    assert "0 of 9 answered" in shown


def test_a_refused_number_says_what_to_write(client, attempt):
    for answers in rounds(REFUSED):
        shown, stored = save(client, attempt, {slug: one[0] for slug, one in answers.items()})
        for slug, (typed, words) in answers.items():
            one = stored[slug]
            assert (one.number, one.is_right, one.text) == (None, None, typed)
            assert words in html.unescape(shown)


@pytest.mark.parametrize("typed", ["‑0.5", "\u200b−0.5", "－０．５"])
def test_the_end_of_the_time_counts_a_pasted_number(client, attempt, typed):
    half = asked(attempt, "half")
    sent = client.post(
        attempt.get_absolute_url(),
        {f"number-{half.pk}": typed},
        headers={"accept": "application/json"},
    )
    assert sent.json()["answered"] == 1
    over = timezone.now() - timedelta(minutes=5)
    Attempt.objects.filter(pk=attempt.pk).update(deadline_at=over)
    attempt.refresh_from_db()
    assert hand_in_overdue(attempt)
    attempt.refresh_from_db()
    assert (attempt.ended_by, attempt.earned) == ("time", 1)


def test_autosave_says_what_to_write(client, attempt):
    share, length = asked(attempt, "share"), asked(attempt, "length")
    sent = client.post(
        attempt.get_absolute_url(),
        {f"number-{share.pk}": "50 %", f"number-{length.pk}": "18,97 positions"},
        headers={"accept": "application/json"},
    )
    assert "Write 0.5." in sent.json()["unread"][str(share.pk)]
    assert sent.json()["read"][str(length.pk)] == "18.97"


def test_a_review_shows_a_unit_once(client, attempt):
    save(client, attempt, {"length": "18.97 positions"})
    client.post(attempt.get_absolute_url(), {"do": "submit-blank"})
    shown = client.get(attempt.review_address).content.decode()
    assert "<code>18.97 positions</code></p>" in shown
    assert "Question 9: right" in shown


@pytest.mark.parametrize(("slug", "typed"), [("dash", "key‑value."), ("length", "18.97 positions")])
def test_a_lesson_reads_answers_as_a_quiz_does(client, attempt, slug, typed):
    question = Question.objects.select_related("current").get(slug=slug)
    kind = "text" if question.current.kind == "text" else "number"
    fields = {"step": "sums/adding", "version": question.current.pk, kind: typed}
    page = client.post(at(f"/questions/{slug}/answer/"), fields, headers={"HX-Request": "true"})
    assert page.status_code == 200
    assert "Your answer, right" in page.content.decode()


def test_accepted_texts_may_differ_in_their_dashes_alone(tmp_path):
    """A course that listed each way of typing a text stays one that can be loaded."""
    text = "  accepts: [key-value, key–value, key‑value]\n"
    write_question(tmp_path, "q", f"kind: text\nprompt: Which?\n{ANSWER}{text}")
    assert read_questions(DiskFiles(tmp_path))[1] == []
