"""YAML of an author as nodes that know their lines: plain values, each written out.

YAML can name Python's types, stand for gigabytes in a few lines and nest until the C library that
composes it has used up the stack and the process is gone. So the events are looked at first:
reading them needs no recursion and builds nothing. What is broken, nested too deep, too long or an
alias ends there, with its line, and what passes can be composed.

Everything else is the fault of one value: a tag, a character that cannot be seen, a number without
end, a key that stands twice. Such a value is noted and left out, and the rest is read on, so that
an author is told all faults of a file and not the first.
"""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml

from quizzes.content_files.characters import describe_refused
from quizzes.content_files.files import Files
from quizzes.content_files.problems import Code, ContentError, ContentProblem

MAX_EVENTS = 20_000  # a long question has about 200
MAX_DEPTH = 20
MAX_NUMBER = 60  # characters; more digits than that are no number that anybody types
_NUMBER = re.compile(r"[-+0-9.eE]+")
_FAST: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # libyaml reads six times faster

# What is wrong with single values, by where each begins and whether it is a scalar: a mapping
# begins where its first key does.
Refusals = dict[tuple[int, bool], str]


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


@dataclass(frozen=True)
class Node:
    """One value of a YAML file and the line it stands on. A missing value is `None`.

    So is one that was refused: what is wrong with it has been noted already.
    """

    value: object
    line: int
    path: str
    exists: bool = True
    children: Mapping[Hashable, Node] = field(default_factory=dict, repr=False)
    is_refused: bool = False

    def at(self, key: Hashable) -> Node:
        """Return the value under a key or index; when missing, an absent node on this line."""
        return self.children.get(key) or Node(None, self.line, self.path, exists=False)

    def items(self) -> Iterator[Node]:
        """Yield the values of a list or mapping in the file's order, but for those refused."""
        yield from (child for child in self.children.values() if not child.is_refused)

    def is_whole(self) -> bool:
        """Say whether neither this value nor one directly within it was refused."""
        return not self.is_refused and not any(child.is_refused for child in self.children.values())

    def problem(self, words: str, *, key: str = "", code: Code = "") -> ContentProblem:
        """Return a problem of this value; its message begins with the key, if there is one."""
        message = f"{key}: {words}" if key else words
        return ContentProblem(self.path, self.line, message, key=key, code=code)


def read_yaml(files: Files, path: str, *, problems: list[ContentProblem]) -> Node:
    """Return a YAML file of the content folder with the line of every value; see `parse_yaml`."""
    return parse_yaml(files.text(path), path=path, problems=problems)


def parse_yaml(
    text: str, *, path: str, problems: list[ContentProblem], first_line: int = 1
) -> Node:
    """Return YAML text (one document) with the line of every value.

    Values that are refused are noted in `problems`. Raises ContentError with the line where there
    is nothing to read on: what is no YAML, or could harm.
    """
    try:
        refusals = _refused_values(text, path, first_line)
        loader = PlainLoader(text)
        tree = loader.get_single_node()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = first_line + (mark.line if mark else 0)
        problem = ContentProblem(path, line, f"not valid YAML: {error.problem}")
        raise ContentError([problem]) from error
    except (yaml.YAMLError, ValueError) as error:
        problem = ContentProblem(path, first_line, f"not valid YAML: {error}")
        raise ContentError([problem]) from error
    if tree is None:
        return Node(None, first_line, path)
    return _NodeBuilder(loader, path, first_line, refusals, problems).node(tree)


def _refused_values(text: str, path: str, first_line: int) -> Refusals:
    """Return what is wrong with single values; raise ContentError where composing could harm."""
    refusals: Refusals = {}
    depth = 0
    for count, event in enumerate(yaml.parse(text, Loader=PlainLoader)):
        mark = event.start_mark
        assert mark is not None  # each has one, whatever the stubs say
        line = first_line + mark.line
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        harm = _harm_of(event, depth, count)
        if harm:
            raise ContentError([ContentProblem(path, line, harm)])
        refusal = _refusal_of(event)
        if refusal:
            refusals[mark.index, isinstance(event, yaml.ScalarEvent)] = refusal
    return refusals


def _harm_of(event: yaml.Event, depth: int, count: int) -> str:
    """Return why nothing from here on may be composed, "" when it may."""
    if depth > MAX_DEPTH:
        return f"nested deeper than {MAX_DEPTH} levels"
    if count > MAX_EVENTS:
        return f"has more than {MAX_EVENTS} parts"
    if isinstance(event, yaml.AliasEvent):
        return f"alias *{event.anchor}: write the value out"
    return ""


def _refusal_of(event: yaml.Event) -> str:
    """Return the problem of one value by itself, "" when there is none."""
    tag = getattr(event, "tag", None)
    if tag is not None:
        return f"tag {tag}: write the value without a tag"
    if isinstance(event, yaml.ScalarEvent):
        return describe_refused(event.value) or _refusal_of_number(event)
    return ""


def _refusal_of_number(event: yaml.ScalarEvent) -> str:
    if event.style or not _NUMBER.fullmatch(event.value):
        return ""
    if len(event.value) > MAX_NUMBER:
        return f"a number of {len(event.value)} characters, at most {MAX_NUMBER} are allowed"
    try:
        is_finite = math.isfinite(float(event.value))
    except ValueError:
        return ""  # it looks like a number and is text: 1-2
    return "" if is_finite else f"{event.value}: must be a finite number"


@dataclass(frozen=True)
class _NodeBuilder:
    """Makes nodes of a composed document, in which keys are text and stand once."""

    loader: PlainLoader
    path: str
    first_line: int
    refusals: Refusals
    problems: list[ContentProblem]

    def node(self, tree: yaml.Node) -> Node:
        line = self.first_line + tree.start_mark.line
        refusal = self.refusals.get((tree.start_mark.index, isinstance(tree, yaml.ScalarNode)))
        if refusal:
            self.problems.append(ContentProblem(self.path, line, refusal))
            return Node(None, line, self.path, is_refused=True)
        if isinstance(tree, yaml.ScalarNode):
            return Node(self.loader.construct_object(tree), line, self.path)
        if isinstance(tree, yaml.SequenceNode):
            items: dict[Hashable, Node] = dict(enumerate(map(self.node, tree.value)))
            return Node([item.value for item in items.values()], line, self.path, True, items)
        assert isinstance(tree, yaml.MappingNode)
        fields = self._fields(tree)
        values = {key: child.value for key, child in fields.items()}
        return Node(values, line, self.path, True, fields)

    def _fields(self, tree: yaml.MappingNode) -> dict[Hashable, Node]:
        fields: dict[Hashable, Node] = {}
        for key_tree, value_tree in tree.value:
            key, child = self.node(key_tree), self.node(value_tree)
            if key.is_refused:
                continue
            if not isinstance(key.value, str):
                self.problems.append(key.problem(f"key {key.value!r}: must be text"))
            elif key.value in fields:
                self.problems.append(key.problem(f"key {key.value!r} appears here a second time"))
            else:
                fields[key.value] = child
        return fields
