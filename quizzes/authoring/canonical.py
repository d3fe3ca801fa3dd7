"""The canonical form of question and quiz files: what the site writes, byte for byte.

Fields stand in one order, those that say nothing are left out, prose is folded at 100 columns. A
file in this form that is loaded and written again is the same file.
"""

import re
from collections.abc import Mapping
from typing import Any

import yaml

from quizzes.content_files.plain_yaml import PlainLoader

WIDTH = 100
QUESTION_FIELDS = (
    "kind",
    "step",
    "tags",
    "keep_last",
    "exercise",
    "prompt",
    "answer",
    "options",
)
OPTION_FIELDS = ("text", "key", "mistake", "reason")
ANSWER_FIELDS = ("value", "within", "plus_minus", "unit", "reason", "near")
NEAR_FIELDS = ("value", "mistake", "reason")
QUIZ_FIELDS = ("title", "summary", "questions")
FOLDS = re.compile(r"[^\s#-](?:[^\s]| (?=[^\s]))*")  # one line, single spaces, no list or comment
PROSE_FROM = 60  # characters; shorter texts stay beside their key


class _Canonical(yaml.SafeDumper):
    """Writes for our reader: its idea of what is a number or a word decides what is quoted."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        del indentless  # items of a list stand two columns in, as the course has them
        super().increase_indent(flow, False)


_Canonical.yaml_implicit_resolvers = PlainLoader.yaml_implicit_resolvers


class _Row(list[Any]):
    """A list that stands on one line."""


def _text(dumper: _Canonical, text: str) -> yaml.Node:
    style = None
    if "\n" in text:
        style = "|"
    elif len(text) > PROSE_FROM and FOLDS.fullmatch(text):
        style = ">"
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


def _row(dumper: _Canonical, items: _Row) -> yaml.Node:
    return dumper.represent_sequence("tag:yaml.org,2002:seq", items, flow_style=True)


_Canonical.add_representer(str, _text)
_Canonical.add_representer(_Row, _row)


def question_files(content: Mapping[str, Any]) -> dict[str, str]:
    """Return the files of a question by name; a prompt of several lines has a file of its own."""
    fields = _ordered(content, QUESTION_FIELDS)
    files = {}
    if "\n" in fields.get("prompt", ""):
        files["prompt.md"] = f"{fields.pop('prompt')}\n"
    if "tags" in fields:
        fields["tags"] = _Row(fields["tags"])
    if "options" in fields:
        fields["options"] = [_ordered(option, OPTION_FIELDS) for option in fields["options"]]
    if "answer" in fields:
        fields["answer"] = _answer(fields["answer"])
    return {"question.yaml": _yaml(fields), **files}


def quiz_file(content: Mapping[str, Any]) -> str:
    """Return the file of a quiz."""
    return _yaml(_ordered(content, QUIZ_FIELDS))


def _answer(answer: Mapping[str, Any]) -> dict[str, Any]:
    fields = _ordered(answer, ANSWER_FIELDS)
    if "near" in fields:
        fields["near"] = [_ordered(miss, NEAR_FIELDS) for miss in fields["near"]]
    return fields


def _ordered(content: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    """Return the fields that say something, in their order; a field nobody knows is an error."""
    unknown = sorted(content.keys() - set(names))
    if unknown:
        raise ValueError(f"{unknown}: has no place in the canonical form ({', '.join(names)})")
    return {name: content[name] for name in names if content.get(name) not in (None, "", [], False)}


def _yaml(fields: Mapping[str, Any]) -> str:
    return yaml.dump(
        dict(fields),
        Dumper=_Canonical,
        sort_keys=False,
        allow_unicode=True,
        default_flow_style=False,
        width=WIDTH,
    )
