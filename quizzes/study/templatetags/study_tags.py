"""Template tags of what a learner does next, for the frame and for the pages of other rooms."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django import template
from django.utils.safestring import SafeString

from quizzes.courses.models import Course
from quizzes.learners.identity import LEARNER
from quizzes.learners.services import current_learner
from quizzes.lessons.course_lessons import course_lessons
from quizzes.lessons.models import Step
from quizzes.lessons.services import progress_in
from quizzes.study.concept_states import MASTERED, concept_states, lesson_states
from quizzes.study.map_views import concept_of
from quizzes.study.next_thing import Recommendation
from quizzes.study.own_answers import answered_questions
from quizzes.study.recommendations import recommendation_for
from quizzes.study.small_map import small_map

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


@dataclass(frozen=True)
class FinishedLesson:
    """A lesson that was read to its end: first answers right, of how many, and what is mastered.

    `deeper` are its steps off the path, which somebody may want to read now.
    """

    title: str
    right: int
    answered: int
    mastered: list[str]
    deeper: list[Step]

    @property
    def number(self) -> str:
        """Say how many were right; nothing where none was, which is no number to be glad of."""
        return f"{self.right} of {self.answered}" if self.right else ""


@register.simple_tag(takes_context=True)
def finished_lesson(context: dict[str, Any]) -> FinishedLesson | None:
    """Return the lesson that the page's address says was finished, if all of it is read."""
    request, course = context["request"], context["course"]
    slug, learner = request.GET.get("finished", ""), current_learner(request)
    if not slug or learner is None:
        return None
    lesson = next((one for one in course_lessons(course) if one.slug == slug), None)
    if lesson is None:
        return None
    if not progress_in(learner=learner, lessons=[lesson])[lesson.pk].complete:
        return None
    rows = answered_questions(course, learner)
    answers = [answer.is_right for answer in rows if answer.step.startswith(f"{slug}/")]
    states = concept_states(course, learner)[1]
    mastered = [
        one.concept.title
        for one in states
        if one.state == MASTERED and any(step.slug.startswith(f"{slug}/") for step in one.steps)
    ]
    right, answered = answers.count(True), len(answers)
    return FinishedLesson(lesson.title, right, answered, mastered, lesson.deeper_steps)


@register.simple_tag(takes_context=True, name="small_map")
def small_map_tag(
    context: dict[str, Any],
    course: Course | None = None,
    new: Collection[str] = (),
    here: str | None = None,
) -> SafeString:
    """Return the concept map drawn small, with this learner's states; "" for a course without one.

    `{% small_map %}`, `{% small_map new=slugs %}`, `{% small_map course=home here="rope" %}`

    `course` is that of the page unless given. `new` has the slugs of concepts lit just now: they
    are large and named, and lead to their details. `here` is the slug of the next concept: by
    itself that of the next thing, as on the map; "" shows none. Its caption says how many are
    mastered, what is new and what is next, so the page need not. It is as wide as its parent, from
    240 to 960 px, and needs no script. Queries: those of `concept_states`, which a page reads once.
    """
    request, course = context["request"], course or context["course"]
    standing = concept_states(course, current_learner(request))[1]
    if here is None:
        concept = concept_of(recommendation_for(request, course), course, standing)
        here = concept.slug if concept is not None else ""
    return small_map(course, standing, new=new, here=here)


@register.simple_tag(takes_context=True)
def mastered_by_lesson(context: dict[str, Any]) -> dict[str, str]:
    """Return by lesson in words how many of its concepts are mastered; none for a newcomer."""
    request = context["request"]
    learner = current_learner(request)
    if learner is None:
        return {}
    counts = lesson_states(context["course"], learner)
    return {slug: f"{mastered} of {total}" for slug, (mastered, total) in counts.items()}


@register.filter
def of_lesson(words: dict[str, str], slug: str) -> str:
    """Return the message about one lesson, "" for none."""
    return words.get(slug, "")
