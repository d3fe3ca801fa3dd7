"""The list of exercises, in the order of the course, and what it says of each in two lines."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from django.utils.safestring import SafeString

from quizzes.courses.addresses import PictureAddresses, lesson_picture
from quizzes.courses.models import Course, OldName
from quizzes.courses.old_names import new_names
from quizzes.exercises.models import Exercise, ExerciseVersion
from quizzes.exercises.page_context import Card, card_of
from quizzes.grader.definitions import ExerciseDefinition
from quizzes.pages.course_links import with_course_links
from quizzes.pages.course_order import CoursePlace, places
from quizzes.pages.families import Family, families
from quizzes.pages.markdown import render_markdown
from quizzes.pages.sentences import beginning_of

LONGEST_TASK = 150  # characters; a list is read across
LIBRARIES = {"numpy": "NumPy", "torch": "PyTorch"}

_SUMMARIES: dict[str, "Summary"] = {}  # by hash of the files: a version never changes
ELSEWHERE = "More"


@dataclass(frozen=True)
class Summary:
    """What is asked, as HTML, and with what it is answered, as "a function, NumPy"."""

    task: SafeString
    written_with: str


def summaries(versions: Iterable[ExerciseVersion]) -> Mapping[int, Summary]:
    """Return a list's facts of each version, by its key: one query for all that are new here."""
    asked = list(versions)
    new = [one.pk for one in asked if one.content_hash not in _SUMMARIES]
    if new:
        for version in ExerciseVersion.objects.filter(pk__in=new).select_related("exercise"):
            _SUMMARIES[version.content_hash] = _summary_of(version.definition)
    return {one.pk: _SUMMARIES[one.content_hash] for one in asked}


def _summary_of(definition: ExerciseDefinition) -> Summary:
    paragraph = definition.statement.strip().split("\n\n", 1)[0].replace("\n", " ")
    library = LIBRARIES.get(definition.library, definition.library)
    return Summary(
        task=render_markdown(beginning_of(paragraph, LONGEST_TASK)),
        written_with=f"a {definition.kind}, {library}",
    )


@dataclass(frozen=True)
class Group:
    """The exercises of one lesson; `title` is "" when nothing is known of lessons."""

    title: str
    family: Family | None
    picture: PictureAddresses | None
    cards: tuple[tuple[Card, Summary], ...]

    @property
    def solved(self) -> int:
        return sum(card.state == "done" for card, _ in self.cards)


def group_exercises(
    course: Course, exercises: Iterable[Exercise], states: dict[str, str]
) -> list[Group]:
    """Return groups of cards; an exercise whose step is not read anywhere comes last."""
    shown = [(one, one.current) for one in exercises if one.current is not None]
    about = summaries(version for _, version in shown)
    steps = places(course.pk)
    known = {place.step: (number, place.lesson) for number, place in enumerate(steps)}
    strangers = {version.step for _, version in shown} - known.keys() - {""}
    moved = new_names(course, OldName.Kind.STEP, strangers) if strangers and known else {}
    found: dict[str, list[tuple[int, tuple[Card, Summary]]]] = {}
    for exercise, version in shown:
        card = card_of(exercise, states.get(exercise.slug, ""))
        step = moved.get(version.step, version.step)
        number, lesson = known.get(step, (len(known), ELSEWHERE if known else ""))
        said = about[version.pk]
        said = replace(said, task=with_course_links(said.task, course.slug))
        found.setdefault(lesson, []).append((number, (card, said)))
    ordered = sorted(found.items(), key=lambda item: min(number for number, _ in item[1]))
    family_of = families(course.pk)
    of_lesson = {place.lesson: place for place in steps}
    return [
        Group(
            title,
            *_signs(course, of_lesson.get(title), family_of),
            tuple(card for _, card in sorted(cards, key=lambda pair: pair[0])),
        )
        for title, cards in ordered
    ]


def _signs(
    course: Course, place: CoursePlace | None, family_of: Mapping[str, Family]
) -> tuple[Family | None, PictureAddresses | None]:
    """Return the family and the small picture of a lesson."""
    if place is None:
        return None, None
    picture = lesson_picture(course.slug, place.slug, place.picture)
    return family_of.get(place.slug), picture
