"""What `manage.py grade` prints is harmless on a terminal, whoever named the file or wrote it."""

import io
from dataclasses import replace

import pytest
from django.core.management import CommandError, call_command

from quizzes.grader.judge.report import KnownMistake, Verdict
from quizzes.worker.management.commands.grade import in_words
from tests.exercises import making

NASTY = "\x1b]0;owned\x07\x1b[2J\u202e\x9b31m"
FORGED = f"mine{NASTY}.py\nother.py: Correct, 3 of 3 cases passed\r"


def assert_harmless(text: str) -> None:
    assert not {"\x1b", "\x07", "\x9b", "\u202e", "\r"} & set(text)


def test_a_files_name_moves_no_cursor_and_forges_no_line():
    lines = list(in_words(FORGED, making.WRONG))
    assert lines[0].startswith("mine")
    assert lines[0].endswith("Not yet: the result differs")
    assert [line for line in lines if not line.startswith(" ")] == lines[:1]
    assert_harmless("".join(lines))


def test_the_first_line_is_the_headline():
    said = "Not yet: the result contains NaN"
    report = replace(making.WRONG, headline=said)
    assert next(in_words("mine.py", report)) == f"mine.py: {said}"


def test_a_name_of_bytes_that_are_no_text_is_shown():
    name = b"caf\xe9\x1b[2J.py".decode("utf-8", "surrogateescape")
    assert next(in_words(name, making.CORRECT)).startswith("caf�.py: Correct")
    assert next(in_words("\x1b[2J", making.CORRECT)).startswith(r"'\x1b[2J': Correct")


def test_an_authors_sentence_is_cleaned_too():
    mistake = KnownMistake("swap", "mistake", f"Sines{NASTY} first.", None, "1.")
    report = replace(making.WRONG, verdict=Verdict.KNOWN_MISTAKE, known_mistake=mistake)
    lines = list(in_words("mine.py", report))
    assert lines[1] == "  swap: Sines31m first."
    assert_harmless("".join(lines))


def test_the_call_before_is_told_before_the_call():
    lines = list(in_words("mine.py", making.KEPT))
    at = lines.index("  called before: sinusoidal_table(n=9, d=8, base=100.0)")
    assert lines[at + 1] == "  sinusoidal_table(n=9, d=8, base=500.0)"


@pytest.mark.django_db
def test_a_file_that_is_not_there_is_named_harmlessly():
    with pytest.raises(CommandError) as caught:
        call_command("grade", "sinusoidal-table", f"gone{NASTY}.py", stdout=io.StringIO())
    assert str(caught.value).startswith("gone")
    assert "No such file" in str(caught.value)
    assert_harmless(str(caught.value))
