"""Reading content folders: every fault knows its file and line, and no file can harm the reader.

YAML is read by a loader that builds plain values only (YAML 1.2 words: `no`, `on` and `12:30` stay
text) and refuses aliases, duplicate keys, deep nesting and large files.
"""

import math
import re
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

MAX_FILE_BYTES = 256 * 1024
MAX_YAML_EVENTS = 20_000  # a long question has about 200
MAX_YAML_DEPTH = 20
_PLAIN_TAGS = {"str", "int", "float", "bool", "null", "map", "seq"}


@dataclass(frozen=True, order=True)
class Fault:
    """One thing wrong in a content file, said so that its author can find and mend it."""

    path: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}"


class ContentError(Exception):
    """Content that cannot be read; `faults` says where and why."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(map(str, self.faults)))


@dataclass(frozen=True)
class Node:
    """One value of a YAML file and the line it stands on. A missing value is `None`."""

    value: object
    line: int
    path: str
    exists: bool = True
    children: Mapping[Hashable, "Node"] = field(default_factory=dict, repr=False)

    def at(self, key: Hashable) -> "Node":
        """Return the value under a key or index; when missing, an absent node on this line."""
        return self.children.get(key) or Node(None, self.line, self.path, exists=False)

    def items(self) -> Iterator["Node"]:
        """Yield the values of a list or mapping in the file's order."""
        yield from self.children.values()

    def fault(self, message: str) -> Fault:
        return Fault(self.path, self.line, message)


FastLoader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # libyaml reads six times faster


class PlainLoader(FastLoader):  # type: ignore[misc]  # which of the two, mypy cannot know
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


def read_text(path: Path, *, root: Path) -> str:
    """Return a file of the content folder as text with `\\n` line ends.

    Raises ContentError when it is missing, leaves the folder, is too large or is not UTF-8 text.
    """
    name = _name(path, root)
    if path.is_symlink() or not path.resolve().is_relative_to(root.resolve()):
        raise ContentError([Fault(name, 1, "must be a plain file inside the content folder")])
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
        text = data.decode("utf-8")
    except OSError as error:
        raise ContentError([Fault(name, 1, f"cannot be read: {error.strerror}")]) from error
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise ContentError([Fault(name, line, "is not UTF-8 text")]) from error
    if len(data) > MAX_FILE_BYTES:
        raise ContentError([Fault(name, 1, f"is larger than {MAX_FILE_BYTES} bytes")])
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        raise ContentError([Fault(name, line, "contains a NUL character")])
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def read_yaml(path: Path, *, root: Path) -> Node:
    """Return a YAML file of the content folder with the line of every value.

    Raises ContentError with the line of the first fault.
    """
    return parse_yaml(read_text(path, root=root), path=_name(path, root))


def parse_yaml(text: str, *, path: str, first_line: int = 1) -> Node:
    """Return YAML text (one document) with the line of every value; see `read_yaml`."""
    try:
        _refuse_bombs(text, path, first_line)
        loader = PlainLoader(text)
        tree = loader.get_single_node()
        if tree is None:
            return Node(None, first_line, path)
        return _node(loader, tree, path, first_line)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = first_line + (mark.line if mark else 0)
        raise ContentError([Fault(path, line, f"not valid YAML: {error.problem}")]) from error
    except (yaml.YAMLError, ValueError) as error:
        raise ContentError([Fault(path, first_line, f"not valid YAML: {error}")]) from error


def _refuse_bombs(text: str, path: str, first_line: int) -> None:
    """Walk the events (no recursion, nothing built) and stop at the first sign of a bomb."""
    depth = 0
    for count, event in enumerate(yaml.parse(text, Loader=PlainLoader)):
        line = first_line + (event.start_mark.line if event.start_mark else 0)
        if isinstance(event, yaml.AliasEvent):
            raise ContentError([Fault(path, line, f"alias *{event.anchor}: write the value out")])
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_YAML_DEPTH:
            raise ContentError([Fault(path, line, f"nested deeper than {MAX_YAML_DEPTH} levels")])
        if count > MAX_YAML_EVENTS:
            raise ContentError([Fault(path, line, f"has more than {MAX_YAML_EVENTS} parts")])


def _node(loader: PlainLoader, tree: yaml.Node, path: str, first_line: int) -> Node:
    line = first_line + tree.start_mark.line
    children: dict[Hashable, Node] = {}
    if tree.tag.removeprefix("tag:yaml.org,2002:") not in _PLAIN_TAGS:
        raise ContentError([Fault(path, line, f"tag {tree.tag} is not allowed")])
    if isinstance(tree, yaml.ScalarNode):
        value = loader.construct_object(tree)
        if isinstance(value, float) and not math.isfinite(value):
            raise ContentError([Fault(path, line, f"{tree.value}: must be a finite number")])
        return Node(value, line, path)
    if isinstance(tree, yaml.SequenceNode):
        children.update(
            (index, _node(loader, item, path, first_line)) for index, item in enumerate(tree.value)
        )
        return Node([child.value for child in children.values()], line, path, True, children)
    for key_tree, value_tree in tree.value:
        key = _node(loader, key_tree, path, first_line)
        if not isinstance(key.value, str):
            raise ContentError([key.fault(f"key {key.value!r}: must be text")])
        if key.value in children:
            raise ContentError([key.fault(f"key {key.value!r} stands here a second time")])
        child = _node(loader, value_tree, path, first_line)
        children[key.value] = child
    return Node({key: child.value for key, child in children.items()}, line, path, True, children)


def _name(path: Path, root: Path) -> str:
    """Return the file's name as its author knows it: relative to the content folder."""
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.as_posix()
