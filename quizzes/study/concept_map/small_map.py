"""The concept map drawn small, for endings, progress and start pages.

It shows every concept as a dot in the place that it has on the map: filled if mastered, half if
practised, an outline if seen, and grey if not started. What can be learned now has a ring. What
is new is larger and named, and leads to its details, as does the concept where the learner is.

Places across and down are shares of the picture, whose size is the page's: dots and letters have
the same size in every width. It is for the eye; its caption says the same in words and links.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from operator import itemgetter
from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from quizzes.concepts.files import StoredMap, map_of
from quizzes.concepts.layout import Point, path_down
from quizzes.courses.content import Same
from quizzes.courses.models import Course
from quizzes.study.concept_states import MASTERED, PRACTISED, ConceptState, frontier_of

# In percent of the smallest picture with names, which has 480 x 208 px (small_map.css).
LETTER, GAP = 1.5, 4.0  # of the width: one letter of a name, and what is between name and dot
NAME_AT = 17  # px
ROW = 7.5  # of the height: what is nearer than this is in the way


@dataclass(frozen=True)
class Dot:
    """One concept of the picture: its place in percent, and its name where that has room."""

    standing: ConceptState
    x: float
    y: float
    is_new: bool
    is_here: bool
    is_frontier: bool
    side: str = ""  # of its name: "right" or "left"; "" for none

    @property
    def is_named(self) -> bool:
        return self.is_new or self.is_here

    @property
    def classes(self) -> str:
        """Return the classes of what it shows, see small_map.css."""
        shows = {
            f"dot--{self.standing.state}": self.standing.state,
            f"family--{self.standing.number}": self.standing.number,
            "dot--new": self.is_new,
            "dot--here": self.is_here,
        }
        return " ".join(["dot", *(name for name, holds in shows.items() if holds)])

    @property
    def name_x(self) -> int:
        """Return where its name begins or ends, from its middle, in px."""
        return -NAME_AT if self.side == "left" else NAME_AT

    @property
    def is_ringed(self) -> bool:
        return self.is_frontier or self.is_here

    @property
    def is_half(self) -> bool:
        return self.standing.state == PRACTISED


def small_map(
    course: Course,
    standing: Sequence[ConceptState],
    *,
    new: Collection[str] = (),
    here: str = "",
    words: str = "New",
) -> SafeString:
    """Return the map of a course as HTML, "" for a course without one. No query of its own.

    `standing` is from `concept_states(course, learner)`. `new` has the slugs of concepts that
    were lit just now, which its caption names after `words`; `here` is the slug of the next one.
    Unknown slugs are left out.
    """
    stored_map = map_of(course)
    if stored_map is None:
        return SafeString("")
    known = stored_map.by_slug
    lit = frozenset(slug for slug in new if slug in known)
    place = here if here in known else ""
    return _render(
        tuple(standing), Same(stored_map), lit, place, address=course.lists["map"], words=words
    )


# As the map itself: many learners have the same states, and an ending is read more than once.
@lru_cache(maxsize=64)
def _render(
    standing: tuple[ConceptState, ...],
    stored_map: Same[StoredMap],
    new: frozenset[str],
    here: str,
    *,
    address: str,
    words: str,
) -> SafeString:
    drawing = stored_map.it.drawing
    dots = _dots(standing, drawing, new, here)
    fresh = [dot.standing.concept for dot in dots if dot.is_new]
    practised = {item.concept.slug for item in standing if item.state in {PRACTISED, MASTERED}}
    lines: tuple[list[str], list[str]] = ([], [])
    for tail, head, points in drawing["lines"]:
        path = path_down([[round(x), round(y)] for x, y in points], half_height=0)
        lines[tail in practised and head in practised].append(path)
    context = {
        "plain": [dot for dot in dots if not dot.is_named],
        "named": [dot for dot in dots if dot.is_named],  # over the others, and their names too
        "width": round(drawing["width"]),
        "height": round(drawing["height"]),
        "dim": "".join(lines[False]),
        "lit": "".join(lines[True]),
        "mastered": sum(item.state == MASTERED for item in standing if item.counts),
        "total": sum(item.counts for item in standing),
        "new": [(concept, "," if concept != fresh[-1] else ".") for concept in fresh],
        "words": words,
        "here": stored_map.it.by_slug.get(here),
        "map": address,
        "focus": f"{address}?focus=",
    }
    return render_to_string("study/_small_map.html", context)


def _dots(
    standing: Sequence[ConceptState], drawing: dict[str, Any], new: Collection[str], here: str
) -> list[Dot]:
    places = {
        slug: (round(100 * x / drawing["width"], 1), round(100 * y / drawing["height"], 1))
        for slug, (x, y) in drawing["nodes"].items()
    }
    named = [item.concept.slug for item in standing if item.concept.slug in new]
    if here and here not in new:
        named.append(here)
    lengths = {item.concept.slug: len(item.concept.title) for item in standing}
    size = drawing["width"], drawing["height"]
    lines = [
        [(100 * x / size[0], 100 * y / size[1]) for x, y in line] for *_, line in drawing["lines"]
    ]
    sides = sides_of(places, {slug: lengths[slug] for slug in named}, lines)
    frontier = frontier_of(standing)
    return [
        Dot(
            item,
            *places[slug],
            is_new=slug in new,
            is_here=slug == here,
            is_frontier=slug in frontier,
            side=sides.get(slug, ""),
        )
        for item in standing
        for slug in [item.concept.slug]
    ]


def sides_of(
    places: Mapping[str, Point],
    letters: Mapping[str, int],
    lines: Sequence[Sequence[Point]] = (),
) -> dict[str, str]:
    """Return the side at which the name of each dot stands, nothing for one without room.

    `letters` has the lengths of the names to show. None meets another or covers a named dot, and
    each is at the side where it covers fewer of the others, then fewer of the lines.
    """
    sides: dict[str, str] = {}
    taken: list[tuple[float, float, float]] = []  # height, from, to
    for slug, length in letters.items():
        x, y = places[slug]
        width = GAP + length * LETTER
        near = {name: at for name, (at, row) in places.items() if abs(row - y) < ROW}
        near.pop(slug)
        ways: list[tuple[int, int, str, float]] = []
        for side, start in (("right", x), ("left", x - width)):
            end = start + width
            covered = [name for name, at in near.items() if start <= at <= end]
            meets = any(abs(row - y) < ROW and start < to and at < end for row, at, to in taken)
            if start >= 0 and end <= 100 and not meets and not letters.keys() & set(covered):
                crossed = sum(_crosses(line, (start, end), y) for line in lines)
                ways.append((len(covered), crossed, side, start))
        if ways:
            _, _, sides[slug], start = min(ways, key=itemgetter(0, 1))
            taken.append((y, start, start + width))
    return sides


def _crosses(line: Sequence[Point], span: tuple[float, float], height: float) -> bool:
    """Return whether a line passes through what a name covers, by points along its parts."""
    start, end = span
    return any(
        start + GAP < tail[0] + share * (head[0] - tail[0]) < end - GAP
        and abs(tail[1] + share * (head[1] - tail[1]) - height) < ROW / 2
        for tail, head in pairwise(line)
        for share in (0.0, 0.25, 0.5, 0.75, 1.0)
    )
