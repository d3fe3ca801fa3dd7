"""Reading content files: lines of faults, plain values, and files made to do harm."""

from pathlib import Path

import pytest

from quizzes.content_files.fields import Fields, is_slug
from quizzes.content_files.files import DiskFiles
from quizzes.content_files.plain_file import MAX_FILE_BYTES, read_text
from quizzes.content_files.problems import ContentError, ContentProblem
from quizzes.content_files.yaml_nodes import parse_yaml, read_yaml


def test_every_value_knows_its_line(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("title: x\nsteps:\n  - slug: one\n  - slug: two\n")
    node = read_yaml(DiskFiles(tmp_path), "a.yaml", problems=[])
    assert node.value == {"title": "x", "steps": [{"slug": "one"}, {"slug": "two"}]}
    assert [step.at("slug").line for step in node.at("steps").items()] == [3, 4]
    assert str(node.at("steps").at(1).problem("odd")) == "a.yaml:4: odd"
    assert not node.at("steps").at(7).at("slug").exists


def value_of(text: str) -> object:
    """Return what a YAML text without a fault says."""
    problems: list[ContentProblem] = []
    node = parse_yaml(text, path="a.yaml", problems=problems)
    assert not problems
    return node.value


def test_words_of_an_answer_stay_words() -> None:
    value = value_of("[no, on, yes, 12:30, 2020-01-01, 007, 1_000, 1-2]")
    assert value == ["no", "on", "yes", "12:30", "2020-01-01", "007", "1_000", "1-2"]
    assert value_of("[true, 7, -1.5, 1e3, 1e-6, ~]") == [True, 7, -1.5, 1e3, 1e-6, None]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("a: &x 1\nb: *x", 2, "alias"),
        ("[" * 100_000, 1, "nested deeper"),
        ("a:\n" + "- 1\n" * 30_000, 20_000, "more than 20000 parts"),
        ("a: 1\nb: {", 2, "not valid YAML"),
        ("a: 1\n---\nb: 2", 2, "another document"),
        ("a: \x01", 1, "not valid YAML"),
    ],
)
def test_harmful_or_broken_yaml_is_refused(text: str, line: int, message: str) -> None:
    with pytest.raises(ContentError) as caught:
        parse_yaml(text, path="a.yaml", problems=[])
    (problem,) = caught.value.problems
    assert message in problem.message
    assert problem.path == "a.yaml"
    assert abs(problem.line - line) <= 2


@pytest.mark.parametrize(
    ("text", "value", "told"),
    [
        ("a: 1\na: 2", {"a": 1}, ["2: key 'a' appears here a second time"]),
        ("? [a]\n: 1", {}, ["1: key ['a']: must be text"]),
        ("1: a\nb: c", {"b": "c"}, ["1: key 1: must be text"]),
        ("ok: 1\na: !!python/object:os.system x", {"ok": 1, "a": None}, ["2: tag"]),
        ("a: !!binary aGVsbG8=", {"a": None}, ["1: tag"]),
        ("a: !!set {b, c}\nd: [!x e, f]", {"a": None, "d": [None, "f"]}, ["1: tag", "2: tag !x"]),
        ("!x a: 1\nb: 2", {"b": 2}, ["1: tag !x"]),
        ("--- !!map\na: 1", None, ["1: tag"]),
        ("a: 1e999\nb: -1e999", {"a": None, "b": None}, ["1: 1e999: must be a finite", "2: -1e"]),
        ("a: " + "9" * 5000, {"a": None}, ["1: a number of 5000 characters"]),
        (
            'a: "x\\0y"\nb: "\\u202e"',
            {"a": None, "b": None},
            ["1: contains a NUL", "2: contains the"],
        ),
    ],
)
def test_a_value_that_is_refused_is_noted_and_the_rest_is_read(
    text: str, value: object, told: list[str]
) -> None:
    problems: list[ContentProblem] = []
    node = parse_yaml(text, path="a.yaml", problems=problems)
    assert node.value == value
    assert [
        f"{one.line}: {one.message}"[: len(begin)]
        for one, begin in zip(problems, told, strict=True)
    ] == told


def test_nothing_more_is_said_of_a_value_that_is_refused() -> None:
    text = "title: !!str a\nnumber: 1e999\nwords: [!x a]\nmapping: !!map {}\n"
    problems: list[ContentProblem] = []
    fields = Fields(parse_yaml(text, path="q.yaml", problems=problems), problems)
    assert fields.text("title") == ""
    assert fields.number("number", ge=1, le=2) == 1
    assert fields.texts("words") == ()
    section = Fields(fields.take("mapping"), problems)
    assert section.text("title") == ""
    section.done()
    fields.done()
    assert [problem.line for problem in problems] == [1, 2, 3, 4]


def test_a_first_line_moves_all_lines() -> None:
    problems: list[ContentProblem] = []
    node = parse_yaml("a: 1\nb: 2\nb: 3", path="s.md", first_line=10, problems=problems)
    assert node.at("b").line == 11
    assert [problem.line for problem in problems] == [12]
    with pytest.raises(ContentError, match=r"s\.md:11: not valid"):
        parse_yaml("a: 1\nb: }", path="s.md", first_line=10, problems=[])


def test_line_ends_and_byte_order_mark_are_normalised(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes("\ufeffone\r\ntwo\rthree\n".encode())
    assert read_text(tmp_path / "a.md", root=tmp_path) == "one\ntwo\nthree\n"


def _outside(folder: Path) -> Path:
    secret = folder.parent / "secret.txt"
    secret.write_text("secret")
    return secret


def test_files_outside_the_folder_are_not_read(tmp_path: Path) -> None:
    root = tmp_path / "course"
    root.mkdir()
    secret = _outside(root)
    (root / "link.md").symlink_to(secret)
    (root / "folder").symlink_to(tmp_path)
    for path in (root / "link.md", root / "../secret.txt", root / "folder" / "secret.txt"):
        with pytest.raises(
            ContentError, match=r"plain file of the course|out of the content folder"
        ):
            read_text(path, root=root)


@pytest.mark.parametrize(
    ("data", "line", "message"),
    [
        (b"ok\nx\xff", 2, "UTF-8"),
        (b"ok\n\nx\0", 3, "NUL"),
        (b"x" * (MAX_FILE_BYTES + 1), 1, "larger"),
    ],
)
def test_odd_bytes_are_refused(tmp_path: Path, data: bytes, line: int, message: str) -> None:
    (tmp_path / "a.md").write_bytes(data)
    with pytest.raises(ContentError, match=message) as caught:
        read_text(tmp_path / "a.md", root=tmp_path)
    assert caught.value.problems[0].line == line


def test_missing_file_and_folder_are_faults(tmp_path: Path) -> None:
    for path, message in ((tmp_path / "none.md", "cannot be read"), (tmp_path, "not a folder")):
        with pytest.raises(ContentError, match=message):
            read_text(path, root=tmp_path)


def test_fields_collect_every_fault_with_its_line() -> None:
    text = (
        "slug: Why Order\nminutes: 900\nkind: essay\ntags: [a, 3]\ntitel: x\nflag: maybe\n"
        "share: '0.5'\nsizes: {wide: true, deap: 1}\nwords: [a, c]\nlist: {}\n"
    )
    problems: list[ContentProblem] = []
    fields = Fields(parse_yaml(text, path="q.yaml", problems=problems), problems)
    assert fields.slug("slug") == "Why Order"
    assert fields.integer("minutes", ge=1, le=60) == 1
    assert fields.choice("kind", {"single", "numeric"}) == "essay"
    assert fields.texts("tags") == ("a",)
    assert fields.flag("flag", default=True) is True
    assert fields.text("title") == ""
    assert fields.number("share", ge=0, le=1, default=0.25) == 0.25
    sizes = Fields(fields.take("sizes"), problems, name="sizes")
    assert sizes.number("wide", ge=1, le=2) == 1
    sizes.done()
    assert fields.texts("words", choices=("a", "b")) == ("a", "c")
    assert list(fields.list("list")) == []
    fields.done()
    assert [problem.line for problem in problems] == [1, 2, 3, 4, 6, 1, 7, 8, 8, 9, 10, 5]
    words = [problem.message for problem in problems]
    assert words[6] == "share: '0.5': must be a number between 0 and 1"
    assert words[7:9] == [
        "sizes.wide: True: must be a number between 1 and 2",
        "sizes.deap: unknown field (known: wide)",
    ]
    assert words[9] == "words: 'c': must be one of a, b"
    assert "titel: unknown field" in words[-1]


def test_fields_of_something_else_than_a_mapping() -> None:
    problems: list[ContentProblem] = []
    fields = Fields(parse_yaml("- 1", path="q.yaml", problems=problems), problems)
    assert fields.text("title") == ""
    assert list(fields.list("steps", required=False)) == []
    fields.done()
    assert [str(problem) for problem in problems] == [
        "q.yaml:1: must be a mapping (`key: value` lines)"
    ]


def test_slugs() -> None:
    assert is_slug("why-order-2")
    for text in ("", "Why", "a--b", "-a", "a_b", "a/b", "x" * 81, "a\n"):
        assert not is_slug(text)
