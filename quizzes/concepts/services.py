"""The concept map for pages."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from quizzes.concepts.models import ConceptMap
from quizzes.concepts.sources import Concept


@dataclass(frozen=True)
class StoredMap:
    """A map as loaded: its concepts in order, and the drawing of `layout.py` in plain values."""

    concepts: tuple[Concept, ...]
    drawing: dict[str, Any]

    @cached_property
    def by_slug(self) -> dict[str, Concept]:
        return {concept.slug: concept for concept in self.concepts}

    def leads_to(self, slug: str) -> list[Concept]:
        """Return the concepts that need this one directly."""
        return [concept for concept in self.concepts if slug in concept.requires]


def the_map() -> StoredMap | None:
    """Return the map of the first course that has one. One query."""
    found = ConceptMap.objects.order_by("pk").first()
    if found is None or not found.concepts:
        return None
    concepts = tuple(Concept.stored(content) for content in found.concepts)
    return StoredMap(concepts, found.drawing)
