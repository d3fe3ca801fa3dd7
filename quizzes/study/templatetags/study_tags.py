"""Template tags of what a learner does next and has just done, for pages of other rooms too."""

from collections.abc import Collection
from typing import Any

from django import template
from django.utils.safestring import SafeString

from quizzes.courses.addresses import figure_address
from quizzes.courses.models import Course
from quizzes.exercises.models import Exercise
from quizzes.exercises.page_context import FIGURE
from quizzes.exercises.runs.code_figure import initial_selection, texts_of, usable_figure
from quizzes.learners.identity import LEARNER
from quizzes.learners.services import current_learner
from quizzes.lessons.explorer_address import address_of
from quizzes.study.code_figures.controls import PREFIX, sliders_of
from quizzes.study.code_figures.views import stand_of, why_no_reference
from quizzes.study.concept_map.small_map import small_map
from quizzes.study.concept_map.views import concept_of
from quizzes.study.concept_states import concept_states
from quizzes.study.endings.facts import exercise_facts, lesson_facts, quiz_facts
from quizzes.study.endings.rules import Ending, ending_of
from quizzes.study.next_thing import Recommendation
from quizzes.study.recommendations import recommendation_for

register = template.Library()


@register.simple_tag(takes_context=True)
def next_thing(context: dict[str, Any]) -> Recommendation | None:
    """Return the next thing for this learner in the course of the page, else in the home course.

    None for a newcomer, and on error pages that are drawn without a request or a database.
    """
    request = context.get("request")
    if request is None or context.get("accountless") or not LEARNER.get(request):
        return None
    course = context.get("course")
    # Of a page without a course it is the home course, which is read when it is asked for.
    return recommendation_for(request, course if type(course) is Course else None)


@register.simple_tag(takes_context=True)
def lesson_ending(context: dict[str, Any]) -> Ending | None:
    """Return the ending of the lesson that the page's address says was finished, if it is read."""
    slug, learner = context["request"].GET.get("finished", ""), current_learner(context["request"])
    if not slug or learner is None:
        return None
    facts = lesson_facts(context["course"], learner, slug)
    return ending_of(facts, next_thing(context)) if facts is not None else None


@register.simple_tag(takes_context=True)
def quiz_ending(context: dict[str, Any]) -> Ending:
    """Return the ending of the attempt that a page shows the review of."""
    course, learner = context["course"], context["attempt"].learner
    facts = quiz_facts(course, learner, context["questions"], context["minutes"])
    return ending_of(facts, next_thing(context))


@register.simple_tag(takes_context=True)
def exercise_ending(context: dict[str, Any]) -> Ending:
    """Return the ending of an exercise that the submission of a page solved."""
    course, learner = context["course"], current_learner(context["request"])
    assert learner is not None  # whose submission it is
    number, label = context["solved_with"], context["solved_label"]
    facts = exercise_facts(course, learner, context["submission"], number, label)
    return ending_of(facts, next_thing(context))


@register.inclusion_tag("study/_code_figure.html", takes_context=True)
def code_figure(context: dict[str, Any], exercise: Exercise) -> dict[str, Any]:
    """Show the figure on which what a learner's code returns is drawn; "" without one.

    Its sliders stand where they stood in the batch from which a learner comes back.
    """
    figure = usable_figure(exercise.current.definition) if exercise.current else None
    if figure is None:
        return {"figure": None}
    start, slider = initial_selection(figure), ""
    if (came_from := context.get("came_from", "")).startswith(FIGURE):
        start, slider = stand_of(context["request"], exercise, came_from) or (start, slider)
    why_not = why_no_reference(context["request"], exercise, state=context.get("solution"))
    data = start.compute()
    sliders = sliders_of(figure, start)
    return {
        "figure": figure,
        "id": PREFIX,
        "sliders": sliders,
        "names": [control.name for control in sliders],
        "along": slider,
        "shown": texts_of(start),
        "module": f"figures/views/{start.view.in_page}",
        "kind": data.kind,
        "encoding": start.entry.title,
        "view": start.view.title,
        "explorer": "" if why_not else address_of([f"{start.entry.slug}/{start.view.slug}"]),
        "address": figure_address(exercise.course.slug, exercise.slug),
    }


@register.simple_tag(takes_context=True, name="small_map")
def small_map_tag(
    context: dict[str, Any],
    course: Course | None = None,
    new: Collection[str] = (),
    here: str | None = None,
    words: str = "New",
) -> SafeString:
    """Return the concept map drawn small, with this learner's states; "" for a course without one.

    `{% small_map %}`, `{% small_map new=slugs %}`, `{% small_map course=home here="rope" %}`

    `course` is that of the page unless given. `new` has the slugs of concepts lit just now: they
    are large, named where all have room, and lead to their details; `words` says what they are,
    "" where the page names them. `here` is the slug of the next concept: by itself that of the next
    thing, as on the map; "" shows none. Its caption says how many are mastered, what is new and
    what is next, so the page need not. It is as wide as its parent, from 240 to 960 px, and needs
    no script. Queries: those of `concept_states`, which a page reads once.
    """
    request, course = context["request"], course or context["course"]
    standing = concept_states(course, current_learner(request))[1]
    if here is None:
        concept = concept_of(recommendation_for(request, course), course, standing)
        here = concept.slug if concept is not None else ""
    return small_map(course, standing, new=new, here=here, words=words)
