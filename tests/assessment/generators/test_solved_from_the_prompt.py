"""Draws of every shipped generator, solved from what a page shows: the key, and it alone."""

import ast
import base64
import dataclasses
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from quizzes.assessment.generator.generated_question import Generated
from quizzes.assessment.generator.run_generator import generate
from quizzes.assessment.numeric_answer import answer_from_json
from quizzes.pages.markdown import render_inline, render_markdown
from tests.assessment.generators import prompt_solvers
from tests.assessment.generators.prompt_solvers import (
    CHOICES,
    NUMBERS,
    UnknownPromptError,
    values_of_colours,
    visible_text,
)
from tests.content.lesson_text import generated_questions
from tests.shared_sandboxes import shared_sandbox

pytestmark = [pytest.mark.sandbox, pytest.mark.slow]

FEW, MANY = 8, 50
FIRST_SEED = 1000  # not those of test_shipped.py
GENERATED = generated_questions()
MAY_IMPORT = {"collections", "fractions", "html", "io", "math", "numpy", "PIL", "re"}
PICTURED = re.compile(r"row 0 (.+); (\d+) columns change .+, (\d+) keep almost the same colour\.")


@pytest.fixture(scope="module")
def drawn():
    known = {}

    def of(slug, count=FEW):
        if len(known.get(slug, ())) < count:
            question = GENERATED[slug]
            seeds = range(FIRST_SEED, FIRST_SEED + count + 5)  # a few are refused
            known[slug] = generate(
                question.generator, question.kind, seeds, shared_sandbox("author")
            )
        return known[slug][:count]

    return of


def shown_options(question: Generated) -> list[str | bytes]:
    """Return what a page shows of each option: its picture where it has one, else its text."""
    return [
        base64.b64decode(one.picture) if one.picture else visible_text(render_inline(one.text))
        for one in question.options
    ]


def faults(slug: str, question: Generated) -> Iterator[str]:
    """Yield each difference between a drawn question and its solution from the prompt."""
    prompt = visible_text(render_markdown(question.prompt))
    if slug in CHOICES:
        right = CHOICES[slug](prompt, shown_options(question))
        keys = [index for index, option in enumerate(question.options) if option.is_key]
        if right != keys:
            yield f"{prompt!r}: options {right} are right, the key is {keys}"
        return
    answer = answer_from_json(question.answer)
    number = NUMBERS[slug](prompt)
    if number != pytest.approx(answer.value, rel=1e-9):
        yield f"{prompt!r}: {number} is right, the key is {answer.value}"
    for miss in answer.near:
        if abs(miss.value - number) <= answer.tolerance:
            yield f"{prompt!r}: the near miss {miss.value} is right"


def test_every_generated_question_has_one_solver():
    assert set(GENERATED) == set(NUMBERS) ^ set(CHOICES)


def test_the_solvers_import_nothing_of_the_project():
    """They would not be independent else."""
    tree = ast.parse(Path(prompt_solvers.__file__).read_text())
    imported = [
        name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in (
            [node.module] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names]
        )
    ]
    assert imported
    assert {name.partition(".")[0] for name in imported} <= MAY_IMPORT


@pytest.mark.covering(most=12)  # half of which are the night's as well
@pytest.mark.parametrize("count", [FEW, pytest.param(MANY, marks=pytest.mark.soak)])
@pytest.mark.parametrize("slug", sorted(GENERATED))
def test_the_prompt_alone_gives_the_key_and_no_other_answer(drawn, slug, count):
    found = drawn(slug, count)
    assert len(found) == count
    assert [fault for one in found for fault in faults(slug, one)] == []


def with_another_key(question: Generated) -> Generated:
    """Return the question with a key that is wrong, by twice the tolerance if it is a number."""
    if question.answer is not None:
        answer = answer_from_json(question.answer)
        value = answer.value + 2 * answer.tolerance
        return dataclasses.replace(question, answer={**question.answer, "value": value})
    options = question.options
    keys = [one.is_key for one in options]
    moved = zip(options, keys[-1:] + keys[:-1], strict=True)
    return dataclasses.replace(
        question, options=[dataclasses.replace(one, is_key=is_key) for one, is_key in moved]
    )


def with_a_right_distractor(question: Generated) -> Generated:
    """Return the question with the right answer once more, as a wrong one."""
    if question.answer is not None:
        miss = {"value": question.answer["value"], "reason": "It is held to be wrong."}
        return dataclasses.replace(question, answer={**question.answer, "near": [miss]})
    key = next(option for option in question.options if option.is_key)
    again = dataclasses.replace(key, is_key=False)
    return dataclasses.replace(question, options=[*question.options, again])


@pytest.mark.covering(most=6)
@pytest.mark.parametrize("spoilt", [with_another_key, with_a_right_distractor])
@pytest.mark.parametrize("slug", sorted(GENERATED))
def test_a_wrong_key_and_a_right_distractor_are_found(drawn, slug, spoilt):
    assert all(list(faults(slug, spoilt(one))) for one in drawn(slug)[:5])


@pytest.mark.covering(most=6)
@pytest.mark.parametrize("slug", sorted(GENERATED))
def test_a_prompt_in_other_words_is_not_solved(drawn, slug):
    """A changed prompt has to be read again by a person, who then changes its solver."""
    one = drawn(slug)[0]
    other = dataclasses.replace(one, prompt=f"{one.prompt} Positions count from 1.")
    with pytest.raises(UnknownPromptError, match="Positions count from 1"):
        list(faults(slug, other))


def test_the_words_of_a_picture_are_true_of_its_colours(drawn):
    """A learner who cannot see the pictures has these words alone.

    A column changes between blue and red if it has a cell of each that nobody takes for white.
    """
    for one in drawn("which-heatmap"):
        for option in one.options:
            values = values_of_colours(base64.b64decode(option.picture))
            first_row, *numbers = PICTURED.search(option.text).groups()
            changing, flat = (int(number) for number in numbers)

            def with_both(size, values=values):
                return ((values < -size).any(axis=0) & (values > size).any(axis=0)).sum()

            assert with_both(0.15) <= changing <= with_both(0.1), (one.seed, option.text)
            spread = values.max(axis=0) - values.min(axis=0)
            assert (spread < 0.22).sum() <= flat <= (spread < 0.28).sum(), (one.seed, option.text)
            assert changing + flat <= len(spread), (one.seed, option.text)
            if first_row == "alternates white and red":
                assert abs(values[0, 0::2]).max() < 0.1
                assert values[0, 1::2].min() > 0.9
