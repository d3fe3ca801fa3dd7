"""What a course has by name, and which of its things name steps of a lesson.

Texts of authors name steps, and so do questions, exercises and the map. A course read from files
has each of them; here they are asked of the database, since one thing alone is published.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from quizzes.assessment.models import Option, Question, Quiz
from quizzes.concepts.models import ConceptMap
from quizzes.courses.addresses import Thing
from quizzes.courses.models import Course
from quizzes.courses.text_links import links_in, thing_linked
from quizzes.exercises.models import Exercise
from quizzes.lessons.models import Lesson, Picture
from quizzes.lessons.plots.plot_header import PlotHeader
from quizzes.lessons.plots.store import headers_in

NAMED = {
    "lesson": "lessons",
    "step": "steps",
    "question": "questions",
    "quiz": "quizzes",
    "exercise": "exercises",
    "picture": "pictures",
    "plot": "plots",
}


@dataclass(frozen=True)
class CourseNames:
    """The names of what learners of a course meet, by kind; each kind is one query."""

    course: Course

    def has(self, kind: str, slug: str) -> bool:
        """Return whether there is such a thing; of kinds without names there is."""
        return kind not in NAMED or slug in getattr(self, NAMED[kind])

    @cached_property
    def steps(self) -> list[str]:
        """Return "lesson/step" of every step, in order."""
        rows = Lesson.objects.filter(course=self.course, withdrawn_at=None, steps__isnull=False)
        named = rows.order_by("number", "steps__number").values_list("slug", "steps__slug")
        return [f"{lesson}/{step}" for lesson, step in named]

    @cached_property
    def lessons(self) -> set[str]:
        """Return the lessons that have steps: all that were ever published."""
        return {path.partition("/")[0] for path in self.steps}

    @cached_property
    def questions(self) -> list[str]:
        rows = Question.objects.available().filter(course=self.course)
        return list(rows.order_by("slug").values_list("slug", flat=True))

    @cached_property
    def quizzes(self) -> list[str]:
        rows = Quiz.objects.filter(course=self.course).open().order_by("slug")
        return list(rows.values_list("slug", flat=True))

    @cached_property
    def exercises(self) -> list[str]:
        rows = Exercise.objects.filter(course=self.course, current__isnull=False, withdrawn_at=None)
        return list(rows.values_list("slug", flat=True))

    @cached_property
    def pictures(self) -> list[str]:
        rows = Picture.objects.filter(course=self.course, withdrawn_at=None).order_by("slug")
        return list(rows.values_list("slug", flat=True))

    @cached_property
    def plots(self) -> Mapping[str, PlotHeader]:
        """Return the headers of plots by name."""
        return headers_in(self.course)


@dataclass(frozen=True)
class StepUser:
    """A thing of the course that names a step, or a lesson, and the name."""

    named: Thing
    words: str  # "question why-scale"


def users_of(course: Course, lesson: str, steps: Collection[str]) -> list[StepUser]:
    """Return what else in the course names these steps of a lesson, each user once.

    `steps` are slugs; with "" also what leads to the lesson itself. Texts of the lesson are not
    among them. Nine queries at most.
    """
    things = {Thing("step", f"{lesson}/{step}") for step in steps if step}
    if "" in steps:
        things.add(Thing("lesson", lesson))
    named = [user for user in _named_in_fields(course) if user.named in things]
    linked = (
        StepUser(thing, words)
        for words, text in _texts(course, lesson)
        for _, target in links_in(text)
        if (thing := thing_linked(target, course.slug)) in things and thing is not None
    )
    return list(dict.fromkeys([*named, *linked]))


def _named_in_fields(course: Course) -> Iterator[StepUser]:
    asked = Question.objects.available().filter(course=course).exclude(current__step="")
    for slug, step in asked.order_by("slug").values_list("slug", "current__step"):
        yield StepUser(Thing("step", step), f"question {slug}")
    for exercise in _exercises(course):
        assert exercise.current is not None
        definition = exercise.current.definition
        wrong = (variant.step for variant in definition.wrong.values())
        for step in filter(None, (definition.step, *wrong)):
            yield StepUser(Thing("step", step), f"exercise {exercise.slug}")
    for concepts in ConceptMap.objects.filter(course=course).values_list("concepts", flat=True):
        for concept in concepts:
            for step in concept.get("steps", ()):
                yield StepUser(Thing("step", step), f"map.yaml, concept {concept['slug']}")


def _exercises(course: Course) -> Iterator[Exercise]:
    there = Exercise.objects.filter(course=course, current__isnull=False, withdrawn_at=None)
    yield from there.select_related("current")


def _texts(course: Course, but: str) -> Iterator[tuple[str, str]]:
    """Yield the texts of a course except those of one lesson, each with words for its place."""
    lessons = Lesson.objects.filter(course=course, withdrawn_at=None).exclude(slug=but)
    for lesson in lessons.prefetch_related("steps"):
        yield f"lesson {lesson.slug}, what to know before", "\n".join(lesson.prerequisites)
        for step in lesson.steps.all():
            yield f"step {lesson.slug}/{step.slug}", step.text
    questions = Question.objects.available().filter(course=course).select_related("current")
    for question in questions.order_by("slug"):
        assert question.current is not None
        answer = question.current.answer or {}
        reasons = [str(part.get("reason", "")) for part in (answer, *answer.get("near", ()))]
        yield f"question {question.slug}", "\n".join([question.current.prompt, *reasons])
    options = Option.objects.filter(version__in=questions.values("current"), instance=None)
    for slug, text, reason in options.values_list("version__question__slug", "text", "reason"):
        yield f"question {slug}", f"{text} {reason}"
    for slug, summary in Quiz.objects.filter(course=course).open().values_list("slug", "summary"):
        yield f"quiz {slug}", summary
    for exercise in _exercises(course):
        assert exercise.current is not None
        yield f"exercise {exercise.slug}", exercise.current.definition.statement
