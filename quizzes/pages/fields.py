"""Taking the fields of a YAML mapping, collecting every fault instead of stopping at the first."""

import re
from collections.abc import Collection, Iterator

from quizzes.pages.source import Fault, Node

SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
MAX_SLUG = 80


class Fields:
    """The fields of one mapping; `faults` grows as they are taken. Call `done` at the end.

    Every verb returns a usable value even when it notes a fault, so that reading can go on.
    """

    def __init__(self, node: Node, faults: list[Fault]) -> None:
        self.node = node
        self.faults = faults
        self._taken: set[str] = set()
        if not isinstance(node.value, dict):
            faults.append(node.fault("must be a mapping (`key: value` lines)"))

    def take(self, key: str, *, required: bool = True) -> Node:
        """Return the node under a key, noting a fault when it is required and missing."""
        self._taken.add(key)
        found = self.node.at(key)
        if required and found.value is None:
            self.faults.append(found.fault(f"{key}: missing"))
        return found

    def text(self, key: str, *, required: bool = True, max_length: int = 20_000) -> str:
        """Return a text without outer white space; "" when missing or not a text."""
        node = self.take(key, required=required)
        if node.value is None:
            return ""
        if not isinstance(node.value, str):
            self.faults.append(node.fault(f"{key}: {node.value!r}: must be text (use quotes)"))
            return ""
        value = node.value.strip()
        if required and not value:
            self.faults.append(node.fault(f"{key}: must not be empty"))
        if len(value) > max_length:
            self.faults.append(
                node.fault(f"{key}: {len(value)} characters, at most {max_length} are allowed")
            )
        return value

    def slug(self, key: str, *, required: bool = True) -> str:
        """Return a slug (lower-case words joined by hyphens)."""
        value = self.text(key, required=required)
        if value and not is_slug(value):
            self.faults.append(
                self.node.at(key).fault(f"{key}: {value!r}: must be a slug such as why-order")
            )
        return value

    def choice(self, key: str, choices: Collection[str], *, default: str | None = None) -> str:
        """Return one of some words."""
        value = self.text(key, required=default is None) or default or ""
        if value and value not in choices:
            words = ", ".join(sorted(choices))
            self.faults.append(self.node.at(key).fault(f"{key}: {value!r}: must be one of {words}"))
        return value

    def integer(self, key: str, *, ge: int, le: int, default: int | None = None) -> int:
        """Return a whole number between two limits."""
        node = self.take(key, required=default is None)
        value = node.value
        if value is None:
            return ge if default is None else default
        if not isinstance(value, int) or isinstance(value, bool) or not ge <= value <= le:
            self.faults.append(
                node.fault(f"{key}: {value!r}: must be a whole number between {ge} and {le}")
            )
            return ge if default is None else default
        return value

    def flag(self, key: str, *, default: bool) -> bool:
        """Return true or false."""
        node = self.take(key, required=False)
        if node.value is None:
            return default
        if not isinstance(node.value, bool):
            self.faults.append(node.fault(f"{key}: {node.value!r}: must be true or false"))
            return default
        return node.value

    def list(self, key: str, *, required: bool = True) -> Iterator[Node]:
        """Yield the items of a list; a required list must not be empty."""
        node = self.take(key, required=required)
        if node.value is None:
            return
        if not isinstance(node.value, list):
            self.faults.append(node.fault(f"{key}: must be a list (`- item` lines)"))
            return
        if required and not node.value:
            self.faults.append(node.fault(f"{key}: must not be empty"))
        yield from node.items()

    def texts(self, key: str, *, required: bool = True) -> tuple[str, ...]:
        """Return a list of texts."""
        found = []
        for item in self.list(key, required=required):
            if isinstance(item.value, str) and item.value.strip():
                found.append(item.value.strip())
            else:
                self.faults.append(item.fault(f"{key}: {item.value!r}: must be text"))
        return tuple(found)

    def done(self) -> None:
        """Note every field that nobody took: a misspelt key must not be silently ignored."""
        for key, child in self.node.children.items():
            if key not in self._taken:
                known = ", ".join(sorted(self._taken))
                self.faults.append(child.fault(f"{key}: unknown field (known: {known})"))


def is_slug(value: str) -> bool:
    """Say whether a text may stand in an address."""
    return len(value) <= MAX_SLUG and SLUG.fullmatch(value) is not None
