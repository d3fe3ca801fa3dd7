"""What the files of the shipped exercises promise, without a sandbox."""

import ast
import doctest
import re

import pytest

from quizzes.grader.definitions.clauses import broken_clause, read_requirements
from tests.shipped_exercises.folders import (
    FOLDERS,
    SLUGS,
    correct_solutions,
    definition_of,
    variants,
)
from tests.shipped_exercises.required import CONVENTIONS, KNOWN_MISTAKES

# Still to do: their requirements of several sentences have no letters yet.
PYTHON = re.compile(r"```python\n(.*?)```", re.DOTALL)
WRITTEN = [slug for slug in SLUGS if slug in KNOWN_MISTAKES]


def test_every_exercise_is_written() -> None:
    assert set(KNOWN_MISTAKES) <= set(SLUGS)


@pytest.mark.parametrize("slug", WRITTEN)
def test_all_known_mistakes_are_there(slug: str) -> None:
    assert set(definition_of(slug).wrong) >= set(KNOWN_MISTAKES[slug].split())


@pytest.mark.parametrize("slug", WRITTEN)
def test_only_other_conventions_are_called_conventions(slug: str) -> None:
    wrong = definition_of(slug).wrong.values()
    found = {variant.slug for variant in wrong if variant.kind == "convention"}
    assert found == CONVENTIONS.get(slug, set())


@pytest.mark.parametrize("slug", WRITTEN)
def test_two_correct_solutions_or_more_are_kept(slug: str) -> None:
    assert sum(one == slug for one, _ in correct_solutions()) >= 2


@pytest.mark.parametrize("slug", SLUGS)
def test_the_examples_of_the_statement_are_true(slug: str) -> None:
    """The reference, called as the statement calls it, prints what the statement shows."""
    definition = definition_of(slug)
    names: dict[str, object] = {}
    exec(definition.reference, names)
    examples = [block for block in PYTHON.findall(definition.statement) if ">>>" in block]
    assert examples
    for block in examples:
        test = doctest.DocTestParser().get_doctest(block, names, slug, "statement.md", 0)
        said: list[str] = []
        doctest.DocTestRunner(verbose=False).run(test, out=said.append)
        assert not said, "".join(said)


@pytest.mark.parametrize("slug", SLUGS)
def test_statement_starter_and_reference_agree_on_the_arguments(slug: str) -> None:
    definition = definition_of(slug)
    shown = next(block for block in PYTHON.findall(definition.statement) if ">>>" not in block)
    arguments = {
        _arguments(source, definition.name)
        for source in (shown, definition.starter, definition.reference)
    }
    assert len(arguments) == 1


@pytest.mark.parametrize(("slug", "variant"), variants())
def test_a_mistake_breaks_a_line_of_the_statement(slug: str, variant: str) -> None:
    definition = definition_of(slug)
    breaks = definition.wrong[variant].breaks
    clauses = read_requirements(definition.statement).clauses
    assert broken_clause(breaks) in [clause.name for clause in clauses]
    assert breaks.endswith(".")


@pytest.mark.parametrize("slug", SLUGS)
def test_every_requirement_letters_its_clauses(slug: str) -> None:
    definition = definition_of(slug)
    requirements = read_requirements(definition.statement)
    assert (requirements.problems, requirements.warnings) == ((), ())
    for reason in definition.no_mistake.values():
        assert "still to be written" not in reason


@pytest.mark.parametrize("slug", SLUGS)
def test_no_two_mistakes_have_one_sentence(slug: str) -> None:
    sentences = [variant.sentence for variant in definition_of(slug).wrong.values()]
    assert len(set(sentences)) == len(sentences)
    assert all(sentence.endswith((".", "?")) and len(sentence) < 300 for sentence in sentences)


@pytest.mark.parametrize("slug", SLUGS)
def test_what_code_does_and_what_it_should_do_stand_apart(slug: str) -> None:
    """In one sentence a learner takes the correction for praise of what the code does."""
    for variant in definition_of(slug).wrong.values():
        header = variant.header
        assert not header.is_old, variant.slug
        assert "should" not in header.does, variant.slug
        for words in (header.does, header.should, header.number or "."):
            assert words.endswith((".", "?")), variant.slug


@pytest.mark.parametrize("slug", SLUGS)
def test_every_step_named_is_a_step_of_a_lesson(slug: str) -> None:
    definition, lessons = definition_of(slug), FOLDERS[slug].parents[1] / "lessons"
    for step in {definition.step, *(variant.step for variant in definition.wrong.values())}:
        assert step is not None
        lesson, name = step.split("/")
        assert list((lessons / lesson / "steps").glob(f"[0-9][0-9]-{name}.md")), step


def _arguments(source: str, name: str) -> tuple[str, ...]:
    """Return the names of what is called `name`: of a class, those of all its methods."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return _names(node)
        if isinstance(node, ast.ClassDef) and node.name == name:
            methods = [item for item in node.body if isinstance(item, ast.FunctionDef)]
            public = [one for one in methods if one.name in ("__init__", "forward")]
            return tuple(f"{one.name}.{argument}" for one in public for argument in _names(one))
    raise AssertionError(f"{name} is not defined")


def _names(function: ast.FunctionDef) -> tuple[str, ...]:
    return tuple(argument.arg for argument in (*function.args.args, *function.args.kwonlyargs))


def test_a_case_that_looks_at_rows_alone_says_so_in_its_name() -> None:
    """It passes for a table of wrong numbers, too: its name is all that tells a learner why."""
    names = [
        ast.literal_eval(call.args[0])
        for path in FOLDERS.values()
        for call in ast.walk(ast.parse((path / "cases.py").read_text()))
        if isinstance(call, ast.Call)
        and any(ast.unparse(word) == "probe='rows_unique'" for word in call.keywords)
    ]
    assert len(names) >= 4
    assert [name for name in names if not name.endswith("no two rows alike")] == []
