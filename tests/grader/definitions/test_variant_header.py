"""The header of a variant: what is read, what is refused, and that both places read alike."""

import ast
import sys
from pathlib import Path

import pytest

from quizzes.assessment.generator.run_generator import HEADER_READER, PRELUDE
from quizzes.content_files.files import DiskFiles
from quizzes.grader.definitions.definition import check_folder, read_definition, read_wrong
from quizzes.grader.definitions.variant_header import (
    KEYS,
    VariantHeader,
    read_variant_header,
    wording_problems,
)
from quizzes.grader.errors import DefinitionError
from tests.grader.conftest import ROOT
from tests.grader.definitions.test_definition import files

NEW = """\
Does: You add 1 to n: the rows are 1 # to n.
Should: They should be 0 to n - 1.
Number: That is one row further on.
Step: lesson/step
Kind: convention
Breaks: 2. Rows count from 0: no other.
"""
OLD = "Rows: they count from 0.\n\nStep: lesson/step\nBreaks: 2. it\n"
VARIANTS = sorted(ROOT.glob("quizzes/content/*/exercises/*/wrong/*.py"))


def variant(header: str) -> str:
    return f'"""{header}"""\nx = 1\n'


def sound(header: str) -> VariantHeader:
    read, problems = read_variant_header(variant(header))
    assert problems == []
    return read


def without(key: str) -> str:
    return "".join(line for line in NEW.splitlines(True) if not line.startswith(f"{key}:"))


def test_a_value_is_all_of_its_line_whatever_it_would_mean_in_yaml() -> None:
    header = sound(NEW)
    assert header.does == "You add 1 to n: the rows are 1 # to n."
    assert header.should == "They should be 0 to n - 1."
    assert header.number == header.reason == "That is one row further on."
    assert (header.step, header.kind) == ("lesson/step", "convention")
    assert header.breaks == "2. Rows count from 0: no other."


def test_the_sentence_of_reports_is_both_halves() -> None:
    assert sound(NEW).sentence == f"{sound(NEW).does} {sound(NEW).should}"


@pytest.mark.parametrize("space", ["", "\n", "    ", "\n\n    "])
def test_space_around_lines_means_nothing(space: str) -> None:
    lines = "".join(f"{space}{line}" for line in NEW.splitlines(True))
    assert sound(lines)._replace(lines={}) == sound(NEW)._replace(lines={})


@pytest.mark.parametrize("key", KEYS)
def test_a_line_may_stand_anywhere_and_three_are_needed(key: str) -> None:
    line = next(line for line in NEW.splitlines(True) if line.startswith(f"{key}:"))
    assert sound(without(key) + line)._replace(lines={}) == sound(NEW)._replace(lines={})
    _, problems = read_variant_header(variant(without(key)))
    expected = [f"expected a line `{key}: "] if key in ("Does", "Should", "Breaks") else []
    assert [problem.message[: len(f"expected a line `{key}: ")] for problem in problems] == expected


def test_what_may_be_left_out_is_a_mistake_that_no_question_offers() -> None:
    header = sound("Does: You.\nShould: It should.\nBreaks: 1\n")
    assert (header.number, header.reason, header.step, header.kind) == ("", "", "", "mistake")


@pytest.mark.parametrize(
    ("header", "line", "message"),
    [
        (NEW.replace("Should:", "Shuold:"), 2, "expected one of Does:, Should:, Number:"),
        (NEW.replace("Kind: convention", "Kind: opinion"), 5, "expected mistake or convention"),
        (NEW.replace("Step: lesson/step", "Does: You."), 4, "Does: appears twice"),
        (NEW.replace("count from 0: no other.", "count\nfrom 0."), 7, "'from 0.': expected one of"),
        (f"\n\n{NEW.replace('Number: That', 'That')}", 5, "expected one of"),
        (f"{OLD}Does: You.\n", 5, "Does: comes after a sentence"),
        (OLD.replace("Breaks: 2. it\n", ""), 1, "expected a line `Breaks: ...`"),
    ],
)
def test_a_fault_of_form_has_its_line(header: str, line: int, message: str) -> None:
    _, problems = read_variant_header(variant(header))
    assert (line, True) in [(one.line, message in one.message) for one in problems]


def test_a_file_without_a_docstring_has_no_header() -> None:
    header, problems = read_variant_header("x = 1\n")
    assert header.sentence == ""
    assert "docstring" in problems[0].message


def test_a_header_of_the_older_form_is_read() -> None:
    header = sound(OLD)
    assert header.is_old
    assert header.sentence == header.reason == "Rows: they count from 0."
    assert (header.does, header.should, header.number) == ("", "", "")
    assert (header.step, header.kind, header.breaks) == ("lesson/step", "mistake", "2. it")
    assert sound(OLD + "Number: One further.\n").reason == "One further."
    assert not sound(NEW).is_old


WORDINGS = [
    ("Does", "Your rows count from 1.", True),
    ("Does", "YOU count.", True),
    ("Does", "Rows count from 1.", False),
    ("Does", "A youth counts.", False),
    ("Should", "It should be 0.", True),
    ("Should", "It must be 0.", False),
    ("Should", "It shoulders 0.", False),
    ("Number", "That is the number before.", True),
    ("Number", "np.log10 is that.", False),
    ("Number", "The argument base is 100.", False),
    ("Number", "Arguments of the sine are exchanged.", False),
    ("Number", "This exercise asks for more.", False),
]


@pytest.mark.parametrize(("key", "words", "allowed"), WORDINGS)
def test_a_folder_is_held_to_the_wording_and_a_stored_version_is_not(
    key: str, words: str, allowed: bool, tmp_path: Path
) -> None:
    line = next(line for line in NEW.splitlines(True) if line.startswith(f"{key}:"))
    source = variant(NEW.replace(line, f"{key}: {words}\n"))
    texts = files(wrong__swap_py=source)
    assert read_definition("x", texts).wrong["swap"].sentence
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    _, problems = check_folder(DiskFiles(tmp_path))
    told = [problem for problem in problems if problem.path == "wrong/swap.py"]
    told = [problem for problem in told if "define" not in problem.message]
    if allowed:
        assert told == []
    else:
        (problem,) = told
        assert problem.line == source[: source.index(words)].count("\n") + 1
        assert problem.message.startswith(f"{key}: {words!r}")
        with pytest.raises(DefinitionError, match=key):
            read_wrong("wrong/swap.py", source)


def test_the_reader_runs_where_only_the_standard_library_is() -> None:
    imported = set()
    for node in ast.walk(ast.parse(HEADER_READER)):
        if isinstance(node, ast.ImportFrom):
            imported.add(str(node.module).partition(".")[0])
        elif isinstance(node, ast.Import):
            imported |= {name.name.partition(".")[0] for name in node.names}
    assert imported <= sys.stdlib_module_names
    assert "__file__" not in HEADER_READER


def test_generators_read_every_shipped_header_as_the_grader_does() -> None:
    names: dict[str, object] = {"_FILES": {}, "_HEADER_READER": HEADER_READER}
    exec(PRELUDE, names)
    of_generators: dict[str, object] = names["_reader"]  # type: ignore[assignment]
    read = of_generators["read_variant_header"]
    assert callable(read)
    assert read is not read_variant_header
    assert len(VARIANTS) > 100
    for path in VARIANTS:
        source = path.read_text()
        header, problems = read_variant_header(source)
        assert problems == wording_problems(header) == [], path
        assert tuple(read(source)[0]) == tuple(header), path
