"""The JSON schemas for editors: they take what the readers take, and refuse what these refuse."""

import json
from copy import deepcopy

import pytest
from django.core.management import CommandError, call_command
from jsonschema import Draft202012Validator

from quizzes.assessment.canonical_files import ANSWER_FIELDS, QUESTION_FIELDS
from quizzes.assessment.models import QuestionVersion
from quizzes.assessment.question_drafts import node_of
from quizzes.assessment.question_fields import (
    GENERATED,
    OF_KIND,
    GeneratedQuestion,
    NumericAnswerFields,
    TextAnswerFields,
)
from quizzes.authoring.file_schemas import FILES, schema_of
from quizzes.content_files.yaml_nodes import parse_yaml
from tests.databases import ROOT

CONTENT = ROOT / "quizzes" / "content"
WRONG = [[], {}, -1, 1.5, "x" * 25_000, ["a", {}], {"a": 1}]  # a field takes some, never all


def shipped(kind):
    """Return the content of every shipped file of a kind, by path."""
    files = sorted(CONTENT.glob(f"*/{FILES[kind][0]}"))
    values = {}
    for path in files:
        problems = []
        values[path] = parse_yaml(path.read_text(), path=path.name, problems=problems).value
        assert not problems
    return values


def validator(kind):
    schema = schema_of(kind)
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def reader_refuses(kind, value):
    """Say whether no declaration of the kind takes these fields."""
    for declaration in FILES[kind][1]:
        problems = []
        declaration.read(node_of(value), problems)
        if not problems:
            return False
    return True


def mappings_in(value):
    """Yield every mapping in a value, itself too."""
    if isinstance(value, dict):
        yield value
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from mappings_in(item)


def of_names(kind, fields):
    """Say whether the keys of a mapping are the author's own: works, sliders, reasons."""
    names = {name for part in parts_of(schema_of(kind)) for name in part}
    return not fields.keys() <= names


def parts_of(schema):
    yield from (
        part["properties"]
        for part in mappings_in(schema)
        if "additionalProperties" in part and isinstance(part.get("properties"), dict)
    )


@pytest.mark.parametrize("kind", FILES)
def test_schema_takes_every_shipped_file(kind):
    check = validator(kind)
    files = shipped(kind)
    assert files
    faults = [
        (path.relative_to(CONTENT).as_posix(), fault.json_path, fault.message[:200])
        for path, value in files.items()
        for fault in check.iter_errors(value)
    ]
    assert faults == []


@pytest.mark.parametrize("kind", FILES)
def test_misspelt_field_is_refused_by_both(kind):
    check = validator(kind)
    value = max(shipped(kind).values(), key=lambda one: len(json.dumps(one)))
    count = 0
    for number, fields in enumerate(mappings_in(value)):
        if of_names(kind, fields):
            continue
        for name in fields:
            changed = deepcopy(value)
            at = list(mappings_in(changed))[number]
            at[f"{name}_"] = at.pop(name)
            assert reader_refuses(kind, changed), name
            assert not check.is_valid(changed), name
            count += 1
        if count > 60:
            break
    assert count > 2


@pytest.mark.parametrize("kind", FILES)
def test_reader_refuses_what_the_schema_refuses(kind):
    check = validator(kind)
    value = min(shipped(kind).values(), key=lambda one: len(json.dumps(one)))
    refused = 0
    for name in value:
        for wrong in WRONG:
            changed = {**deepcopy(value), name: wrong}
            if not check.is_valid(changed):
                refused += 1
                if (name, wrong) == ("sources", []):
                    continue  # an empty mapping to the reader, as before
                assert reader_refuses(kind, changed), (name, wrong)
    assert refused > 4 * len(value)


def test_declarations_have_the_fields_of_the_canonical_form():
    declared = {name for one in (*OF_KIND.values(), GeneratedQuestion) for name in one.model_fields}
    assert declared == set(QUESTION_FIELDS)
    answers = {*NumericAnswerFields.model_fields, *TextAnswerFields.model_fields}
    assert answers == set(ANSWER_FIELDS)
    assert set(OF_KIND) == set(QuestionVersion.Kind.values) > set(GENERATED)


def test_command_prints_the_schema_of_a_kind(capsys):
    call_command("content_schema", "quiz")
    assert json.loads(capsys.readouterr().out) == schema_of("quiz")


def test_command_writes_all_schemas(tmp_path, capsys):
    call_command("content_schema", "--in", str(tmp_path / "schemas"))
    lines = capsys.readouterr().out.splitlines()
    for line, (kind, (files, _)) in zip(lines, FILES.items(), strict=True):
        path = tmp_path / "schemas" / f"{kind}.schema.json"
        assert json.loads(path.read_text()) == schema_of(kind)
        assert line == f"{path}: for {files}"


def test_command_refuses_a_folder_that_is_a_file(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(CommandError, match="cannot be written"):
        call_command("content_schema", "--in", str(tmp_path / "file"))
