"""Faults in question and quiz files are found, all at once, with their lines."""

import pytest

from quizzes.assessment.question_files import read_questions, read_quizzes
from quizzes.content_files.files import DiskFiles
from tests.assessment.content import QUESTION, write_question, write_quiz


def faults_of(tmp_path, text):
    write_question(tmp_path, "q", text)
    return [(problem.line, problem.message) for problem in read_questions(DiskFiles(tmp_path))[1]]


def test_a_good_question_is_read_whole(tmp_path):
    write_question(tmp_path, "q")
    (question,), problems = read_questions(DiskFiles(tmp_path))
    assert not problems
    assert question.slug == "q"
    assert question.path == "questions/q/question.yaml"
    assert [option.is_key for option in question.options] == [True, False, False]
    assert [path for path, _ in question.steps] == ["sums/adding"]


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("key: true", "key: yes", 7, "must be true or false"),
        ("    key: true\n", "", 6, "0 have key: true"),
        ("text: three\n", "text: three\n    key: true\n", 6, "2 have key: true"),
        ("    reason: One too many.\n", "", 9, "reason: missing"),
        ("text: three", "text: TWO", 9, "appears here twice"),
        ("kind: single", "kind: essay", 2, "must be one of multiple, numeric, single, text"),
        ("step: sums/adding", "step: adding", 4, "must be <lesson>/<step>"),
        ("prompt:", "promt:", 3, "unknown field"),
        ("$1 + 1$", r"$\frac{1$", 3, "frac"),
        ("kind: single", "kind: single\ntags: 3", 3, "must be a list"),
    ],
)
def test_a_fault_is_found_with_its_line(tmp_path, old, new, line, words):
    assert old in QUESTION
    found = faults_of(tmp_path, QUESTION.replace(old, new, 1))
    assert any(words in message and at == line for at, message in found), found


def test_one_option_is_not_a_question(tmp_path):
    found = faults_of(tmp_path, QUESTION.split("  - text: three")[0])
    assert any("options: 1, must be between 2 and 8" in message for _, message in found)


def test_every_fault_is_reported_at_once(tmp_path):
    text = QUESTION.replace("single", "essay").replace("key: true", "key: 1")
    assert len(faults_of(tmp_path, text)) >= 3


@pytest.mark.parametrize("text", ["", "- a\n- b", "42", "a: [", "a: &x 1\nb: *x"])
def test_nonsense_is_a_fault_and_not_a_crash(tmp_path, text):
    assert faults_of(tmp_path, text)


def test_quizzes_name_questions_once(tmp_path):
    write_quiz(tmp_path, "sums", "one", "two", "one")
    (quiz,), problems = read_quizzes(DiskFiles(tmp_path))
    assert [slug for slug, _ in quiz.questions] == ["one", "two"]
    assert [(problem.line, problem.message) for problem in problems] == [
        (6, "questions: 'one' is listed twice")
    ]


def test_an_empty_quiz_is_a_fault(tmp_path):
    write_quiz(tmp_path, "sums")
    assert read_quizzes(DiskFiles(tmp_path))[1]


def test_the_hash_sees_content_and_not_layout(tmp_path):
    write_question(tmp_path, "q")
    before = read_questions(DiskFiles(tmp_path))[0][0].content_hash
    write_question(
        tmp_path, "q", "# a comment\n" + QUESTION.replace("prompt: What", "prompt:   What")
    )
    assert read_questions(DiskFiles(tmp_path))[0][0].content_hash == before
    write_question(tmp_path, "q", QUESTION.replace("fingers", "toes"))
    assert read_questions(DiskFiles(tmp_path))[0][0].content_hash != before


def test_a_long_prompt_has_a_file_of_its_own_with_lines_of_its_own(tmp_path):
    path = write_question(tmp_path, "q", QUESTION.replace("prompt: What is $1 + 1$?\n", ""))
    (path.parent / "prompt.md").write_text("Look closely.\n\n- one\n- one more\n\nHow many?\n")
    (question,), problems = read_questions(DiskFiles(tmp_path))
    assert not problems
    assert question.prompt.endswith("How many?")
    (path.parent / "prompt.md").write_text("First.\n\nThen $\\frac{1$.\n")
    (problem,) = read_questions(DiskFiles(tmp_path))[1]
    assert (problem.path, problem.line) == ("questions/q/prompt.md", 3)


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("prompt.md", "Which?", "prompt: prompt.md has it already"),
        ("prompt.md", " \n", "0 characters, must be between 1 and 4000"),
        ("prompt.md", "x" * 4001, "4001 characters"),
        ("promt.md", "Which?", "is not a question file"),
    ],
)
def test_other_files_of_a_question_are_read_or_named(tmp_path, name, text, words):
    folder = write_question(tmp_path, "q").parent
    (folder / name).write_text(text)
    assert any(words in problem.message for problem in read_questions(DiskFiles(tmp_path))[1])


def test_a_prompt_that_leads_out_of_the_folder_is_refused(tmp_path):
    folder = write_question(tmp_path / "course", "q").parent
    (tmp_path / "secret").write_text("Which?")
    (folder / "prompt.md").symlink_to(tmp_path / "secret")
    refused, twice = read_questions(DiskFiles(tmp_path / "course"))[1]
    assert "plain file of the course" in refused.message
    assert "prompt.md has it already" in twice.message


# Hashes as the readers made them before questions had several right options, texts and points.
BEFORE_THESE_KINDS = {
    "single": "93ff24ba6204c492959ed3b2e3454386e5890098833472202e3787a64698407e",
    "tagged": "80e891fb9273e4c6fb42ffcbe54997271ca9a9ca240ecca2bb46e5e90ba3007c",
    "numeric": "96a2503f0723cc2774a9bfe7942b3d7516d086da554db7dd2f62730d5fcb5151",
    "generated": "42e2bfc811778245443b904a5e28a33d16edd6b3e047e5b65e70648d90c35f9a",
    "sums": "5fba875f46d2e806ee911f95a946a924641381bc611aa891b28649a991bea053",
}
NUMERIC = """
kind: numeric
prompt: How many?
step: sums/adding
answer:
  value: 4
  within: 0.5
  reason: Count them.
"""


def test_what_was_loaded_before_a_kind_was_added_gets_no_new_version(tmp_path):
    """A file without the newer fields is what it was: a load of it stores nothing."""
    write_question(tmp_path, "single")
    tagged = QUESTION.replace(
        "text: three\n", "text: three\n    mistake: some-exercise/off-by-one\n"
    )
    write_question(tmp_path, "tagged", tagged.replace("adding\n", "adding\ntags: [easy, sums]\n"))
    write_question(tmp_path, "numeric", NUMERIC)
    header = "kind: numeric\nstep: sums/adding\nprompt: Other numbers.\n"
    path = write_question(tmp_path, "generated", header)
    (path.parent / "generate.py").write_text("def generate(rng, exercise):\n    return {}\n")
    write_quiz(tmp_path, "sums", "single", "numeric")
    (questions, problems), (quizzes, more) = (
        read_questions(DiskFiles(tmp_path)),
        read_quizzes(DiskFiles(tmp_path)),
    )
    assert not problems + more
    found = {one.slug: one.content_hash for one in (*questions, *quizzes)}
    assert found == BEFORE_THESE_KINDS
