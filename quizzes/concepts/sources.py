"""What is read from a course's map.yaml, before it is stored."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from quizzes.pages.source import Fault
from quizzes.pages.stored import hash_of

DRAWN = 3  # raise it when layout.py draws the same map otherwise, so that stored maps are redrawn


@dataclass(frozen=True)
class Concept:
    """One node. `requires` names the concepts to understand before this one."""

    slug: str
    title: str
    summary: str
    requires: tuple[str, ...]
    steps: tuple[str, ...]  # "<lesson>/<step>", where it is taught; the first is the best to begin
    exercises: tuple[str, ...]

    @classmethod
    def stored(cls, content: Mapping[str, Any]) -> "Concept":
        """Return the concept that `content()` wrote."""
        facts: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in content.items()
        }
        return cls(**facts)

    def content(self) -> dict[str, Any]:
        """Return it as plain values for a JSON column."""
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in asdict(self).items()
        }


@dataclass(frozen=True)
class MapSource:
    """A map as read. `refers_to` holds (kind, name, the fault if there is no such thing)."""

    slug: str
    path: str
    line: int
    concepts: tuple[Concept, ...]
    refers_to: tuple[tuple[str, str, Fault], ...] = field(default=(), repr=False)

    @property
    def content_hash(self) -> str:
        return map_hash([concept.content() for concept in self.concepts])


def map_hash(concepts: Sequence[Mapping[str, Any]]) -> str:
    """Return the hash of a map's parsed content; the layout of its file does not matter."""
    return hash_of([DRAWN, *concepts])
