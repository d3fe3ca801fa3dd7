"""Reading `exercise.yaml` field by field, with the line of every fault.

Which YAML is read at all, `quizzes.content_files` decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import yaml

from quizzes.content_files.errors import RefusedFileError
from quizzes.content_files.plain_yaml import PlainLoader, compose_yaml
from quizzes.grader.errors import DefinitionError

MAX_CHARACTERS = 64_000


class Fields:
    """One mapping of a YAML file; every reader raises DefinitionError with the field's line."""

    def __init__(
        self, path: str, node: yaml.MappingNode, values: dict[Any, Any], name: str
    ) -> None:
        self._path = path
        self._line = node.start_mark.line + 1 if node.start_mark else 1
        self._name = name
        self._values = values
        self._nodes = {key.value: value for key, value in node.value}
        self._lines = {key.value: key.start_mark.line + 1 for key, _ in node.value}
        self._read: set[str] = set()
        if len(self._nodes) != len(node.value):
            raise DefinitionError(path, self._line, f"{name or 'the file'} has a field twice")

    def text(self, key: str, default: str | None = None) -> str:
        """A string that is not empty."""
        value = self._get(key, default)
        if not isinstance(value, str) or (not value.strip() and default is None):
            raise self.fault(key, f"{value!r}: expected text")
        return value.strip()

    def choice(self, key: str, choices: Sequence[str], default: str | None = None) -> str:
        """One of the given words."""
        value = self._get(key, default)
        if value not in choices:
            raise self.fault(key, f"{value!r}: expected one of {', '.join(choices)}")
        return str(value)

    def texts(self, key: str, default: Iterable[str] | None = None) -> tuple[str, ...]:
        """A list of strings."""
        value = self._get(key, None if default is None else list(default))
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self.fault(key, f"{value!r}: expected a list of texts")
        return tuple(item.strip() for item in value)

    def number(self, key: str, low: float, high: float, default: float | None = None) -> float:
        """A number between `low` and `high`; `1e-6` counts, though YAML 1.1 reads it as text."""
        value = self._get(key, default)
        try:
            number = float(value) if not isinstance(value, bool) else float("nan")
        except (TypeError, ValueError):
            number = float("nan")
        if not low <= number <= high:
            raise self.fault(key, f"{value!r}: expected a number from {low:g} to {high:g}")
        return number

    def has(self, key: str) -> bool:
        """Whether the field is there at all, whatever it holds."""
        return key in self._nodes

    def section(self, key: str) -> Fields:
        """A nested mapping; an absent one reads as empty."""
        self._read.add(key)
        node = self._nodes.get(key)
        if node is None:
            empty = yaml.compose("{}", Loader=PlainLoader)
            assert isinstance(empty, yaml.MappingNode)
            return Fields(self._path, empty, {}, key)
        if not isinstance(node, yaml.MappingNode):
            raise self.fault(key, "expected fields of its own")
        return Fields(self._path, node, self._values[key], key)

    def finish(self) -> None:
        """Refuses fields that nobody asked for: most often a spelling mistake."""
        for key in self._nodes:
            if key not in self._read:
                known = ", ".join(sorted(self._read))
                raise self.fault(key, f"is not a known field (known: {known})")

    def fault(self, key: str, message: str) -> DefinitionError:
        """The error to raise about this field."""
        line = self._lines.get(key, self._line)
        dotted = f"{self._name}.{key}" if self._name else key
        return DefinitionError(self._path, line, f"{dotted}: {message}")

    def _get(self, key: str, default: Any) -> Any:
        self._read.add(key)
        value = self._values.get(key, default)
        if value is None:
            raise self.fault(key, "is missing")
        return value


def read_fields(path: str, text: str) -> Fields:
    """The top mapping of a YAML text; raises DefinitionError."""
    if len(text) > MAX_CHARACTERS:
        raise DefinitionError(
            path, 1, f"has {len(text)} characters, expected at most {MAX_CHARACTERS}"
        )
    try:
        loader, node = compose_yaml(text)
        values = loader.construct_document(node) if node else None
    except RefusedFileError as error:
        raise DefinitionError(path, error.line, error.message) from error
    except yaml.MarkedYAMLError as error:  # two dictionaries as a key of one, for example
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise DefinitionError(path, line, f"not valid YAML: {error.problem}") from error
    if not isinstance(node, yaml.MappingNode) or not isinstance(values, dict):
        raise DefinitionError(path, 1, "expected fields such as `title: ...`")
    return Fields(path, node, values, "")
