"""Several right options, and texts: files, answers, scores, pages."""

from decimal import Decimal
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzes.assessment.canonical_files import question_files
from quizzes.assessment.models import Attempt, Question, Quiz, Response
from quizzes.assessment.question_drafts import content_of
from quizzes.assessment.question_files import read_questions
from quizzes.assessment.scores import score_of_options
from quizzes.assessment.services import (
    NoSuchChoiceError,
    answer,
    history_of,
    start_attempt,
    submit_attempt,
)
from quizzes.assessment.single_question import (
    SubmittedAnswer,
    UnreadableError,
    answer_in_review,
    answer_inline,
)
from quizzes.assessment.text_answer import TextAnswer
from quizzes.content_files.files import DiskFiles
from quizzes.learners.models import Learner
from tests.assessment.content import QUESTION, write_question, write_quiz
from tests.assessment.kinds import MULTIPLE, TEXT
from tests.courses import at

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]
PAGE = at("/quiz/sums/")


@pytest.fixture
def mixed(db, tmp_path, load):
    """A quiz that asks one question of each of the two kinds, and one with one right option."""
    write_question(tmp_path, "even", MULTIPLE)
    write_question(tmp_path, "turns", TEXT)
    write_question(tmp_path, "one", QUESTION)
    write_quiz(tmp_path, "sums", "even", "turns", "one")
    load()
    return Quiz.objects.get(slug="sums")


def asked(attempt, slug):
    return attempt.responses.select_related("version").get(version__question__slug=slug)


def pks(response, *texts):
    return tuple(response.version.options.filter(text__in=texts).values_list("pk", flat=True))


# ---- scores


@pytest.mark.parametrize("keys", [{1, 2}, {1, 2, 3}, {2, 5, 6, 7}])
def test_a_part_for_each_right_option_less_one_for_each_wrong_one(keys):
    """Every set of eight options, against the sentence of the rule counted by hand."""
    options = range(1, 9)
    for size in range(9):
        for chosen in combinations(options, size):
            right = len([one for one in chosen if one in keys])
            wrong = size - right
            exact = max(0.0, (right - wrong) / len(keys))
            found = score_of_options(chosen=chosen, keys=keys, rule="per_option")
            assert abs(float(found) - exact) <= 5e-6
            whole = score_of_options(chosen=chosen, keys=keys, rule="all_or_nothing")
            assert whole == (set(chosen) == keys)
            assert (found == 1) == (whole == 1)


@given(st.text(max_size=40), st.sampled_from(["{}", "*{}", "{}*", "*{}*"]))
def test_a_text_is_compared_without_case_and_spaces(typed, around):
    word = "Rotary  Embedding"
    pattern = around.format(word)
    answer_ = TextAnswer((pattern,), "")
    for inside in (word, word.upper(), "  rotary\tembedding\n"):
        before, after = typed if around[0] == "*" else "", typed if around[-1] == "*" else ""
        assert answer_.accepts(f"{before} {inside} {after}") or not (typed.strip() or inside)
    if typed.strip() and around == "{}":
        assert not answer_.accepts(f"{typed.strip()} {word}x")


@pytest.mark.parametrize(
    ("accepted", "typed", "right"),
    [
        ("RoPE", "rope", True),
        ("RoPE", " R o P E ", False),  # spaces within words are not folded away
        ("a  b", "A b", True),
        ("rotary*", "Rotary position embedding", True),
        ("rotary*", "the rotary", False),
        ("*embedding", "rotary embedding", True),
        ("*embedding", "embedding layer", False),
        ("*pos*", "the positions", True),
        ("*pos*", "the places", False),
        ("straße", "STRASSE", True),
        ("ﬁne", "fine", True),  # a ligature
    ],
)
def test_accepted_texts(accepted, typed, right):
    assert TextAnswer((accepted,), "").accepts(typed) is right


# ---- files


@pytest.mark.parametrize(
    ("text", "words", "line"),
    [
        (MULTIPLE.replace("per_option", "some"), "scoring: 'some': must be one of", 3),
        (QUESTION + "scoring: per_option\n", "scoring: unknown field", 14),
        (
            MULTIPLE.replace("    key: true\n", "", 2),
            "options: 1 have key: true, must be at least 2, and not all of them",
            8,
        ),
        (
            MULTIPLE.replace("no half.", "no half.\n    key: true").replace(
                "none either.", "none either.\n    key: true"
            ),
            "options: 5 have key: true",
            8,
        ),
        (TEXT.replace("RoPE", '"*"'), "would accept every text", 7),
        (TEXT.replace("RoPE", '"ro*pe"'), "* is allowed only at the start or end", 7),
        (TEXT.replace("RoPE", "ROTARY*"), "appears here twice", 7),
        (TEXT.replace("RoPE", '" "'), "must not be empty", 7),
        (TEXT.replace("RoPE", "[1]"), "must be text", 7),
        (TEXT.replace("RoPE", "x" * 101), "101 characters", 7),
        (TEXT.replace("  reason: It rotates them by the position.\n", ""), "reason: missing", 7),
        (TEXT + "options: []\n", "options: unknown field", 10),
        (TEXT.replace("accepts:", "value:"), "accepts: missing", 7),
    ],
)
def test_faults_of_the_new_kinds_have_their_line(tmp_path, text, words, line):
    write_question(tmp_path, "q", text)
    problems = read_questions(DiskFiles(tmp_path))[1]
    found = [problem for problem in problems if words in problem.message]
    assert found, problems
    assert abs(found[0].line - line) <= 1


def test_a_generated_question_is_of_the_old_kinds(tmp_path):
    path = write_question(tmp_path, "q", "kind: multiple\nprompt: Which?\nstep: a/b\n")
    (path.parent / "generate.py").write_text("def generate(rng): return {}\n")
    words = [problem.message for problem in read_questions(DiskFiles(tmp_path))[1]]
    assert any("makes questions of the kinds single and numeric" in one for one in words)


@pytest.mark.parametrize("text", [MULTIPLE, TEXT, QUESTION])
def test_a_stored_question_is_written_as_the_same_file_again(tmp_path, load, text):
    write_question(tmp_path, "q", text)
    load()
    version = Question.objects.get(slug="q").current
    for name, words in question_files(content_of(version)).items():
        (tmp_path / "questions/q" / name).write_text(words)
    (again,), problems = read_questions(DiskFiles(tmp_path))
    assert not problems
    assert again.content_hash == version.content_hash


# ---- answers


def test_chosen_options_are_scored_and_an_empty_set_is_no_answer(mixed, learner):
    attempt = start_attempt(learner=learner, quiz=mixed)
    even = asked(attempt, "even")
    answer(attempt=attempt, choices={even.pk: pks(even, "two", "four", "seven")})
    even.refresh_from_db()
    assert (even.score, even.is_right, even.choice) == (Decimal("0.33333"), False, None)
    assert even.choices == sorted(pks(even, "two", "four", "seven"))
    answer(attempt=attempt, choices={even.pk: pks(even, "two", "four", "six")})
    even.refresh_from_db()
    assert (even.score, even.is_right) == (1, True)
    assert answer(attempt=attempt, choices={even.pk: ()}) == 0
    even.refresh_from_db()
    assert (even.choices, even.score, even.is_right, even.answered_at) == (None, None, None, None)


@pytest.mark.both_databases
def test_a_text_is_an_answer_and_an_empty_one_is_none(mixed, learner):
    attempt = start_attempt(learner=learner, quiz=mixed)
    turns = asked(attempt, "turns")
    for typed, right in (("ROPE", True), ("alibi", False), ("  ", None)):
        answer(attempt=attempt, choices={turns.pk: typed})
        turns.refresh_from_db()
        assert turns.is_right is right
        assert (turns.answered_at is not None) is (right is not None)
        assert turns.number is None


@pytest.mark.parametrize(
    ("slug", "wrong"),
    [("even", "two"), ("even", 1), ("turns", 1), ("turns", (1,)), ("one", (1,)), ("one", "x")],
)
def test_an_answer_of_another_form_is_refused_and_changes_nothing(mixed, learner, slug, wrong):
    attempt = start_attempt(learner=learner, quiz=mixed)
    with pytest.raises(NoSuchChoiceError):
        answer(attempt=attempt, choices={asked(attempt, slug).pk: wrong})
    assert not attempt.responses.filter(answered_at__isnull=False).exists()


def test_an_option_of_another_question_is_refused(mixed, learner):
    attempt = start_attempt(learner=learner, quiz=mixed)
    even, one = asked(attempt, "even"), asked(attempt, "one")
    with pytest.raises(NoSuchChoiceError):
        answer(attempt=attempt, choices={even.pk: (even.option_order[0], one.option_order[0])})
    assert Response.objects.get(pk=even.pk).choices is None


def test_a_submitted_attempt_carries_the_points_of_its_answers(mixed, learner):
    attempt = start_attempt(learner=learner, quiz=mixed)
    even, turns = asked(attempt, "even"), asked(attempt, "turns")
    given_answers = {even.pk: pks(even, "two", "four"), turns.pk: "Rotary"}
    submit_attempt(attempt=attempt, choices=given_answers)
    attempt.refresh_from_db()
    assert (attempt.earned, attempt.possible) == (Decimal("1.66667"), 3)
    assert attempt.ended_by == "learner"
    best = history_of(learner, mixed).best
    assert (best.right, best.question_count) == (1, 3)


def test_a_question_alone_takes_the_new_answers(mixed, learner):
    even = Question.objects.get(slug="even")
    version = even.current
    chosen = tuple(version.options.filter(is_key=True).values_list("pk", flat=True))
    sent = SubmittedAnswer(chosen, version.pk)
    first = answer_inline(learner=learner, question=even, step="a/b", answer=sent)
    assert (first.is_right, first.choices) == (True, sorted(chosen))
    turns = Question.objects.get(slug="turns")
    typed = SubmittedAnswer("not it", turns.current.pk)
    missed = answer_inline(learner=learner, question=turns, step="a/b", answer=typed)
    assert (missed.is_right, missed.text) == (False, "not it")
    again = answer_inline(learner=learner, question=turns, step="a/b", answer=typed)
    assert (again.pk, again.tries) == (missed.pk, 0)  # sent twice
    with pytest.raises(UnreadableError):
        answer_in_review(
            learner=learner, question=turns, answer=SubmittedAnswer(" ", turns.current.pk)
        )


# ---- pages


def test_the_forms_of_an_attempt_bring_and_keep_the_answers(client, mixed):
    page = client.post(PAGE, follow=True)
    attempt = Attempt.objects.get()
    even, turns = asked(attempt, "even"), asked(attempt, "turns")
    text = page.content.decode()
    assert text.count('type="checkbox"') == 5
    assert "Several answers are right: choose all that apply." in text
    chosen = pks(even, "two", "seven")
    fields = {
        f"choices-{even.pk}": ["", *map(str, chosen)],
        f"was-{even.pk}": "",
        f"text-{turns.pk}": "rope",
        f"was-{turns.pk}": "",
    }
    address = attempt.get_absolute_url()
    shown = client.post(address, fields, follow=True).content.decode()
    even.refresh_from_db()
    assert even.choices == sorted(chosen)
    assert "2 of 3 answered" in shown
    assert shown.count(" checked") == 2
    saved = ",".join(map(str, sorted(chosen)))
    assert f'name="was-{even.pk}" value="{saved}"' in shown
    # The page says what it was made with: what another tab changed meanwhile stands.
    answer(attempt=attempt, choices={even.pk: pks(even, "four")})
    client.post(address, {f"choices-{even.pk}": ["", *map(str, chosen)], f"was-{even.pk}": saved})
    even.refresh_from_db()
    assert even.choices == sorted(pks(even, "four"))
    # With every box empty the answer is taken back.
    client.post(address, {f"choices-{even.pk}": "", f"was-{even.pk}": "1"})
    even.refresh_from_db()
    assert even.choices is None


def test_autosave_sends_several_options_in_one_value(client, mixed):
    client.post(PAGE)
    attempt = Attempt.objects.get()
    even = asked(attempt, "even")
    value = ",".join(map(str, pks(even, "six", "two")))
    sent = client.post(
        attempt.get_absolute_url(),
        {f"choices-{even.pk}": value},
        headers={"accept": "application/json"},
    )
    assert sent.json()["answered"] == 1
    even.refresh_from_db()
    assert even.score == Decimal("0.66667")
    wrong = client.post(
        attempt.get_absolute_url(),
        {f"choices-{even.pk}": "1,x"},
        headers={"accept": "application/json"},
    )
    assert wrong.status_code == 400


def test_the_review_says_which_options_and_what_they_earned(client, mixed):
    client.post(PAGE)
    attempt = Attempt.objects.get()
    even, turns = asked(attempt, "even"), asked(attempt, "turns")
    given_answers = {even.pk: pks(even, "two", "four", "seven"), turns.pk: "alibi"}
    submit_attempt(attempt=attempt, choices=given_answers)
    text = client.get(f"{attempt.get_absolute_url()}review/").content.decode()
    assert "Question 1: partly right, 0.33 of 1 point" in text
    assert "0.33 of 3 points" in text
    assert text.count("You chose it, right") == 2
    assert "You chose it, not right" in text
    assert "Right, not chosen" in text
    assert "Also accepted: rotary…, …rotary position embedding" in text


def test_a_learner_of_whom_nothing_is_known_answers_inside_a_lesson(client, mixed):
    even = Question.objects.get(slug="even")
    keys = list(even.current.options.filter(is_key=True).values_list("pk", flat=True))
    fields = {"step": "sums/adding", "version": even.current.pk, "options": ["", *keys]}
    page = client.post(at("/questions/even/answer/"), fields, headers={"HX-Request": "true"})
    assert page.status_code == 200
    assert "You chose it, right" in page.content.decode()
    none = client.post(at("/questions/even/answer/"), fields | {"options": ""})
    assert none.status_code == 400
    assert "Choose an option first" in none.content.decode()
    assert Learner.objects.count() == 1
