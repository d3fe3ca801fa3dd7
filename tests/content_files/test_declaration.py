"""Declared fields: every fault at its line, a usable value for each field, what is stored stays."""

from typing import Annotated, ClassVar

from pydantic import Field

from quizzes.content_files.declaration import Declaration, Expected, OneOf, OptionalText, Slug, Text
from quizzes.content_files.yaml_nodes import parse_yaml


class Size(Declaration):
    prefix: ClassVar[str] = "size"
    is_section: ClassVar[bool] = True
    wide: Annotated[float, Field(ge=1, le=2)] = 1.5
    why: Text


class Item(Declaration):
    slug: Slug
    kind: Annotated[str, OneOf(("long", "brief"))] = "long"


class Thing(Declaration):
    title: Annotated[str, Field(min_length=1, max_length=20)]
    note: OptionalText = ""
    count: Annotated[int, Field(ge=1, le=9)] = 1
    is_open: bool = False
    size: Size
    more: Item | None = None
    names: Annotated[tuple[Annotated[str, Field(min_length=1)], ...], Field(min_length=1)]
    steps: tuple[Annotated[str, Field(pattern="^[a-z]+$"), Expected("small letters")], ...] = ()
    items: tuple[Item, ...] = ()
    reasons: dict[str, Text] = {}


GOOD = "title: A thing\nsize: {why: because}\nnames: [a]\n"


def read(text, *, is_stored=False):
    problems = []
    node = parse_yaml(text, path="thing.yaml", problems=problems)
    thing = Thing.read(node, problems, is_stored=is_stored)
    return thing, [f"{problem.line}: {problem.message}" for problem in sorted(problems)]


def test_good_mapping_is_read_with_defaults():
    thing, problems = read(GOOD + "items:\n  - slug: a-b\nmore: {slug: c}\n")
    assert problems == []
    assert thing.model_dump(exclude_defaults=True) == {
        "title": "A thing",
        "size": {"why": "because"},
        "names": ("a",),
        "items": ({"slug": "a-b"},),
        "more": {"slug": "c"},
    }
    assert [item.node.line for item in thing.items] == [5]


def test_every_fault_is_noted_at_its_line():
    thing, problems = read(
        "titel: x\nnote: 3\ncount: 10\nis_open: maybe\nsize:\n  wide: '1'\nnames: [a, 3, '']\n"
        "steps: [B, c]\nitems:\n  - slug: A b\n    kind: short\n  - 4\n  -\nreasons: {a: 1}\n"
    )
    assert problems == [
        "1: titel: unknown field, did you mean 'title'? (known: count, is_open, items, more, names,"
        " note, reasons, size, steps, title)",
        "1: title: missing",
        "2: note: 3: must be text (use quotes)",
        "3: count: 10: must be a whole number between 1 and 9",
        "4: is_open: 'maybe': must be true or false",
        "6: size.why: missing",
        "6: size.wide: '1': must be a number between 1 and 2",
        "7: names: 3: must be text",
        "7: names: must not be empty",
        "8: steps: 'B': must be small letters",
        "10: slug: 'A b': must be a slug such as why-order",
        "11: kind: 'short': must be one of brief, long",
        "12: must be a mapping (`key: value` lines)",
        "13: slug: missing",
        "14: reasons.a: 1: must be text (use quotes)",
    ]
    assert thing.names == ("a",)
    assert (thing.title, thing.note, thing.count, thing.size.wide) == ("", "", 1, 1.5)
    assert [item.slug for item in thing.items] == ["A b", "", ""]


def test_nothing_more_is_said_of_a_refused_value():
    thing, problems = read(
        "title: !!str a\nsize: !!map {}\nnames: [!x a, b]\nitems: !x []\ncount: 1e999\n"
    )
    assert [problem.partition(":")[0] for problem in problems] == ["1", "2", "3", "4", "5"]
    assert (thing.title, thing.size.why, thing.names, thing.items) == ("", "", ("b",), ())


def test_fault_after_refused_item_has_own_line():
    thing, problems = read("title: A\nsize: {why: a}\nnames:\n  - !x a\n  - 3\n  - b\n")
    assert problems[1:] == ["5: names: 3: must be text"]
    assert thing.names == ("b",)


def test_other_value_than_mapping_is_one_fault():
    thing, problems = read("- 1")
    assert problems == ["1: must be a mapping (`key: value` lines)"]
    assert thing.names == ()


def test_empty_file_lacks_its_fields():
    _, problems = read("")
    assert problems == ["1: names: missing", "1: size.why: missing", "1: title: missing"]


def test_stored_content_of_older_rules_is_taken():
    text = f"title: {'x' * 30}\nsize: {{wide: '1.25', why: a}}\nnames: []\nsteps: [a]\n"
    assert len(read(text)[1]) == 3
    thing, problems = read(text, is_stored=True)
    assert problems == []
    assert (thing.title, thing.size.wide, thing.names) == ("x" * 30, 1.25, ())
    assert read(GOOD + "count: 12\n", is_stored=True)[1] == [
        "4: count: 12: must be a whole number between 1 and 9"
    ]
