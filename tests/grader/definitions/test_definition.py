"""An exercise folder: what is read, and that every fault names its file and line."""

from operator import attrgetter
from pathlib import Path

import pytest

from quizzes.content_files.files import DiskFiles
from quizzes.grader.definitions.definition import (
    check_folder,
    hash_files,
    read_definition,
    read_folder,
)
from quizzes.grader.errors import DefinitionError

YAML = """\
title: A table
name: table
kind: function
library: numpy
signature: table(n)
returns: array
dtypes: [float32, float64]
tolerance:
  atol: 1e-6
  why: rounding
"""
WRONG = '"""The sentence.\n\nStep: lesson/step\nKind: convention\nBreaks: 2. it\n"""\nx = 1\n'


def files(**changes: str) -> dict[str, str]:
    base = {
        "exercise.yaml": YAML,
        "statement.md": "Do it.",
        "starter.py": "pass",
        "reference.py": "pass",
        "cases.py": "pass",
        "wrong/swap.py": WRONG,
    }
    return base | {name.replace("__", "/").replace("_py", ".py"): t for name, t in changes.items()}


def with_yaml(text: str) -> dict[str, str]:
    return {**files(), "exercise.yaml": text}


def test_reads_every_field() -> None:
    definition = read_definition("a-table", files())
    assert definition.name == "table"
    assert definition.dtypes == ("float32", "float64")
    assert (definition.tolerance.atol, definition.tolerance.rtol) == (1e-6, 0.0)
    assert definition.limits.wall_seconds == 2.0
    assert definition.step is None
    assert definition.speed_at_most is None
    wrong = definition.wrong["swap"]
    assert (wrong.sentence, wrong.step, wrong.kind) == (
        "The sentence.",
        "lesson/step",
        "convention",
    )
    assert wrong.breaks == "2. it"


def test_time_counts_where_the_yaml_says_so() -> None:
    definition = read_definition("x", with_yaml(YAML + "speed: {at_most: 20}\n"))
    assert definition.speed_at_most == 20


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (YAML.replace("1e-6", "-1"), 9, "tolerance.atol: -1: must be a number"),
        (YAML.replace("1e-6", "yes"), 9, "tolerance.atol"),
        (YAML.replace("name: table", "name: a table"), 2, "name: 'a table': must be a Python"),
        (YAML.replace("kind: function", "kind: class"), 3, "must be one of function, module"),
        (YAML.replace("table(n)", "tabel(n)"), 5, "must mention table"),
        (YAML.replace("float64]", "float65]"), 7, "'float65'"),
        (YAML + "tolerence: 1\n", 11, "tolerence: unknown field"),
        (YAML + "title: again\n", 11, "second time"),
        (YAML + "step: nowhere\n", 11, "step: 'nowhere': must be <lesson>/<step>"),
        (YAML + "limits: {wall_seconds: 60}\n", 11, "limits.wall_seconds: 60"),
        (
            YAML + "speed: {at_most: 2}\n",
            11,
            "speed.at_most: 2: must be a number between 5 and 1000",
        ),
        (
            YAML + "speed: {at_most: .inf}\n",
            11,
            "speed.at_most: '.inf': must be a number between 5",
        ),
        (YAML + "speed: {at_most: fast}\n", 11, "speed.at_most: 'fast': must be a number"),
        (YAML + "speed: {}\n", 11, "speed.at_most: missing"),
        (YAML + "speed: 20\n", 11, "speed: must be a mapping"),
        (YAML + "speed: {at_most: 20, floor: 1}\n", 11, "speed.floor: unknown field"),
        (YAML.replace("  why: rounding\n", ""), 9, "tolerance.why: missing"),
        ("a: &a [x, x]\nb: *a\n", 2, "alias"),
        ("a: [1\nb: 2\n", 2, "not valid YAML"),
        ("!!python/object/apply:os.system ['true']\n", 1, "tag"),
        ("- 1\n", 1, "must be a mapping"),
        ("x" * 70_000, 1, "must be a mapping"),
        ("[" * 5000, 1, "nested deeper"),
    ],
)
def test_a_fault_in_the_yaml_has_its_line(text: str, line: int, message: str) -> None:
    with pytest.raises(DefinitionError) as caught:
        read_definition("x", with_yaml(text))
    (problem,) = caught.value.problems
    assert (problem.path, problem.line) == ("exercise.yaml", line)
    assert message in problem.message


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        (YAML.replace("1e-6", "'0'"), "tolerance.atol", 0.0),
        (YAML.replace("1e-6", "'1e-6'"), "tolerance.atol", 1e-6),
        (YAML + "limits: {wall_seconds: '3'}\n", "limits.wall_seconds", 3.0),
        (YAML + "hints:\n- ''\n- Look.\n", "hints", ("", "Look.")),
        (YAML.replace("[float32, float64]", "[]"), "dtypes", ()),
        (YAML.replace("returns: array", f"returns: {'x' * 20_001}"), "returns", "x" * 20_001),
    ],
)
def test_a_stored_version_stays_readable_where_a_folder_is_refused(
    text: str, field: str, value: object, tmp_path: Path
) -> None:
    """Pages show what was stored when these were no faults; an author can still mend a file."""
    definition = read_definition("x", with_yaml(text))
    assert attrgetter(field)(definition) == value
    for name, content in with_yaml(text).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content)
    _, problems = check_folder(DiskFiles(tmp_path))
    assert [problem.path for problem in problems if field in problem.message] == ["exercise.yaml"]


@pytest.mark.parametrize(
    ("source", "line", "message"),
    [
        ("x = 1\n", 1, "docstring"),
        ('"""\nShould: It should.\nBreaks: 2. it\n"""\n', 1, "expected a line `Does: You"),
        (WRONG.replace("convention", "opinion"), 4, "opinion"),
        (WRONG.replace("Breaks: 2. it\n", ""), 1, "Breaks"),
        (WRONG.replace("Step: lesson", "Stp: lesson"), 3, "expected one of"),
        (WRONG.replace("Kind: convention", "Step: a/b"), 4, "twice"),
    ],
)
def test_a_fault_in_a_variant_has_its_line(source: str, line: int, message: str) -> None:
    with pytest.raises(DefinitionError) as caught:
        read_definition("x", files(wrong__swap_py=source))
    (problem,) = caught.value.problems
    assert (problem.path, problem.line) == ("wrong/swap.py", line)
    assert message in problem.message


@pytest.mark.parametrize("name", ["reference.py", "cases.py", "statement.md", "starter.py"])
def test_a_missing_file_is_named(name: str) -> None:
    with pytest.raises(DefinitionError, match=f"{name}:1: is missing"):
        read_definition("x", {**files(), name: " \n"})


def test_line_endings_do_not_change_the_hash() -> None:
    plain = files()
    windows = {name: text.replace("\n", "\r\n") for name, text in plain.items()}
    assert hash_files(plain) == hash_files(windows) == read_definition("x", windows).content_hash
    assert hash_files({**plain, "hints.md": ""}) != hash_files(plain)


def test_a_folder_is_read_without_its_clutter(tmp_path: Path) -> None:
    for name, text in {**files(), "notes.txt": "x", "wrong/deep/x.py": "x"}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert read_folder(DiskFiles(tmp_path)) == files()


def test_a_link_that_leaves_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    (tmp_path / "secret.py").write_text("x")
    (tmp_path / "x/starter.py").symlink_to(tmp_path / "secret.py")
    with pytest.raises(DefinitionError, match=r"starter.py:1: .*not a link"):
        read_folder(DiskFiles(tmp_path / "x"))


@pytest.mark.parametrize(
    ("data", "message"), [(b"\xff\xfe", "UTF-8"), (b"a\n\0", "NUL"), (b"x" * 200_000, "larger")]
)
def test_a_file_that_is_no_text_is_refused(tmp_path: Path, data: bytes, message: str) -> None:
    (tmp_path / "starter.py").write_bytes(data)
    with pytest.raises(DefinitionError, match=message):
        read_folder(DiskFiles(tmp_path))
