"""Reading content folders: every fault knows its file and line, and no file can harm the reader.

Which files and which YAML are read at all, `quizzes.content_files` decides; here plain values
become nodes that know their lines, and keys are text and stand once.
"""

import math
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from quizzes.content_files.characters import visible
from quizzes.content_files.errors import RefusedFileError
from quizzes.content_files.plain_file import list_folder, read_plain_text
from quizzes.content_files.plain_yaml import PlainLoader, compose_yaml

MAX_FILE_BYTES = 256 * 1024
_PLAIN_TAGS = {"str", "int", "float", "bool", "null", "map", "seq"}


@dataclass(frozen=True, order=True)
class Fault:
    """One thing wrong in a content file, said so that its author can find and mend it.

    Both texts are safe to print: they quote what an author wrote and how a file is called.
    """

    path: str
    line: int
    message: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "path", visible(self.path))
        object.__setattr__(self, "message", visible(self.message))

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


def read_text(path: Path, *, root: Path) -> str:
    """Return a file of the content folder as text with `\\n` line ends.

    Raises ContentError when it is missing, leaves the folder, is too large or is not plain text.
    """
    try:
        return read_plain_text(path, root=root, max_bytes=MAX_FILE_BYTES)
    except RefusedFileError as error:
        raise ContentError([Fault(_name(path, root), error.line, error.message)]) from error


def read_entries(folder: Path, *, root: Path) -> list[Path]:
    """Return what stands in a folder of the course, sorted; nothing when there is none.

    Raises ContentError for a folder that is none, or leaves the course.
    """
    try:
        return list_folder(folder, root=root)
    except RefusedFileError as error:
        raise ContentError([Fault(_name(folder, root), error.line, error.message)]) from error


def read_yaml(path: Path, *, root: Path) -> Node:
    """Return a YAML file of the content folder with the line of every value.

    Raises ContentError with the line of the first fault.
    """
    return parse_yaml(read_text(path, root=root), path=_name(path, root))


def parse_yaml(text: str, *, path: str, first_line: int = 1) -> Node:
    """Return YAML text (one document) with the line of every value; see `read_yaml`."""
    try:
        loader, tree = compose_yaml(text)
    except RefusedFileError as error:
        line = first_line + error.line - 1
        raise ContentError([Fault(path, line, error.message)]) from error
    if tree is None:
        return Node(None, first_line, path)
    return _node(loader, tree, path, first_line)


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
