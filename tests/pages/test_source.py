"""Reading content files: lines of faults, plain values, and files made to do harm."""

from pathlib import Path

import pytest

from quizzes.pages.fields import Fields, is_slug
from quizzes.pages.source import (
    MAX_FILE_BYTES,
    ContentError,
    Fault,
    parse_yaml,
    read_text,
    read_yaml,
)


def test_every_value_knows_its_line(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("title: x\nsteps:\n  - slug: one\n  - slug: two\n")
    node = read_yaml(tmp_path / "a.yaml", root=tmp_path)
    assert node.value == {"title": "x", "steps": [{"slug": "one"}, {"slug": "two"}]}
    assert [step.at("slug").line for step in node.at("steps").items()] == [3, 4]
    assert str(node.at("steps").at(1).fault("odd")) == "a.yaml:4: odd"
    assert not node.at("steps").at(7).at("slug").exists


def test_words_of_an_answer_stay_words() -> None:
    value = parse_yaml("[no, on, yes, 12:30, 2020-01-01, 007, 1_000]", path="a.yaml").value
    assert value == ["no", "on", "yes", "12:30", "2020-01-01", "007", "1_000"]
    assert parse_yaml("[true, 7, -1.5, 1e3, ~]", path="a.yaml").value == [True, 7, -1.5, 1e3, None]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("a: &x 1\nb: *x", 2, "alias"),
        ("a: 1\na: 2", 2, "second time"),
        ("[" * 100_000, 1, "nested deeper"),
        ("a:\n" + "- 1\n" * 30_000, 20_000, "more than 20000 parts"),
        ("ok: 1\na: !!python/object:os.system x", 2, "tag"),
        ("a: !!binary aGVsbG8=", 1, "tag"),
        ("a: 1\nb: {", 2, "not valid YAML"),
        ("a: 1\n---\nb: 2", 2, "another document"),
        ("? [a]\n: 1", 1, "must be text"),
        ("a: 1e999", 1, "finite"),
        ("a: " + "9" * 5000, 1, "a number of 5000 characters"),
        ("a: \x01", 1, "not valid YAML"),
    ],
)
def test_harmful_or_broken_yaml_is_refused(text: str, line: int, message: str) -> None:
    with pytest.raises(ContentError) as caught:
        parse_yaml(text, path="a.yaml")
    (fault,) = caught.value.faults
    assert message in fault.message
    assert fault.path == "a.yaml"
    assert abs(fault.line - line) <= 2


def test_a_first_line_moves_all_lines() -> None:
    assert parse_yaml("a: 1\nb: 2", path="s.md", first_line=10).at("b").line == 11


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
    assert caught.value.faults[0].line == line


def test_missing_file_and_folder_are_faults(tmp_path: Path) -> None:
    for path, message in ((tmp_path / "none.md", "cannot be read"), (tmp_path, "not a folder")):
        with pytest.raises(ContentError, match=message):
            read_text(path, root=tmp_path)


def test_fields_collect_every_fault_with_its_line() -> None:
    text = "slug: Why Order\nminutes: 900\nkind: essay\ntags: [a, 3]\ntitel: x\nflag: maybe\n"
    faults: list[Fault] = []
    fields = Fields(parse_yaml(text, path="q.yaml"), faults)
    assert fields.slug("slug") == "Why Order"
    assert fields.integer("minutes", ge=1, le=60) == 1
    assert fields.choice("kind", {"single", "numeric"}) == "essay"
    assert fields.texts("tags") == ("a",)
    assert fields.flag("flag", default=True) is True
    assert fields.text("title") == ""
    fields.done()
    assert [fault.line for fault in faults] == [1, 2, 3, 4, 6, 1, 5]
    assert "titel: unknown field" in faults[-1].message


def test_fields_of_something_else_than_a_mapping() -> None:
    faults: list[Fault] = []
    fields = Fields(parse_yaml("- 1", path="q.yaml"), faults)
    assert fields.text("title") == ""
    assert list(fields.list("steps", required=False)) == []
    fields.done()
    assert len(faults) >= 2


def test_slugs() -> None:
    assert is_slug("why-order-2")
    for text in ("", "Why", "a--b", "-a", "a_b", "a/b", "x" * 81, "a\n"):
        assert not is_slug(text)
