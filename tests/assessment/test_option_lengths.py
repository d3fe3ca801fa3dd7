"""Longest options that are keys: what is counted, and from which share on it is said."""

import pytest

from quizzes.assessment.option_lengths import (
    KeyLengths,
    count_longest,
    course_remarks,
    is_key_longest,
    quiz_remark,
    visible_length,
)
from quizzes.assessment.question_files import read_questions, read_quizzes
from quizzes.assessment.sources import OptionSource
from quizzes.content_files.files import DiskFiles
from tests.assessment.content import QUESTION, write_question, write_quiz

LONGEST = QUESTION.replace("text: two", "text: two and nothing else")


def options(*texts, keys=1):
    """Return options of which the first `keys` are keys."""
    return [OptionSource(text, number < keys, "Because.") for number, text in enumerate(texts)]


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("  two   words ", 9),
        ("*two* `words`", 9),
        (r"$\sin a$", 4),
        (r"$\mathrm{PE}(90)\cdot\mathrm{PE}(86)$", 13),
        ("{{ value wavelength(d_model=50, pair=0) :.2f }}", 4),
        ("a < b & c", 9),
    ],
)
def test_only_what_a_learner_sees_has_a_length(text, length):
    assert visible_length(text) == length


def test_a_key_is_longest_only_when_every_other_option_is_shorter():
    assert is_key_longest(options("four", "two", "one")) is True
    assert is_key_longest(options("four", "five", "one")) is False
    assert is_key_longest(options("one", "three", "two")) is False


@pytest.mark.parametrize("found", [[], options("key"), options("four", "two", "one", keys=2)])
def test_a_question_without_wrong_options_or_one_key_is_not_counted(found):
    assert is_key_longest(found) is None
    assert count_longest([found, options("longer", "short")]) == KeyLengths(1, 1)


@pytest.mark.parametrize(
    ("size", "longest", "asked", "said"),
    [(8, 4, 8, False), (8, 5, 8, True), (8, 4, 7, True), (8, 3, 6, False), (7, 7, 7, False)],
)
def test_a_quiz_of_eight_is_remarked_on_from_half_of_its_fixed_questions(
    size, longest, asked, said
):
    words = quiz_remark(size, KeyLengths(longest, asked))
    assert bool(words) == said
    assert not said or f"{longest} of {asked} questions" in words


@pytest.mark.parametrize(("longest", "said"), [(7, False), (8, True)])
def test_a_course_of_twenty_is_remarked_on_from_eight_longest_keys(tmp_path, longest, said):
    for number in range(20):
        write_question(tmp_path, f"q-{number}", LONGEST if number < longest else QUESTION)
    found = list(course_remarks(read_questions(DiskFiles(tmp_path))[0], ()))
    assert len(found) == said
    assert all(
        "questions: In 8 of 20 questions with fixed options, the key" in remark for remark in found
    )


def test_a_quiz_is_named_by_its_file(tmp_path):
    for number in range(30):
        write_question(tmp_path, f"q-{number}", LONGEST if number < 8 else QUESTION)
    for start in (0, 3, 4):
        write_quiz(tmp_path, f"from-{start}", *(f"q-{start + number}" for number in range(8)))
    found = course_remarks(
        read_questions(DiskFiles(tmp_path))[0], read_quizzes(DiskFiles(tmp_path))[0]
    )
    assert [one.partition(": ")[0] for one in found] == [
        "quizzes/from-0.yaml",
        "quizzes/from-3.yaml",
    ]


def test_a_small_course_is_left_alone(tmp_path):
    for number in range(7):
        write_question(tmp_path, f"q-{number}", LONGEST)
    assert not list(course_remarks(read_questions(DiskFiles(tmp_path))[0], ()))
