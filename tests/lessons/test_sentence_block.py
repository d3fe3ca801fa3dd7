"""The sentence block: its numbers by another way, its faults by line, its first picture."""

import math
import re
from pathlib import Path

import numpy as np
import pytest
from django.test import RequestFactory
from hypothesis import example, given, settings
from hypothesis import strategies as st

from quizzes.content_files.files import DiskFiles
from quizzes.lessons.lesson_files import actions_of, read_lessons
from quizzes.lessons.sentence import picture
from quizzes.lessons.sentence.picture import Sentence, sentence_context
from quizzes.lessons.sentence.word_attention import DIMENSIONS, attend, word_vector
from quizzes.pages.blocks import PageContext, page_problems, parse_page, render_page
from quizzes.study import word_order
from tests.lessons.course import write_course

WORDS = ["the", "dog", "chased", "the", "man"]
SCRIPTS = Path(__file__).resolve().parents[2] / "static"
SENTENCES = st.lists(
    st.sampled_from(["a", "dog", "saw", "the", "cat", "who", "met", "Ada", "ß", "語"]),
    min_size=2,
    max_size=12,
)


def page(options: str):
    return parse_page(f"Before.\n\n```sentence\n{options}\n```\n", path="a.md")


def html_of(options: str) -> str:
    assert page_problems(page(options)) == []
    request = RequestFactory().get("/")
    return render_page(page(options), PageContext(request, None, None, "a", "b"))


def product(left: list[float], right: list[float]) -> float:
    return sum(a * b for a, b in zip(left, right, strict=True))


def plain_attention(words: list[str], *, positions: bool, causal: bool) -> list[list[float]]:
    """Return the weights by sums of plain numbers, as the paper writes them."""
    rows = []
    for place, word in enumerate(words):
        row = [float(number) for number in word_vector(word)]
        if positions:
            for pair in range(DIMENSIONS // 2):
                angle = place / 10000 ** (2 * pair / DIMENSIONS)
                row[2 * pair] += math.sin(angle)
                row[2 * pair + 1] += math.cos(angle)
        rows.append(row)
    weights = []
    for place, query in enumerate(rows):
        seen = rows[: place + 1] if causal else rows
        raised = [math.exp(product(query, key) / math.sqrt(DIMENSIONS)) for key in seen]
        weights.append([share / sum(raised) for share in raised] + [0.0] * (len(rows) - len(seen)))
    return weights


@settings(max_examples=40, deadline=None)
@given(words=SENTENCES, positions=st.booleans(), causal=st.booleans())
@example(words=WORDS, positions=True, causal=True)
def test_weights_agree_with_plain_sums(words: list[str], positions: bool, causal: bool) -> None:
    weights = attend(words, positions=positions, causal=causal).weights
    expected = plain_attention(words, positions=positions, causal=causal)
    np.testing.assert_allclose(weights, expected, rtol=0, atol=1e-12)


@settings(max_examples=40, deadline=None)
@given(words=SENTENCES, positions=st.booleans(), causal=st.booleans())
def test_rows_share_one_whole(words: list[str], positions: bool, causal: bool) -> None:
    attention = attend(words, positions=positions, causal=causal)
    weights = attention.weights
    np.testing.assert_allclose(weights.sum(axis=1), 1, rtol=0, atol=1e-12)
    assert (weights >= 0).all()
    if causal:
        assert (weights[np.triu_indices(len(words), 1)] == 0).all()
    if not positions:
        vectors = np.stack([word_vector(word) for word in words])
        np.testing.assert_allclose(attention.outputs, weights @ vectors, rtol=0, atol=1e-12)


@settings(max_examples=40, deadline=None)
@given(words=SENTENCES, data=st.data())
def test_moved_words_take_their_numbers_along(words: list[str], data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(words))))
    moved = [words[place] for place in order]
    before, after = (attend(text, positions=False) for text in (words, moved))
    np.testing.assert_allclose(after.weights, before.weights[np.ix_(order, order)], atol=1e-12)
    np.testing.assert_allclose(after.outputs, before.outputs[list(order)], atol=1e-12)
    if moved != words:
        coded = [attend(text, positions=True) for text in (words, moved)]
        followed = coded[0].weights[np.ix_(order, order)]
        assert np.abs(coded[1].weights - followed).max() > 1e-4


@pytest.mark.parametrize(
    ("options", "line", "message"),
    [
        ("look: grid", 4, "id: missing"),
        ("id: Shuffle", 4, "id: 'Shuffle': must be a slug"),
        ("id: a\nwords: dog", 5, "words: 1 word: must be 2 to 12 words"),
        ("id: a\nwords: ''", 5, "words: 0 words: must be 2 to 12 words"),
        ("id: a\nwords: " + "dog " * 13, 5, "words: 13 words: must be 2 to 12 words"),
        ("id: a\nwords: a " + "b" * 21, 5, "has 21 characters: a word has at most 20"),
        ("id: a\nwords: 7", 5, "words: 7: must be text"),
        ("id: a\nwords: the **dog** ran", 5, "Markdown shows as typed here"),
        ("id: a\nlook: table", 5, "look: 'table': must be one of arcs, grid, outputs"),
        ("id: a\npositions: yes", 5, "positions: 'yes': must be one of choice, off, on"),
        ("id: a\nmask: none\npositions: 1", 6, "positions: 1: must be text"),
        ("id: a\nmask: full", 5, "mask: 'full': must be one of causal, choice, none"),
        ("id: a\nlooks: grid", 5, "looks: unknown field"),
        ("id: a\n---\nthe dog", 3, "a sentence block has no body"),
    ],
)
def test_faults_are_named_with_lines(options: str, line: int, message: str) -> None:
    problems = page_problems(page(options))
    assert [problem for problem in problems if problem.line == line and message in problem.message]


def test_a_sentence_is_an_action(tmp_path: Path) -> None:
    step = "Words.\n\n```sentence\nid: a\n```\n\n:::screen Next\n\nMore words.\n"
    lessons, problems = read_lessons(DiskFiles(write_course(tmp_path, {"one": step})))
    assert problems == []
    screens = lessons[0].steps_read[0].page.screens
    assert [actions_of(screen) for screen in screens] == [["sentence"], []]


def test_a_grid_has_each_weight() -> None:
    html = html_of("id: a\nwords: dog bites man")
    cells = re.findall(r'fill-opacity="([\d.]+)" />\s*</svg>\s*<span>([\d.]+)</span>', html)
    weights = attend(["dog", "bites", "man"], positions=False).weights.ravel()
    assert cells == [(f"{weight:.3f}", f"{weight:.2f}") for weight in weights]
    assert "data-own" not in html
    assert "“bites” gives" in html


def test_words_of_an_author_fold_the_field() -> None:
    assert "<summary>Your sentence<" in html_of("id: a\nwords: dog bites man")
    assert "<summary>Your sentence<" not in html_of("id: a")


def test_equal_words_are_named() -> None:
    assert "The 2 rows of “the” are equal." in html_of("id: a")
    assert "The 2 rows of “the” differ by up to 0." in html_of("id: a\npositions: on")
    assert "The 2 rows of “the” differ by up to 0." in html_of("id: a\nmask: causal")
    assert "The 2 rows" not in html_of("id: a\nwords: dog bites man")


def test_outputs_have_signs_and_masked_cells_a_pattern() -> None:
    html = html_of("id: a\nlook: outputs")
    assert html.count("sentence__cell--minus") + html.count("sentence__cell--plus") == 5 * 8
    assert re.search(r"<span>−\d\.\d\d</span>", html)
    assert html_of("id: a\nmask: causal").count("sentence__cell--masked") == 10


def test_arcs_have_a_table_and_the_chosen_last() -> None:
    html = html_of("id: a\nlook: arcs")
    paths = re.findall(r'<path class="sentence__arc--(\w+)"', html)
    assert paths == ["other"] * 16 + ["chosen"] * 5
    assert "Values as a table" in html
    assert html.count("<td") == 25


@pytest.mark.parametrize("look", ["grid", "outputs", "arcs"])
@pytest.mark.parametrize("words", [("a", "b"), ("word",) * 12])
def test_every_size_has_a_picture(look: str, words: tuple[str, ...]) -> None:
    context = sentence_context(Sentence("a", words, look, mask="causal"))
    assert len(context["rows"]) == len(words)
    assert context["reading"]


def test_switches_stand_where_there_is_a_choice() -> None:
    assert html_of("id: a\npositions: on\nmask: causal").count('role="switch"') == 0
    assert html_of("id: a\npositions: choice\nmask: choice").count('role="switch"') == 2


def constant(file: str, name: str) -> str:
    """Return the value of a constant as a script writes it."""
    (value,) = re.findall(
        rf"^(?:export )?const {name} = ([^;]+);", (SCRIPTS / file).read_text(), re.M
    )
    return value


def test_scripts_have_the_constants_of_python() -> None:
    live = "lessons/sentence/live-sentence.js"
    assert constant(live, "MOST_WORDS") == str(picture.MOST_WORDS)
    assert (constant(live, "NARROW"), constant(live, "WIDE")) == (
        str(picture.NARROW),
        str(picture.WIDE),
    )
    assert constant("site/words.js", "MOST_LETTERS") == str(picture.MOST_LETTERS)
    assert constant("lessons/sentence/says.js", "UNSEEN") == str(picture.UNSEEN)
    assert constant("lessons/sentence/table.js", "FULL_COLOUR") == str(picture.FULL_COLOUR)
    assert constant("study/word-order.js", "FULL_COLOUR") == str(word_order.FULL_COLOUR)
    default = constant("lessons/figure-words.js", "DEFAULT")
    assert default == str(list(picture.DEFAULT)).replace("'", '"')


def test_field_has_room_for_the_longest_sentence() -> None:
    words, letters = (
        int(constant("site/words.js", name)) for name in ("MOST_WORDS", "MOST_LETTERS")
    )
    longest = words * (letters + 1) - 1
    assert f'maxlength="{longest}"' in html_of("id: a")
