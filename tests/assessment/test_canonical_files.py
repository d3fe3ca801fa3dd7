"""Whatever the form of a question or a quiz holds becomes files, and the same content again."""

from typing import Any

import pytest
from django.http import QueryDict
from hypothesis import given
from hypothesis import strategies as st

from quizzes.assessment.canonical_files import (
    question_content,
    question_files,
    quiz_file,
    quiz_form_content,
)
from quizzes.assessment.question_drafts import check, node_of, unseen_problems
from quizzes.assessment.question_files import quiz_from, read_questions, read_quizzes
from quizzes.assessment.quiz_drafts import BLANK as BLANK_QUIZ
from quizzes.content_files.files import MemoryFiles
from quizzes.teaching.forms import BLANKS, pressed_button, read_content, read_quiz

ODD = "ab -#:'\"\\|>*&[]{},~01.e\r\n\t\u0007\u0085\u00a0\u2028\u202e\ufeff\U0001f600"
WORDS = st.sampled_from(
    ["", "true", "null", "0.25", "1e9", "=", "<<", "- a", "two\n\n  lines \n", "a" * 130, "a: b"]
)
TEXTS = st.one_of(WORDS, st.text(st.sampled_from(ODD), max_size=12), st.text(max_size=6)).filter(
    lambda text: not any("\ud800" <= one <= "\udfff" or one == "\0" for one in text)
)
NAMES = st.sampled_from(
    [
        *("prompt", "step", "tags", "keep_last", "key", "scoring", "accepts"),
        *("exercise", "generator"),
        *("answer-value", "answer-size", "answer-unit", "answer-reason", "answer-measure"),
        *(f"{name}-{row}" for name in ("text", "reason", "mistake", "key") for row in (1, 3)),
        *(f"near-{name}-{row}" for name in ("value", "reason", "mistake") for row in (1, 2)),
    ]
)
PLACES = st.sampled_from(["one", "two-2", "pool:1", "pool:2"])
OF_PLACES = st.tuples(st.sampled_from(["points", "draw", "tag"]), PLACES).map("-".join)


def post(fields: dict[str, Any], **lists: list[str]) -> QueryDict:
    data = QueryDict(mutable=True)
    for name, value in fields.items():
        data[name] = value
    for name, values in lists.items():
        data.setlist(name, values)
    return data


@pytest.mark.slow
@given(st.sampled_from([*BLANKS, ""]), st.dictionaries(NAMES, TEXTS | st.just("on"), max_size=9))
def test_question_form_becomes_files_and_returns(kind: str, fields: dict[str, str]) -> None:
    content = read_content(post({**fields, "kind": kind}))
    assert question_content(question_files(content)) == content


WHOLE = {
    **{"prompt": "Q?", "step": "sums/adding", "text-1": "x", "reason-1": "r", "key-1": "on"},
    **{"text-3": "y", "reason-3": "s", "key": "1", "scoring": "all_or_nothing", "accepts": "z"},
    **{"answer-value": "3", "answer-size": "0.1", "answer-reason": "r"},
}
READ_ALIKE = NAMES.filter(lambda name: name != "step" and "mistake" not in name)


@pytest.mark.slow
@given(st.sampled_from([*BLANKS]), st.dictionaries(READ_ALIKE, TEXTS | st.just("on"), max_size=9))
def test_published_form_equals_question_of_files(kind: str, fields: dict[str, str]) -> None:
    content = read_content(post({**WHOLE, **fields, "kind": kind}))
    published = check("one", content, steps=["sums/adding"], mistakes=[])
    files = {f"questions/one/{name}": text for name, text in question_files(content).items()}
    questions, problems = read_questions(MemoryFiles("course", files))
    assert bool(problems) == bool(published.problems), (problems, published.problems)
    if not problems:
        assert questions[0].content_hash == published.source.content_hash


def test_blank_question_becomes_files_and_returns() -> None:
    for blank in BLANKS.values():
        assert question_content(question_files(blank)) == blank


@pytest.mark.slow
@given(
    st.dictionaries(st.sampled_from(["title", "summary", "shuffle", "class_only"]), TEXTS),
    st.lists(PLACES, max_size=4),
    st.dictionaries(OF_PLACES, TEXTS | st.sampled_from(["2", "1,5", "0", "-1"]), max_size=6),
)
def test_quiz_form_becomes_file_and_returns(
    fields: dict[str, str], places: list[str], more: dict[str, str]
) -> None:
    content = read_quiz(post({**fields, **more}, questions=places))
    assert quiz_form_content(quiz_file(content)) == content
    content = pressed_button(content, "pool:")
    assert quiz_form_content(quiz_file(content)) == content


WHOLE_PLACES = st.sampled_from(["one", "two-2", "pool:1"])


@pytest.mark.slow
@given(
    st.dictionaries(st.sampled_from(["title", "summary", "shuffle", "class_only"]), TEXTS),
    st.lists(WHOLE_PLACES, max_size=4),
    st.dictionaries(OF_PLACES, TEXTS | st.sampled_from(["2", "1,5", "0", "-1", "a"]), max_size=6),
)
def test_published_form_equals_quiz_of_files(
    fields: dict[str, str], places: list[str], more: dict[str, str]
) -> None:
    whole = {"title": "T", "points-one": "2", "draw-pool:1": "1", "tag-pool:1": "a"}
    content = read_quiz(post({**whole, **fields, **more}, questions=places))
    problems = list(unseen_problems(content))
    published = quiz_from("sums", node_of(content), problems)
    files = {"quizzes/sums.yaml": quiz_file(content)}
    quizzes, faults = read_quizzes(MemoryFiles("course", files))
    assert bool(faults) == bool(problems), (faults, problems)
    if not faults:
        assert quizzes[0].content_hash == published.content_hash


def test_blank_quiz_becomes_file_and_returns() -> None:
    assert quiz_form_content(quiz_file(BLANK_QUIZ)) == BLANK_QUIZ
