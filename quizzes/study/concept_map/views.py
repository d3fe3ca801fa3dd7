"""The concept map and its outline: the same states of concepts, drawn and listed."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from quizzes.concepts.files import Concept, StoredMap
from quizzes.concepts.layout import NODE_HEIGHT, NODE_WIDTH, path_down, title_lines
from quizzes.courses.addresses import PictureAddresses, step_picture
from quizzes.courses.content import Same
from quizzes.courses.current_course import in_course
from quizzes.courses.models import Course
from quizzes.learners.services import current_learner
from quizzes.lessons.services import step_picture_versions
from quizzes.study.concept_states import (
    MASTERED,
    PRACTISED,
    ConceptState,
    concept_states,
    frontier_of,
)
from quizzes.study.next_thing import Recommendation
from quizzes.study.recommendations import recommendation_for

LINE_HEIGHT = 18
FAMILY_HEIGHT = 19  # of a node, for the name of its family
TEXT_AT, PICTURE_WIDTH = 18, 72  # in a node: its words at the left, its picture at the right
LINE_WIDTH = 1.5
MARKS = {"mastered": "✓", "practised": "•", "seen": "·", "": ""}


@dataclass(frozen=True)
class MapNode:
    """One node of the drawing: its corner and its lines of text, each with its height."""

    standing: ConceptState
    x: float
    y: float
    lines: tuple[tuple[str, float], ...]
    focused: bool
    here: bool  # where the learner goes on
    is_frontier: bool
    picture: PictureAddresses | None

    @property
    def text_x(self) -> float:
        return self.x + TEXT_AT

    @property
    def picture_place(self) -> tuple[float, float]:
        """Return the upper left corner of its picture, inside its line."""
        return self.x + NODE_WIDTH - PICTURE_WIDTH - LINE_WIDTH, self.y + LINE_WIDTH

    @property
    def family_y(self) -> float:
        """Return the height of its family's name, or of “You are here”: at the top."""
        return self.y + 13

    @property
    def mark(self) -> tuple[str, float, float] | None:
        """Return the sign of its state and the place of the sign: at the top, by the picture."""
        sign = MARKS[self.standing.state]
        end = self.picture_place[0] if self.picture else self.x + NODE_WIDTH
        return (sign, end - 10, self.y + 13) if sign else None

    @property
    def says(self) -> str:
        """Return all that it shows, in words."""
        concept = self.standing.concept
        parts = [f"{concept.title}: {self.standing.words}", concept.family]
        parts.append("ready to learn" if self.is_frontier else "")
        parts.append("you are here" if self.here else "")
        return ", ".join(part for part in parts if part)


@dataclass(frozen=True)
class Pictures:
    """The versions of the small pictures of a course's steps, by "<lesson>/<step>"."""

    course: str
    steps: Same[Mapping[str, str]]

    def of(self, concepts: Iterable[Concept]) -> dict[str, PictureAddresses | None]:
        """Return the picture of each concept's first step with a figure that none before has.

        A picture that stands on several nodes says nothing about any of them.
        """
        free, pictures = dict(self.steps.it), dict[str, PictureAddresses | None]()
        for concept in concepts:
            own = next((path for path in concept.steps if path in free), None)
            if own is not None:
                pictures[concept.slug] = step_picture(self.course, own, free.pop(own))
        return pictures


@never_cache
@require_safe
@in_course
def concept_map(request: HttpRequest, course: Course) -> HttpResponse:
    """Draw the map; `?focus=<concept>` opens that one's details."""
    stored_map, standing = concept_states(course, current_learner(request))
    if stored_map is None:
        return render(request, "study/no_map.html")
    focus = request.GET.get("focus", "")
    unknown = focus if focus and focus not in stored_map.by_slug else ""
    opened = focus if focus in stored_map.by_slug else ""
    following = recommendation_for(request, course)
    here = concept_of(following, course, standing)
    pictures = Pictures(course.slug, Same(step_picture_versions(course.pk)))
    svg, details, families = _kept_map(
        standing, Same(stored_map), pictures, opened, here.slug if here else ""
    )
    context = {
        "unknown": unknown,
        "focus": opened,
        "focused": stored_map.by_slug.get(opened),
        "svg": svg,
        "outline": families,
        "details": details,
        "next": following,
    }
    return render(request, "study/map.html", context, status=404 if unknown else 200)


@lru_cache(maxsize=32)
def _kept_map(
    standing: tuple[ConceptState, ...],
    stored_map: Same[StoredMap],
    pictures: Pictures,
    focus: str,
    here: str,
) -> tuple[SafeString, SafeString, SafeString]:
    """Return drawing, details and outline by all that they show. Newcomers see the same map."""
    places, frontier = stored_map.it.drawing, frontier_of(standing)
    shown = pictures.of(stored_map.it.concepts)
    context = {
        "focus": focus,
        "drawing": places,
        "nodes": [
            _node(
                state,
                places,
                focused=state.concept.slug == focus,
                here=state.concept.slug == here,
                is_frontier=state.concept.slug in frontier,
                picture=shown.get(state.concept.slug),
            )
            for state in standing
        ],
        "lines": [
            {"from": tail, "to": head, "path": path_down(points, half_height=NODE_HEIGHT / 2)}
            for tail, head, points in places["lines"]
        ],
        "concept_states": standing,
        "here": here,
        "families": grouped(stored_map.it.families, standing),
        "size": {"width": NODE_WIDTH, "height": NODE_HEIGHT},
        "picture": {"width": PICTURE_WIDTH, "height": NODE_HEIGHT - 2 * LINE_WIDTH},
    }
    return (
        render_to_string("study/_drawing.html", context),
        render_to_string("study/_details.html", context),
        render_to_string("study/_families.html", context),
    )


@never_cache
@require_safe
@in_course
def outline(request: HttpRequest, course: Course) -> HttpResponse:
    """List every concept with all details that the map shows."""
    stored_map, standing = concept_states(course, current_learner(request))
    if stored_map is None:
        return render(request, "study/no_map.html")
    kept = _kept_list(standing, tuple(stored_map.families))
    return render(request, "study/outline.html", {"concepts": kept})


@lru_cache(maxsize=32)
def _kept_list(standing: tuple[ConceptState, ...], families: tuple[str, ...]) -> SafeString:
    context = {"families": grouped(families, standing)}
    return render_to_string("study/_outline.html", context)


def concept_of(
    following: Recommendation | None, course: Course, standing: Sequence[ConceptState]
) -> Concept | None:
    """Return the concept of a course's map that the next thing is about.

    Of several, the first that was not practised yet. None for reviews, for work of a class in
    another course and where all is done.
    """
    if following is None or following.course != course.slug:
        return None
    about = [state for state in standing if _is_about(state, following)] or [
        state for state in standing if following.lesson and state.home == following.lesson
    ]
    fresh = (state.concept for state in about if state.state not in {PRACTISED, MASTERED})
    return next(fresh, about[0].concept if about else None)


def _is_about(standing: ConceptState, following: Recommendation) -> bool:
    parts = {"step": standing.steps, "exercise": standing.exercises}.get(following.kind, ())
    return any(part.slug == following.slug for part in parts)


@dataclass(frozen=True)
class ConceptFamily:
    """The concepts of one family with this learner's states."""

    name: str
    number: int
    concepts: list[ConceptState]

    @property
    def done(self) -> int:
        return sum(concept.state == "mastered" for concept in self.concepts if concept.counts)

    @property
    def total(self) -> int:
        return sum(concept.counts for concept in self.concepts)


def grouped(families: Sequence[str], standing: Sequence[ConceptState]) -> list[ConceptFamily]:
    """Return the concepts by family, those without one last; a map without families is one."""
    groups = [
        ConceptFamily(name, number, [one for one in standing if one.concept.family == name])
        for number, name in enumerate(families, 1)
    ]
    others = [one for one in standing if not one.concept.family]
    return [*groups, ConceptFamily("", 0, others)] if others else groups


def _node(
    standing: ConceptState,
    drawing: dict[str, Any],
    *,
    focused: bool,
    here: bool,
    is_frontier: bool,
    picture: PictureAddresses | None,
) -> MapNode:
    x, y = drawing["nodes"][standing.concept.slug]
    titles = title_lines(standing.concept.title) or [standing.concept.title]
    middle = y + FAMILY_HEIGHT / 2 if standing.concept.family or here else y
    first = middle - (len(titles) - 1) * LINE_HEIGHT / 2
    lines = tuple((text, first + index * LINE_HEIGHT) for index, text in enumerate(titles))
    corner = x - NODE_WIDTH / 2, y - NODE_HEIGHT / 2
    return MapNode(standing, *corner, lines, focused, here, is_frontier, picture)
