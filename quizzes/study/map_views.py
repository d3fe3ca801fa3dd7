"""The concept map and its outline: the same states of concepts, drawn and listed."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from quizzes.concepts.layout import NODE_HEIGHT, NODE_WIDTH, path_down, title_lines
from quizzes.courses.current_course import in_course
from quizzes.courses.models import Course
from quizzes.learners.services import current_learner
from quizzes.study.concept_states import ConceptState, concept_states

LINE_HEIGHT = 18
MARKS = {"mastered": "✓", "practised": "•", "seen": "·", "": ""}


@dataclass(frozen=True)
class MapNode:
    """One node of the drawing: its corner and its lines of text, each with its height."""

    standing: ConceptState
    x: float
    y: float
    lines: tuple[tuple[str, float], ...]
    focused: bool

    @property
    def middle(self) -> float:
        return self.x + NODE_WIDTH / 2

    @property
    def mark(self) -> tuple[str, float, float] | None:
        """Return the sign of its state and the place of the sign: the upper right corner."""
        sign = MARKS[self.standing.state]
        return (sign, self.x + NODE_WIDTH - 14, self.y + 14) if sign else None


@never_cache
@require_safe
@in_course
def concept_map(request: HttpRequest, course: Course) -> HttpResponse:
    """Draw the map; `?focus=<concept>` opens that one's details."""
    found, standing = concept_states(course, current_learner(request))
    if found is None:
        return render(request, "study/no_map.html")
    focus = request.GET.get("focus", "")
    unknown = focus if focus and focus not in found.by_slug else ""
    here = focus if focus in found.by_slug else ""
    context = {
        "unknown": unknown,
        "focus": here,
        "drawing": found.drawing,
        "nodes": [_node(one, found.drawing, focused=one.concept.slug == here) for one in standing],
        "lines": [
            {"from": tail, "to": head, "path": path_down(points, half_height=NODE_HEIGHT / 2)}
            for tail, head, points in found.drawing["lines"]
        ],
        "concept_states": standing,
        "begin": next((one.concept for one in standing if one.state != "mastered"), None),
        "node": {"width": NODE_WIDTH, "height": NODE_HEIGHT},
    }
    return render(request, "study/map.html", context, status=404 if unknown else 200)


@never_cache
@require_safe
@in_course
def outline(request: HttpRequest, course: Course) -> HttpResponse:
    """List every concept with all details that the map shows."""
    found, standing = concept_states(course, current_learner(request))
    if found is None:
        return render(request, "study/no_map.html")
    return render(request, "study/outline.html", {"concept_states": standing})


def _node(standing: ConceptState, drawing: dict[str, Any], *, focused: bool) -> MapNode:
    x, y = drawing["nodes"][standing.concept.slug]
    titles = title_lines(standing.concept.title) or [standing.concept.title]
    first = y - (len(titles) - 1) * LINE_HEIGHT / 2
    lines = tuple((text, first + index * LINE_HEIGHT) for index, text in enumerate(titles))
    return MapNode(standing, x - NODE_WIDTH / 2, y - NODE_HEIGHT / 2, lines, focused)
