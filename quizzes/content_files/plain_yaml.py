"""What YAML of an author may hold: plain values, in bounded number and depth, each written out.

YAML can name Python's types, stand for gigabytes in a few lines and nest until the C library that
composes it has used up the stack and the process is gone. The events are looked at first: reading
them needs no recursion and builds nothing. Whatever passes here can be composed.
"""

from __future__ import annotations

import re
from typing import Any

import yaml

from quizzes.content_files.characters import describe_refused
from quizzes.content_files.errors import RefusedFileError

MAX_EVENTS = 20_000  # a long question has about 200
MAX_DEPTH = 20
MAX_NUMBER = 60  # characters; more digits than that are no number that anybody types
_NUMBER = re.compile(r"[-+0-9.eE]+")
_FAST: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # libyaml reads six times faster


class PlainLoader(_FAST):  # type: ignore[misc]  # which of the two, mypy cannot know
    """The safe loader, without the surprises of YAML 1.1 (dates, `no`, sexagesimal numbers)."""


PlainLoader.yaml_implicit_resolvers = {}
for _tag, _pattern, _first in (
    ("bool", r"^(?:true|false)$", "tf"),
    ("null", r"^(?:null|~|)$", ["n", "~", ""]),
    ("int", r"^[-+]?(?:0|[1-9][0-9]*)$", "-+0123456789"),
    (
        "float",
        r"^[-+]?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?$",
        "-+.0123456789",
    ),
):
    PlainLoader.add_implicit_resolver(
        f"tag:yaml.org,2002:{_tag}", re.compile(_pattern), list(_first)
    )


def compose_yaml(text: str) -> tuple[PlainLoader, yaml.Node | None]:
    """Return one document's tree of nodes, None for an empty one, and the loader to build it with.

    Raises RefusedFileError, also for what is not YAML.
    """
    try:
        refuse_harmful(text)
        loader = PlainLoader(text)
        return loader, loader.get_single_node()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        raise RefusedFileError(line, f"not valid YAML: {error.problem}") from error
    except (yaml.YAMLError, ValueError) as error:
        raise RefusedFileError(1, f"not valid YAML: {error}") from error


def refuse_harmful(text: str) -> None:
    """Raise RefusedFileError at the first event that no plain file has."""
    depth = 0
    for count, event in enumerate(yaml.parse(text, Loader=PlainLoader)):
        line = event.start_mark.line + 1 if event.start_mark else 1
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        fault = _fault_of(event)
        if depth > MAX_DEPTH:
            fault = f"nested deeper than {MAX_DEPTH} levels"
        elif count > MAX_EVENTS:
            fault = f"has more than {MAX_EVENTS} parts"
        if fault:
            raise RefusedFileError(line, fault)


def _fault_of(event: yaml.Event) -> str:
    """Return what is wrong with one event by itself, "" when nothing is."""
    if isinstance(event, yaml.AliasEvent):
        return f"alias *{event.anchor}: write the value out"
    tag = getattr(event, "tag", None)
    if tag is not None:
        return f"tag {tag}: write the value without a tag"
    if isinstance(event, yaml.ScalarEvent):
        return describe_refused(event.value) or _number_fault(event)
    return ""


def _number_fault(event: yaml.ScalarEvent) -> str:
    plain = not event.style and _NUMBER.fullmatch(event.value)
    if plain and len(event.value) > MAX_NUMBER:
        return f"a number of {len(event.value)} characters, at most {MAX_NUMBER} are allowed"
    return ""
