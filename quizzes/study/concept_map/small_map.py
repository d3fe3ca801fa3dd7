"""The concept map drawn small, for endings, progress and start pages.

It shows every concept as a dot in the place that it has on the map: filled if mastered, half if
practised, an outline if seen, and grey if not started. What can be learned now has a ring. What
is new is larger and named, and leads to its details, as does the concept where the learner is.

Places across and down are shares of the picture, whose size is the page's: dots and letters have
the same size in every width. It is for the eye; its caption says the same in words and links, and
its legend shows each kind of dot with the number of concepts in that state, and the families.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import hypot
from operator import itemgetter
from typing import Any, NamedTuple

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from quizzes.concepts.files import StoredMap, map_of
from quizzes.concepts.layout import Point, path_down
from quizzes.courses.content import Same
from quizzes.courses.models import Course
from quizzes.study.concept_states import (
    MASTERED,
    PRACTISED,
    SEEN,
    ConceptState,
    count_states,
    frontier_of,
)

# All in px. Names are placed in the smallest picture that has them; a larger one has more room for
# the same letters and dots (small_map.css).
WIDTH, HEIGHT = 480, 208
LETTER, HALF_LINE = 8.5, 8  # of a name: wide letters, bold
NAME_ASIDE, NAME_DOWN = 17, 23  # from the middle of a dot to its name
PLAIN, RINGED, NEW, NEW_RINGED = 6, 10.5, 9, 13.5  # radii of dots, with their lines


# Of a name: what its anchor is away from the middle of its dot.
SIDES = {
    "right": (NAME_ASIDE, 0),
    "left": (-NAME_ASIDE, 0),
    "below": (0, NAME_DOWN),
    "above": (0, -NAME_DOWN),
}


class Spot(NamedTuple):
    """The place of a dot in the smallest picture, and how much room it takes; all in px."""

    x: float
    y: float
    radius: float


class Box(NamedTuple):
    """What a name covers, in px."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def is_inside(self) -> bool:
        """Return whether the picture has all of it."""
        inside_x = self.left >= 0 and self.right <= WIDTH
        return inside_x and self.top >= 0 and self.bottom <= HEIGHT

    def meets(self, other: "Box") -> bool:
        apart_x = self.right <= other.left or other.right <= self.left
        return not (apart_x or self.bottom <= other.top or other.bottom <= self.top)

    def covers(self, spot: Spot) -> bool:
        x = min(max(spot.x, self.left), self.right)
        y = min(max(spot.y, self.top), self.bottom)
        return hypot(spot.x - x, spot.y - y) < spot.radius

    def has(self, point: Point) -> bool:
        x, y = point
        return self.left < x < self.right and self.top < y < self.bottom


@dataclass(frozen=True)
class Dot:
    """One concept of the picture: its place in percent, and its name where that has room.

    Of the new ones all have their names, or none.
    """

    standing: ConceptState
    x: float
    y: float
    is_new: bool
    is_here: bool
    is_frontier: bool
    side: str = ""  # of its name: one of `SIDES`; "" for none

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
        """Return where its name begins, ends or has its middle, from its own, in px."""
        return SIDES[self.side][0]

    @property
    def name_y(self) -> int:
        return SIDES[self.side][1]

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
    states = count_states(standing)
    families = {item.number: item.concept.family for item in standing if item.number}
    context = {
        "plain": [dot for dot in dots if not dot.is_named],
        "named": [dot for dot in dots if dot.is_named],  # over the others, and their names too
        "width": round(drawing["width"]),
        "height": round(drawing["height"]),
        "dim": "".join(lines[False]),
        "lit": "".join(lines[True]),
        "mastered": states.get(MASTERED, 0),
        "total": sum(states.values()),
        "states": [
            *((state, states.get(state, 0)) for state in (MASTERED, PRACTISED, SEEN)),
            ("ready", sum(dot.is_frontier for dot in dots)),
        ],
        "families": list(families.items()),
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
    across, down = WIDTH / drawing["width"], HEIGHT / drawing["height"]
    named = [item.concept.slug for item in standing if item.concept.slug in new]
    if here and here not in new:
        named.append(here)
    frontier = frontier_of(standing)
    spots = {
        slug: Spot(across * x, down * y, _radius(slug in new, slug == here or slug in frontier))
        for slug, (x, y) in drawing["nodes"].items()
    }
    lengths = {item.concept.slug: len(item.concept.title) for item in standing}
    lines = [[(across * x, down * y) for x, y in line] for *_, line in drawing["lines"]]
    sides = sides_of(spots, {slug: lengths[slug] for slug in named}, lines)
    if any(slug in new and slug not in sides for slug in named):
        sides = {slug: side for slug, side in sides.items() if slug not in new}  # all or none
    places = {
        slug: (round(100 * spot.x / WIDTH, 1), round(100 * spot.y / HEIGHT, 1))
        for slug, spot in spots.items()
    }
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


def _radius(is_new: bool, is_ringed: bool) -> float:
    if is_new:
        return NEW_RINGED if is_ringed else NEW
    return RINGED if is_ringed else PLAIN


def sides_of(
    spots: Mapping[str, Spot],
    letters: Mapping[str, int],
    lines: Sequence[Sequence[Point]] = (),
) -> dict[str, str]:
    """Return the side at which the name of each dot stands, nothing for one without room.

    `letters` has the lengths of the names to show. A name covers no dot and no other name, and is
    where it covers fewest of the lines. Names with fewer free sides are placed first.
    """
    free = {
        slug: [
            (sum(_crosses(line, box) for line in lines), side, box)
            for side in SIDES
            for box in [box_of(spots[slug], length, side)]
            if box.is_inside and not any(box.covers(spot) for spot in spots.values())
        ]
        for slug, length in letters.items()
    }
    sides: dict[str, str] = {}
    taken: list[Box] = []
    for slug, ways in sorted(free.items(), key=lambda item: len(item[1])):
        apart = [way for way in ways if not any(way[2].meets(box) for box in taken)]
        if apart:
            _, sides[slug], box = min(apart, key=itemgetter(0))
            taken.append(box)
    return sides


def box_of(spot: Spot, letters: int, side: str) -> Box:
    """Return what a name of so many letters covers at a side of its dot."""
    aside, down = SIDES[side]
    width, x, y = letters * LETTER, spot.x + aside, spot.y + down
    left = {"right": x, "left": x - width}.get(side, x - width / 2)
    return Box(left, y - HALF_LINE, left + width, y + HALF_LINE)


def _crosses(line: Sequence[Point], box: Box) -> bool:
    """Return whether a line passes through a name, by points along its parts."""
    return any(
        box.has((tail[0] + share * (head[0] - tail[0]), tail[1] + share * (head[1] - tail[1])))
        for tail, head in pairwise(line)
        for share in (0.0, 0.25, 0.5, 0.75, 1.0)
    )
