"""Every shipped generator over 200 seeds: the right key, options apart, a reason for each."""

import ast
import base64
import io
import itertools
import re
from collections import Counter

import numpy as np
import pytest
from PIL import Image

from quizzes.assessment.generator.run_generator import generate
from quizzes.assessment.numeric_answer import answer_from_json
from quizzes.grader.definitions import read_variant_header
from quizzes.pages.markdown import render_inline, render_markdown
from tests.assessment.generators.oracles import ORACLES, cell
from tests.content.lesson_text import generated_questions, questions
from tests.course_folders import COURSES
from tests.shared_sandboxes import shared_sandbox

pytestmark = [pytest.mark.sandbox, pytest.mark.slow]

SEEDS = range(15)
GENERATED = generated_questions()
FROM_CODE = sorted(slug for slug, one in GENERATED.items() if "exercise" in one.generator)
OF_CODE = re.compile(r"\bnp\.|\barguments?\b|\bexercises?\b|\byour\b", re.IGNORECASE)
# A thing that a reason may speak of, and what a prompt says that shows it.
SHOWN_BY = {
    r"matri(?:x|ces)": r"matri(?:x|ces)",
    r"tables?": r"tables?",
    r"rows?|columns?": r"rows?|columns?|tables?|matri(?:x|ces)",
    r"diagonal|transpose": r"matri(?:x|ces)",
    r"buckets?": r"buckets?",
    r"slopes?": r"slopes?",
    r"heads?": r"heads?",
    r"mask(?:ed|s)?|hidden": r"mask(?:ed|s)?|hides",
    r"quer(?:y|ies)": r"quer(?:y|ies)|relative positions?",
}
NUMBER = re.compile(r"[0-9]+(?:[.][0-9]+)?")
CONVENTION = re.compile(r"formula of (the|its) paper|in the form|key minus query|authors' code")
SETTLED = {
    "numbers-of-a-relative-table": "which row is whose does not change their number",
    "same-offset-elsewhere": "the squared distance that is given settles it",
    "which-formula": "the number that is given settles it",
}
# Numbers that stand in the course: test_transfer_questions.py, test_batch_questions.py and
# test_layer_questions.py of tests/content compute each.
STANDING = {
    *("position-of-a-row", "position-with-the-same-product", "rope-quarter-turn"),
    *("sum-of-packed-positions", "pairs-of-packed-documents"),
    *("layers-for-a-distance", "third-proportional-frequency"),
}
NUMERIC = sorted(slug for slug, one in GENERATED.items() if one.kind == "numeric")
EXACTNESS = {
    "An answer within 1 % counts as right: three significant digits are enough.",
    "An answer within 2 % counts as right: three significant digits are enough.",
    "The answer is a whole number.",
    "An answer that is off by up to 0.1 counts as right.",
}
FORMULA_LEFT = re.compile(r"\$|\\[a-z]+")


def each(slugs):
    """Return questions as parameters: the gate draws every other one, the night all."""
    gate = sorted(GENERATED)[::2]
    return [
        pytest.param(slug, marks=() if slug in gate else pytest.mark.soak) for slug in sorted(slugs)
    ]


@pytest.fixture(scope="module")
def author():
    return shared_sandbox("author")


@pytest.fixture(scope="module")
def drawn(author):
    known = {}

    def of(slug):
        if slug not in known:
            question = GENERATED[slug]
            known[slug] = generate(question.generator, question.kind, SEEDS, author)
        return known[slug]

    return of


def test_there_are_twelve_or_more_and_each_has_an_oracle():
    assert len(GENERATED) >= 12
    assert set(GENERATED) == set(ORACLES)


def test_numbers_are_drawn_or_computed_elsewhere():
    """So that what the tests here say of numbers is said of all but seven."""
    asked = {
        slug
        for course in COURSES
        for slug, one in questions(course).items()
        if one.kind == "numeric"
    }
    assert asked == set(NUMERIC) | STANDING
    assert len(asked) >= 5


def test_all_but_four_take_their_wrong_answers_from_code_and_they_are_twelve_or_more():
    """The four have no exercise in NumPy that computes their answer: a reason of their own each."""
    assert len(FROM_CODE) >= 12
    assert set(GENERATED) - set(FROM_CODE) == {
        *("beyond-the-trained-length", "learned-numbers"),
        *("keys-of-a-query", "temperature-at"),
    }


@pytest.mark.parametrize("slug", each(GENERATED))
def test_nearly_every_seed_gives_a_question_and_they_differ(drawn, slug):
    found = drawn(slug)
    assert len(found) >= 0.9 * len(SEEDS)
    assert len({one.prompt for one in found}) >= (4 if slug == "which-heatmap" else 8)


MOST_OF_ONE_KEY = 0.4  # of the draws
MOST_OF_ONE_PLACE = 0.75  # of the draws with the key at one place among its options, by size
SAME_WORDS = {"which-heatmap": 5}  # of fifteen draws: three widths with six bases each


def places_of_keys(questions):
    """Return, for each draw with numbers to choose from, how many options the key exceeds."""
    values = [[one.value for one in question.options] for question in questions]
    keys = [next((o.value for o in one.options if o.is_key), None) for one in questions]
    return [
        (len(row), sum(value < key for value in row))
        for row, key in zip(values, keys, strict=True)
        if key is not None
    ]


def keys_of(questions):
    """Return the text, or the number, that is right in each draw."""
    return [
        one.answer["value"] if one.answer else next(o.text for o in one.options if o.is_key)
        for one in questions
    ]


@pytest.mark.parametrize(
    "seeds", [SEEDS, pytest.param(range(200), marks=pytest.mark.soak)], ids=["few", "many"]
)
@pytest.mark.parametrize("slug", each(GENERATED))
def test_what_is_drawn_is_another_question_and_not_the_same_with_other_numbers(
    author, drawn, slug, seeds
):
    """The right answer changes, and its size among the others does not give it away."""
    question = GENERATED[slug]
    found = (
        drawn(slug)
        if seeds == SEEDS
        else generate(question.generator, question.kind, seeds, author)
    )
    keys = Counter(keys_of(found))
    assert len(keys) >= SAME_WORDS.get(slug, 8)
    assert max(keys.values()) <= MOST_OF_ONE_KEY * len(found), keys
    if slug == "which-heatmap":
        return  # the numbers are of pictures, and nobody sees them
    places = Counter(places_of_keys(found))
    if places:
        assert max(places.values()) <= MOST_OF_ONE_PLACE * len(found) + 2, places


@pytest.mark.parametrize(
    "seeds", [SEEDS, pytest.param(range(200), marks=pytest.mark.soak)], ids=["few", "many"]
)
def test_any_two_pictures_differ_in_what_a_person_sees(author, drawn, seeds):
    """In a quarter of the columns, each by a quarter of the way from blue to red in the mean."""
    question = GENERATED["which-heatmap"]
    found = (
        drawn("which-heatmap")
        if seeds == SEEDS
        else generate(question.generator, question.kind, seeds, author)
    )
    assert len(found) >= 0.9 * len(seeds)
    for one in found:
        shades = [np.asarray(picture_of(option), dtype=float) / 128 for option in one.options]
        for a, b in itertools.combinations(shades, 2):
            off = abs(a - b).mean(axis=0) > 0.48  # a shade has 1/128
            assert off.mean() >= 0.25, one.seed


@pytest.mark.parametrize("slug", each(GENERATED))
def test_the_key_is_what_another_way_of_computing_gives(drawn, slug):
    for one in drawn(slug):
        expected = ORACLES[slug](one.facts)
        if one.answer is not None:
            assert float(one.answer["value"]) == pytest.approx(expected, rel=1e-9), one.prompt
            continue
        key = next(option for option in one.options if option.is_key)
        if slug == "which-rotation":
            shown = [float(part) for part in re.findall(r"-?[0-9.]+", key.text.replace("−", "-"))]
            assert shown == pytest.approx(expected, abs=0.006)
        elif isinstance(expected, str):
            assert key.text == expected
        else:
            assert key.value == pytest.approx(expected, rel=1e-9, abs=1e-12), one.prompt


@pytest.mark.parametrize("slug", each(GENERATED))
def test_options_differ_in_what_is_read_and_in_what_they_stand_for(drawn, slug):
    for one in drawn(slug):
        if one.answer is not None:
            continue
        assert sum(option.is_key for option in one.options) == 1
        assert 3 <= len(one.options) <= 4
        assert len({option.text.casefold() for option in one.options}) == len(one.options)
        key = next(option for option in one.options if option.is_key)
        for a, b in itertools.combinations(one.options, 2):
            if a.value is not None and b.value is not None:
                assert abs(a.value - b.value) > 1e-3 * max(1e-3, abs(key.value)), (one.seed, a, b)


@pytest.mark.parametrize("slug", each(GENERATED))
def test_the_prompt_does_not_print_the_key(drawn, slug):
    """A small whole number may be in the prompt by chance, as in "row 0", but not often."""
    found = drawn(slug)
    printed = []
    for one in found:
        if one.answer is None:
            key = next(option.text for option in one.options if option.is_key)
        else:
            key = f"{float(one.answer['value']):g}"
        numbers = NUMBER.findall(key.replace("\N{THIN SPACE}", ""))
        if len(numbers) == 1 and numbers[0] in NUMBER.findall(one.prompt):
            printed += numbers
    assert all("." not in number for number in printed), printed
    assert len(printed) <= 0.3 * len(found), printed


@pytest.mark.parametrize("slug", each(GENERATED))
def test_every_option_has_a_reason_and_every_formula_is_drawn(drawn, slug):
    for one in drawn(slug)[:40]:
        texts = [one.prompt, *(option.reason for option in one.options)]
        if one.answer is not None:
            texts += [one.answer["reason"], *(miss["reason"] for miss in one.answer["near"])]
        for text in texts:
            assert len(text) >= 10
            visible = re.sub(r"<annotation.*?</annotation>|<[^>]*>", "", render_markdown(text))
            assert not FORMULA_LEFT.search(visible), (one.seed, visible)
        for option in one.options:
            assert "$" not in re.sub("<[^>]*>", "", render_inline(option.text))


@pytest.mark.parametrize("slug", each(GENERATED))
def test_a_number_s_near_misses_lie_outside_of_what_is_accepted(drawn, slug):
    for one in drawn(slug):
        if one.answer is not None:
            answer = answer_from_json(one.answer)
            assert answer.accepts(answer.value)
            for miss in answer.near:
                assert not answer.accepts(miss.value)
                assert answer.near_miss(miss.value) == miss


@pytest.mark.parametrize("slug", each(NUMERIC))
def test_how_exact_a_number_must_be_is_said_without_the_number(drawn, slug):
    """One sentence for all keys of a question: nothing can be computed from it."""
    answers = [answer_from_json(one.answer) for one in drawn(slug)]
    (said,) = {one.exactness for one in answers}
    assert said in EXACTNESS
    assert len({one.value for one in answers}) > 5
    for one in answers:
        digits = 17 if "whole number" in said else 3
        assert one.accepts(float(f"{one.value:.{digits}g}"))


def told(question):
    """Return (mistake, reason) of every wrong answer that is what a known mistake gives."""
    wrong = [(one.mistake, one.reason) for one in question.options]
    if question.answer is not None:
        wrong = [(one["mistake"], one["reason"]) for one in question.answer["near"]]
    return [one for one in wrong if one[0]]


@pytest.mark.parametrize("slug", each(FROM_CODE))
def test_every_question_offers_known_mistakes_in_the_words_for_their_number(drawn, slug):
    files = GENERATED[slug].generator
    found = drawn(slug)
    for one in found:
        for name, reason in told(one):
            exercise, _, variant = name.partition("/")
            assert exercise == files["exercise"]
            header, _ = read_variant_header(files[f"wrong/{variant}.py"])
            assert reason == header.number
            assert header.number not in header.sentence
    without = [one.seed for one in found if not told(one)]
    assert len(without) <= 0.02 * len(found), without
    assert len({name for one in found for name, _ in told(one)}) >= 3


def unseen(reason, prompt, names):
    """Yield each word of a reason for a thing or a name of code that the prompt does not have."""
    for thing, shown in SHOWN_BY.items():
        found = re.search(rf"\b(?:{thing})\b", reason, re.IGNORECASE)
        if found and not re.search(rf"\b(?:{shown})\b", prompt, re.IGNORECASE):
            yield found[0]
    for word in re.findall(r"\w+", reason):
        if word in names and not re.search(rf"\b{word}\b", prompt):
            yield word


def names_of_code(source):
    """Return the names that a program gives, but not words that English has as well."""
    nodes = list(ast.walk(ast.parse(source)))
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    names |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    names |= {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    return {name for name in names if re.search(r"[_A-Z0-9]", name) and len(name) > 1}


@pytest.mark.parametrize("slug", each(FROM_CODE))
def test_a_mistake_is_credited_only_where_its_reason_is_about_what_was_asked(drawn, slug):
    """A learner is told of a matrix, or of a name of the code, only where the prompt has it."""
    files = GENERATED[slug].generator
    for one in drawn(slug):
        for name, reason in told(one):
            source = files[f"wrong/{name.partition('/')[2]}.py"]
            found = list(unseen(reason, one.prompt, names_of_code(source)))
            assert found == [], (one.seed, name, reason, one.prompt)


def test_a_thing_that_the_prompt_does_not_have_is_seen():
    names = names_of_code("def f(head_dim):\n    inv_freq = head_dim\n    return inv_freq")
    reason = "The matrix here has too small an inv_freq."
    assert list(unseen(reason, "Which number is the dot product?", names)) == ["matrix", "inv_freq"]
    assert list(unseen(reason, "Which matrix has this inv_freq?", names)) == []


@pytest.mark.parametrize("slug", each(GENERATED))
def test_no_reason_speaks_of_code_that_nobody_wrote(drawn, slug):
    """Learners who answer a question wrote none, so that its words mean nothing to them."""
    for one in drawn(slug):
        reasons = [option.reason for option in one.options]
        if one.answer is not None:
            reasons += [one.answer["reason"], *(miss["reason"] for miss in one.answer["near"])]
        for reason in reasons:
            assert not OF_CODE.search(reason), (one.seed, reason)


def test_a_width_that_is_held_to_change_nothing_is_no_mistake_of_code(drawn):
    for one in drawn("halving-d-model"):
        d, pair = one.facts["d_model"], one.facts["pair"]
        before = 2 * np.pi * 10_000 ** (2 * pair / d)
        (same,) = [option for option in one.options if option.value == pytest.approx(before)]
        assert (same.is_key, same.mistake) == (False, "")
        assert "old wavelength" in same.reason


@pytest.mark.parametrize("slug", each(set(FROM_CODE) - set(SETTLED)))
def test_a_prompt_names_its_convention_where_another_one_is_offered_as_wrong(drawn, slug):
    """What other people's correct programs give is wrong only beside the name of what is asked."""
    files = GENERATED[slug].generator
    for one in drawn(slug):
        offered = [name.partition("/")[2] for name, _ in told(one)]
        if any("\nKind: convention\n" in files[f"wrong/{variant}.py"] for variant in offered):
            assert CONVENTION.search(one.prompt), (offered, one.prompt)


def test_a_picture_s_text_gives_neither_the_base_nor_the_mistake_away(drawn):
    for one in drawn("which-heatmap"):
        base = f"{one.facts['base']:g}"
        for option in one.options:
            assert base not in option.text.split(": ")[1].split()
            assert "base" not in option.text
            assert option.mistake.partition("/")[2] not in option.text.split() or option.is_key
            assert picture_of(option).size == (one.facts["d_model"], 32)


def picture_of(option):
    return Image.open(io.BytesIO(base64.b64decode(option.picture)))


def test_the_picture_of_the_key_is_the_table_and_no_other_picture_is(drawn):
    for one in drawn("which-heatmap")[:20]:
        d, base = one.facts["d_model"], one.facts["base"]
        for option in one.options:
            shade = np.asarray(picture_of(option), dtype=float)
            off = [
                abs(shade[row, column] - 128 * (cell(row, column, d, base) + 1))
                for row in range(32)
                for column in range(d)
            ]
            assert (sum(off) / len(off) < 1) == option.is_key


@pytest.mark.covering(most=3)
@pytest.mark.parametrize("slug", sorted(GENERATED))
def test_the_same_seed_gives_the_same_question(author, drawn, slug):
    question = GENERATED[slug]
    again = generate(question.generator, question.kind, [7], author)
    assert again == [one for one in drawn(slug) if one.seed == 7]
