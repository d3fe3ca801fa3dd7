"""What an author's generator can do wrong: each is told with its line, and nothing hangs."""

import pytest

from quizzes.assessment.generator import run_generator
from quizzes.assessment.generator.run_generator import generate
from quizzes.grader.errors import AuthorError
from tests.shared_sandboxes import shared_sandbox

pytestmark = pytest.mark.sandbox

GOOD = """import math


def generate(rng, exercise):
    a = int(rng.integers(1, 9))
    return {
        "prompt": f"What is {a} + 1?",
        "facts": {"a": a},
        "proof": a - (-1),
        "key": {"text": str(a + 1), "value": a + 1, "reason": "One more."},
        "distractors": [
            {"text": str(a), "value": a, "reason": "Nothing was added."},
            {"text": str(a + 2), "value": a + 2, "reason": "Two were added."},
        ],
        "apart": 1,
    }
"""


@pytest.fixture(scope="module")
def author():
    return shared_sandbox("author")


def run(source, author, seeds=(1, 2, 3), kind="single"):
    return generate({"generate.py": source}, kind, seeds, author)


def test_a_good_one_gives_a_question_for_each_seed(author):
    found = run(GOOD, author)
    assert [one.seed for one in found] == [1, 2, 3]
    assert found[0].options[0].is_key


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("a = int", "a = int(1 / 0) + int", 5, "ZeroDivisionError"),
        ("a = int", "a == int", 5, "NameError"),
        ("a = int(", "a = int((", 5, "was never closed"),
        ("import math", "import json; json.dumps = lambda *_, **__: '{'", 4, "cannot be read"),
        ("import math", "import requests", 1, "requests"),
        ("import math", "import django", 1, "django"),
        ("import math", "import quizzes.grader.case", 1, "quizzes"),
        ("    return {", "    return [] and {", 4, "expected a dict"),
        ('"proof": a - (-1)', '"proof": a + 2', 4, "is not the key's value"),
        ('        "proof": a - (-1),\n', "", 4, "proof: missing"),
        ('"reason": "One more."', '"reason": ""', 4, "key: reason: expected text"),
        ('"reason": "One more."', '"reason": "$\\\\frac{1$"', 4, "key: reason:"),
        ('"text": str(a + 1)', '"text": "x\\ny"', 4, "must be one line"),
        ('"value": a + 1', '"value": float("nan")', 4, "Out of range float"),
        ('"value": a + 1', '"value": "three"', 4, "expected a finite number"),
        ('"value": a + 1', '"value": object()', 4, "object"),
        ('"facts": {"a": a}', '"facts": {}', 4, "facts: expected"),
        ('"value": a, ', '"value": a, "picture": [[10**400, 0], [0, 0]], ', 4, "rows of numbers"),
        ('"reason": "One more."', '"reason": "One <b>more</b>."', 4, "“<b>”: HTML shows as typed"),
        ('"text": str(a)', '"text": f"=={a}=="', 4, "highlighting shows as typed"),
        ('f"What is {a} + 1?"', 'f"What is \\\\frac{{{a}}}?"', 4, "LaTeX outside a formula"),
        ('"apart": 1', '"aprat": 1', 4, "unknown field 'aprat'"),
        ('"apart": 1', '"apart": 1e9', 4, "0 of 3 seeds give a usable question"),
        ('"value": a, "reason"', '"value": a, "mistake": "swap", "reason"', 4, "mistake:"),
    ],
)
def test_a_fault_is_told_with_its_line(author, old, new, line, words):
    assert old in GOOD
    with pytest.raises(AuthorError) as refused:
        run(GOOD.replace(old, new), author)
    assert refused.value.path == "generate.py"
    assert refused.value.line == line
    assert words in refused.value.message


def test_one_that_made_questions_before_is_not_refused_by_younger_rules(author):
    source = GOOD.replace("One more.", "One <b>more</b>.")
    files = {"generate.py": source}
    assert len(generate(files, "single", (1, 2), author, is_published=True)) == 2


def test_an_endless_one_is_stopped_and_its_line_named(author, monkeypatch):
    monkeypatch.setattr(run_generator, "WALL_SECONDS", 4.0)
    waits = "    while a:\n        __import__('time').sleep(0.01)\n"  # computing ends the same way
    endless = GOOD.replace("    return {", f"{waits}    return {{")
    with pytest.raises(AuthorError) as refused:
        run(endless, author)
    assert refused.value.line in {6, 7}
    assert run(GOOD, author)  # and the sandbox serves the next


DRAWS = """
def generate(rng, exercise):
    found = exercise.mistaken(lambda out: out, n=4)
    told = [exercise.mistakes[slug].sentence for slug in sorted(exercise.mistakes)]
    return {
        "prompt": "What is 4?", "facts": {"told": told}, "proof": exercise.reference(n=4),
        "key": {"text": "4", "value": 4, "reason": "It is."},
        "distractors": [{**one, "text": str(one["value"])} for one in found],
    }


def read_variant_header(source):
    raise AssertionError("a name of the author's, who knows nothing of the prelude's")
"""
ADDED = "def same(n):\n    return n + {}\n"
NAMED = '"""Does: You add 1: {}\nShould: It should stay.\n{}Breaks: 1. It stays.\n"""\n'


def test_a_known_mistake_is_offered_in_the_words_for_its_number_or_not_at_all(author):
    """One of the older form, as a stored question has it, keeps the one sentence it has."""
    files = {
        "generate.py": DRAWS,
        "exercise": "same",
        "name": "same",
        "reference.py": ADDED.format(0),
        "wrong/named.py": NAMED.format("a", "Number: That is one more.\n") + ADDED.format(1),
        "wrong/older.py": '"""Two: none.\n\nBreaks: 1. It stays.\n"""\n' + ADDED.format(2),
        "wrong/unnamed.py": NAMED.format("b", "") + ADDED.format(3),
        "wrong/other.py": NAMED.format("c", "Number: That is four more.\n") + ADDED.format(4),
    }
    (made,) = generate(files, "single", [1], author)
    assert [(one.text, one.reason, one.mistake) for one in made.options[1:]] == [
        ("5.0", "That is one more.", "same/named"),
        ("6.0", "Two: none.", "same/older"),
        ("8.0", "That is four more.", "same/other"),
    ]
    assert made.facts["told"] == [
        "You add 1: a It should stay.",
        "Two: none.",
        "You add 1: c It should stay.",
        "You add 1: b It should stay.",
    ]


def test_distractors_too_close_to_the_key_are_left_out(author):
    close = GOOD.replace(
        '"distractors": [', '"distractors": [{"text": "c", "value": a + 1.5, "reason": "Close."},'
    )
    assert all(option.text != "c" for one in run(close, author) for option in one.options)


NUMERIC = """def generate(rng, exercise):
    a = float(rng.integers(2, 9))
    return {
        "prompt": "What is twice it?", "facts": {"a": a}, "proof": a + a,
        "answer": {"value": 2 * a, "plus_minus": 0.1, "reason": "It is doubled.",
                   "near": [{"value": a, "reason": "That is the number itself."},
                            {"value": 2 * a + 0.1, "reason": "Too close to be told apart."}]},
    }
"""


def test_a_number_needs_no_options(author):
    found = run(NUMERIC, author, kind="numeric")
    assert [len(one.answer["near"]) for one in found] == [1, 1, 1]


@pytest.mark.parametrize(
    ("field", "words"),
    [
        ('"within": "abc"', "within: 'abc': expected a finite number"),
        ('"within": [1]', "within: [1]: expected a finite number"),
        ('"unit": ["m"]', "unit: ['m']: expected text"),
        ('"unit": "m" * 5000', "unit: 5000 characters, at most 40 are allowed"),
    ],
)
def test_each_field_of_a_number_is_looked_at(author, field, words):
    with pytest.raises(AuthorError) as refused:
        run(
            NUMERIC.replace('"plus_minus": 0.1', f'"plus_minus": 0.1, {field}'),
            author,
            (1,),
            "numeric",
        )
    assert words in refused.value.message


def test_an_interval_that_tells_the_key_is_refused(author):
    """Pages say plus_minus before the answer: 0.3 of 1 % is 30."""
    with pytest.raises(AuthorError, match="plus_minus is the same share of each value") as refused:
        run(NUMERIC.replace('"plus_minus": 0.1', '"plus_minus": 0.02 * a'), author, kind="numeric")
    assert refused.value.line == 1
    assert run(NUMERIC.replace('"plus_minus": 0.1', '"within": 0.01'), author, kind="numeric")


def test_a_unit_and_an_interval_are_stored_as_given(author):
    given = NUMERIC.replace('"plus_minus"', '"unit": "m", "within": None, "plus_minus"')
    (found,) = run(given, author, (1,), "numeric")
    assert (found.answer["unit"], found.answer["plus_minus"]) == ("m", 0.1)
    assert "within" not in found.answer


def test_a_generator_cannot_leave_the_sandbox(author, tmp_path):
    target = tmp_path / "written"
    hostile = GOOD.replace("import math", f"open({str(target)!r}, 'w').write('x')")
    with pytest.raises(AuthorError):
        run(hostile, author)
    assert not target.exists()
