"""Taking the fields of a YAML mapping, collecting every fault instead of stopping at the first."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable, Iterator

from quizzes.content_files.problems import Code, ContentProblem
from quizzes.content_files.yaml_nodes import Node

SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
MAX_SLUG = 80


class Fields:
    """The fields of one mapping; `problems` grows as they are taken. Call `done` at the end.

    Every verb returns a usable value even when it notes a problem, so that reading can go on.
    `name`: the key of a mapping inside another, said before its fields (`expected.pairs`).
    It reads blocks of steps and models.yaml; the other files have a `Declaration`.
    """

    def __init__(
        self,
        node: Node,
        problems: list[ContentProblem],
        *,
        name: str = "",
    ) -> None:
        self.node = node
        self.problems = problems
        self._name = name
        self._taken: set[str] = set()
        is_empty = node.value is None and not node.is_refused  # it lacks all of its fields
        self._is_mapping = is_empty or isinstance(node.value, dict)
        if not self._is_mapping and not node.is_refused:
            of = f"{name}: " if name else ""
            problems.append(node.problem(f"{of}must be a mapping (`key: value` lines)"))

    def note(self, key: str, words: str, *, at: Node | None = None, code: Code = "") -> None:
        """Note a problem of a field, or of an item `at` which it has."""
        of = f"{self._name}.{key}" if self._name else key
        self.problems.append((at or self.node.at(key)).problem(words, key=of, code=code))

    def take(self, key: str, *, required: bool = True) -> Node:
        """Return the node under a key, noting a problem when it is required and missing."""
        self._taken.add(key)
        node = self.node.at(key)
        if required and node.value is None and not node.is_refused and self._is_mapping:
            self.note(key, "missing", code="missing")
        return node

    def text(self, key: str, *, required: bool = True, max_length: int = 20_000) -> str:
        """Return a text without outer white space; "" when missing or not a text."""
        node = self.take(key, required=required)
        if node.value is None:
            return ""
        if not isinstance(node.value, str):
            self.note(key, f"{node.value!r}: must be text (use quotes)")
            return ""
        value = node.value.strip()
        if required and not value:
            self.note(key, "must not be empty", code="empty")
        if len(value) > max_length:
            self.note(key, f"{len(value)} characters, at most {max_length} are allowed")
        return value

    def slug(self, key: str, *, required: bool = True) -> str:
        """Return a slug (lower-case words joined by hyphens)."""
        value = self.text(key, required=required)
        if value and not is_slug(value):
            self.note(key, f"{value!r}: must be a slug such as why-order")
        return value

    def choice(self, key: str, choices: Collection[str], *, default: str | None = None) -> str:
        """Return one of some words."""
        value = self.text(key, required=default is None) or default or ""
        if value and value not in choices:
            self.note(key, f"{value!r}: must be one of {', '.join(sorted(choices))}")
        return value

    def integer(self, key: str, *, ge: int, le: int, default: int | None = None) -> int:
        """Return a whole number between two limits."""
        node = self.take(key, required=default is None)
        value = node.value
        if value is None:
            return ge if default is None else default
        if not isinstance(value, int) or isinstance(value, bool) or not ge <= value <= le:
            self.note(key, f"{value!r}: must be a whole number between {ge} and {le}")
            return ge if default is None else default
        return value

    def number(self, key: str, *, ge: float, le: float, default: float | None = None) -> float:
        """Return a number between two limits."""
        node = self.take(key, required=default is None)
        value = node.value
        usable = float(ge if default is None else default)
        if value is None:
            return usable
        if not isinstance(value, int | float) or isinstance(value, bool) or not ge <= value <= le:
            self.note(key, f"{value!r}: must be a number between {ge:g} and {le:g}")
            return usable
        return float(value)

    def flag(self, key: str, *, default: bool) -> bool:
        """Return true or false."""
        node = self.take(key, required=False)
        if node.value is None:
            return default
        if not isinstance(node.value, bool):
            self.note(key, f"{node.value!r}: must be true or false")
            return default
        return node.value

    def list(self, key: str, *, required: bool = True) -> Iterator[Node]:
        """Yield the items of a list; a required list must not be empty."""
        node = self.take(key, required=required)
        if node.value is None:
            return
        if not isinstance(node.value, list):
            self.note(key, "must be a list (`- item` lines)")
            return
        if required and not node.value:
            self.note(key, "must not be empty", code="empty")
        yield from node.items()

    def texts(
        self, key: str, *, required: bool = True, choices: Collection[str] = ()
    ) -> tuple[str, ...]:
        """Return a list of texts, each one of `choices` where there are any."""
        texts = []
        for item in self.list(key, required=required):
            if isinstance(item.value, str) and item.value.strip():
                texts.append(item.value.strip())
                if choices and texts[-1] not in choices:
                    words = f"{texts[-1]!r}: must be one of {', '.join(choices)}"
                    self.note(key, words, at=item)
            else:
                self.note(key, f"{item.value!r}: must be text", at=item)
        return tuple(texts)

    def done(self) -> None:
        """Note every field that nobody took: a misspelt key must not be silently ignored."""
        if not self._is_mapping:
            return
        for key in self.node.children:
            if key not in self._taken:
                self.note(str(key), unknown_field(str(key), self._taken))


def unknown_field(key: str, known: Iterable[str]) -> str:
    """Return the words about a field that nobody reads, with the name that its author may mean."""
    names = sorted(known)
    near = difflib.get_close_matches(key, names, n=1)
    meant = f", did you mean {near[0]!r}?" if near else ""
    return f"unknown field{meant} (known: {', '.join(names)})"


def is_slug(value: str) -> bool:
    """Say whether a text may stand in an address."""
    return len(value) <= MAX_SLUG and SLUG.fullmatch(value) is not None
