"""Reading map.yaml of a course folder, with every fault and its line.

map.yaml    concepts: slug, title, summary, requires (slugs), steps ("lesson/step"), exercises

A course needs no map. Titles must fit the node they stand in.
"""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from quizzes.concepts.layout import circle_in, lay_out
from quizzes.concepts.models import ConceptMap
from quizzes.concepts.sources import Concept, MapSource, map_hash
from quizzes.concepts.titles import LINE_LENGTH, LINES, title_lines
from quizzes.pages.fields import MAX_SLUG, Fields
from quizzes.pages.source import ContentError, Fault, Node, read_yaml
from quizzes.pages.stored import Stored

FILE = "map.yaml"


def read_maps(root: Path) -> tuple[list[MapSource], list[Fault]]:
    """Read the map of a course folder, whose name is the course's slug."""
    if not os.path.lexists(root / FILE):
        return [], []
    try:
        node = read_yaml(root / FILE, root=root)
    except ContentError as error:
        return [], list(error.faults)
    faults: list[Fault] = []
    fields = Fields(node, faults)
    read = [_concept(item, faults) for item in fields.list("concepts")]
    fields.done()
    faults += _misfits(read)
    references = tuple(reference for _, item in read for reference in _refers(item))
    concepts = tuple(concept for concept, _ in read)
    slug = root.resolve().name[:MAX_SLUG]
    return [MapSource(slug, FILE, node.line, concepts, references)], faults


def stored_maps() -> Mapping[str, Stored]:
    """Return the hashes of the maps in the database."""
    return {
        found.slug: Stored(found.loaded_hash, map_hash(found.concepts))
        for found in ConceptMap.objects.all()
    }


def save_map(source: MapSource) -> str:
    """Store a map and where its nodes stand. Return "created" or "updated"."""
    drawing = lay_out({concept.slug: concept.requires for concept in source.concepts})
    _, made = ConceptMap.objects.update_or_create(
        slug=source.slug,
        defaults={
            "concepts": [concept.content() for concept in source.concepts],
            "drawing": drawing.content(),
            "loaded_hash": source.content_hash,
        },
    )
    return "created" if made else "updated"


Read = tuple[Concept, Node]


def _concept(node: Node, faults: list[Fault]) -> Read:
    fields = Fields(node, faults)
    concept = Concept(
        slug=fields.slug("slug"),
        title=fields.text("title"),
        summary=fields.text("summary", max_length=600),
        requires=fields.texts("requires", required=False),
        steps=fields.texts("steps"),
        exercises=fields.texts("exercises", required=False),
    )
    fields.done()
    if title_lines(concept.title) is None:
        faults.append(
            node.at("title").fault(
                f"title: {concept.title!r}: must fit {LINES} lines of {LINE_LENGTH} characters"
            )
        )
    return concept, node


def _misfits(read: list[Read]) -> Iterator[Fault]:
    """Yield what is wrong between the concepts: names twice, names of nothing, circles."""
    first: dict[str, Node] = {}
    for concept, node in read:
        if concept.slug in first:
            yield node.fault(f"slug: {concept.slug!r} is named twice")
        first.setdefault(concept.slug, node)
    known = True
    for _, node in read:
        for needed in node.at("requires").items():
            if needed.value not in first:
                known = False
                yield needed.fault(f"requires: {needed.value!r}: there is no such concept")
    circle = circle_in({concept.slug: concept.requires for concept, _ in read}) if known else []
    if circle:
        yield first[circle[0]].fault(f"requires: in a circle: {' needs '.join(circle)}")


def _refers(node: Node) -> Iterator[tuple[str, str, Fault]]:
    for field, kind in (("steps", "step"), ("exercises", "exercise")):
        for item in node.at(field).items():
            fault = item.fault(f"{field}: {item.value!r}: there is no such {kind}")
            yield kind, str(item.value), fault
