"""Read map.yaml of a course folder, with every fault and its line.

map.yaml    concepts: slug, title, family, summary, requires (slugs), steps, exercises

A course needs no map. Titles must fit the node they stand in.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from quizzes.concepts.layout import LINE_LENGTH, LINES, circle_in, lay_out, title_lines
from quizzes.concepts.models import ConceptMap
from quizzes.content_files.declaration import Declaration, Slug, Text
from quizzes.content_files.fields import MAX_SLUG
from quizzes.content_files.files import Files
from quizzes.content_files.problems import ContentError, ContentProblem
from quizzes.content_files.stored_hashes import Stored, hash_of
from quizzes.content_files.yaml_nodes import Node, read_yaml
from quizzes.courses.content import cached_content
from quizzes.courses.models import Course
from quizzes.pages.families import Family
from quizzes.pages.text_rules import PLAIN

DRAWN = 6  # raise it when layout.py draws the same map differently, so that stored maps are redrawn


@dataclass(frozen=True)
class Concept:
    """One node. `requires` names the concepts to understand before this one."""

    slug: str
    title: str
    summary: str
    requires: tuple[str, ...]
    steps: tuple[str, ...]  # "<lesson>/<step>"; a learner begins with the first
    exercises: tuple[str, ...]
    family: str = ""  # the group that it is shown in, such as "Rotate"; "" for none

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
    """A map as read. `refers_to` holds (kind, name, the fault if that name does not exist)."""

    slug: str
    path: str
    line: int
    concepts: tuple[Concept, ...]
    refers_to: tuple[tuple[str, str, ContentProblem], ...] = field(default=(), repr=False)

    @property
    def content_hash(self) -> str:
        return map_hash([concept.content() for concept in self.concepts])


def map_hash(concepts: Sequence[Mapping[str, Any]], *, drawn: int = DRAWN) -> str:
    """Return the hash of a map's parsed content; the layout of its file does not matter."""
    return hash_of([drawn, *concepts])


FILE = "map.yaml"


def _fits(title: str) -> str:
    if title_lines(title) is None:
        expected = f"must fit in {LINES} lines of {LINE_LENGTH} characters"
        raise ValueError(f"{title!r}: {expected}")
    return title


Names = tuple[Annotated[str, Field(min_length=1)], ...]


class ConceptFields(Declaration):
    """A concept, which is a node of the map."""

    slug: Slug
    title: Annotated[Text, AfterValidator(_fits), PLAIN]
    family: Annotated[str, Field(max_length=LINE_LENGTH)] = Field(
        "", description="The group that it is shown in, such as Rotate."
    )
    summary: Annotated[str, Field(min_length=1, max_length=600), PLAIN]
    requires: Names = Field((), description="The concepts to understand before, by slug.")
    steps: Annotated[Names, Field(min_length=1)] = Field(
        description="The steps that teach it, as <lesson>/<step>; a learner begins with the first."
    )
    exercises: Names = Field((), description="The exercises on it, by slug.")


class MapFile(Declaration):
    """The concept map of a course."""

    concepts: Annotated[tuple[ConceptFields, ...], Field(min_length=1)]


def read_maps(files: Files) -> tuple[list[MapSource], list[ContentProblem]]:
    """Read the map of a course folder, whose name is the course's slug."""
    if not files.has(FILE):
        return [], []
    problems: list[ContentProblem] = []
    try:
        node = read_yaml(files, FILE, problems=problems)
    except ContentError as error:
        return [], list(error.problems)
    fields = MapFile.read(node, problems)
    read = [(Concept(**part.model_dump()), part.node) for part in fields.concepts]
    problems += _misfits(read)
    references = tuple(reference for _, item in read for reference in _refers(item))
    concepts = tuple(concept for concept, _ in read)
    slug = files.name[:MAX_SLUG]
    return [MapSource(slug, FILE, node.line, concepts, references)], problems


def stored_map(course: Course) -> Mapping[str, Stored]:
    """Return the hashes of a course's map, by the slug of the course."""
    found = ConceptMap.objects.filter(course=course).first()
    if found is None:
        return {}
    # Not edited, if it is what was loaded, however maps were drawn then.
    drawn = (map_hash(found.concepts, drawn=number) for number in range(DRAWN, 0, -1))
    now = next((one for one in drawn if one == found.loaded_hash), map_hash(found.concepts))
    return {course.slug: Stored(found.loaded_hash, now)}


def steps_of_concepts(course: Course) -> list[Sequence[str]]:
    """Return the paths of the steps of each concept, as they are stored now."""
    row = ConceptMap.objects.filter(course=course).first()
    return [concept["steps"] for concept in row.concepts] if row is not None else []


def save_map(course: Course, source: MapSource) -> str:
    """Store a map and the places of its nodes. Return "created" or "updated"."""
    drawing = lay_out({concept.slug: concept.requires for concept in source.concepts})
    _, made = ConceptMap.objects.update_or_create(
        course=course,
        defaults={
            "concepts": [concept.content() for concept in source.concepts],
            "drawing": drawing.content(),
            "loaded_hash": source.content_hash,
        },
    )
    return "created" if made else "updated"


Read = tuple[Concept, Node]


def _misfits(read: list[Read]) -> Iterator[ContentProblem]:
    """Yield the faults between concepts: names used twice, unknown names, circles."""
    first: dict[str, Node] = {}
    for concept, node in read:
        if concept.slug in first:
            yield node.problem(f"slug: {concept.slug!r} is listed twice")
        first.setdefault(concept.slug, node)
    known = True
    for _, node in read:
        for needed in node.at("requires").items():
            if not isinstance(needed.value, str):
                known = False  # and that it is no text is said already
            elif needed.value not in first:
                known = False
                yield needed.problem(f"requires: {needed.value!r}: there is no such concept")
    circle = circle_in({concept.slug: concept.requires for concept, _ in read}) if known else []
    if circle:
        yield first[circle[0]].problem(f"requires: in a circle: {' needs '.join(circle)}")


def _refers(node: Node) -> Iterator[tuple[str, str, ContentProblem]]:
    for key, kind in (("steps", "step"), ("exercises", "exercise")):
        for item in node.at(key).items():
            problem = item.problem(f"{key}: {item.value!r}: there is no such {kind}")
            yield kind, str(item.value), problem


@dataclass(frozen=True)
class StoredMap:
    """A map as loaded: its concepts in order, and the drawing of `layout.py` in plain values."""

    concepts: tuple[Concept, ...]
    drawing: dict[str, Any]

    @cached_property
    def by_slug(self) -> dict[str, Concept]:
        return {concept.slug: concept for concept in self.concepts}

    @cached_property
    def families(self) -> list[str]:
        """Return the families in their order, which is that of their first concepts."""
        return list(dict.fromkeys(one.family for one in self.concepts if one.family))

    def leads_to(self, slug: str) -> list[Concept]:
        """Return the concepts that need this one directly."""
        return [concept for concept in self.concepts if slug in concept.requires]


@cached_content
def families_of_lessons(course: int) -> Mapping[str, Family]:
    """Return the family of each lesson by slug: that of most of the concepts it teaches."""
    row = ConceptMap.objects.filter(course=course).first()
    if row is None:
        return {}
    concepts = [Concept.stored(content) for content in row.concepts]
    order = list(dict.fromkeys(concept.family for concept in concepts if concept.family))
    taught: dict[str, Counter[str]] = {}
    for concept in concepts:
        for lesson in {path.partition("/")[0] for path in concept.steps if concept.family}:
            taught.setdefault(lesson, Counter())[concept.family] += 1
    return {
        lesson: Family(name, order.index(name) + 1)
        for lesson, counts in taught.items()
        for name in [min(counts, key=lambda family: (-counts[family], order.index(family)))]
    }


@cached_content
def _maps(course: int) -> tuple[StoredMap, ...]:
    """Return the map of a course, nothing for one without: None would not be kept."""
    rows = ConceptMap.objects.filter(course=course)
    return tuple(
        StoredMap(tuple(Concept.stored(content) for content in row.concepts), row.drawing)
        for row in rows
        if row.concepts
    )


def map_of(course: Course) -> StoredMap | None:
    """Return the map of a course, None for one without. It is cached: nobody changes it."""
    return next(iter(_maps(course.pk)), None)
