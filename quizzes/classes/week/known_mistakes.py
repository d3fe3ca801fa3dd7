"""What a course says of its known mistakes: the sentence, the step, the requirement, the file."""

from collections.abc import Collection
from dataclasses import dataclass

from quizzes.courses.models import Course
from quizzes.exercises.models import Exercise
from quizzes.grader.api import DefinitionError
from quizzes.grader.judge import RESERVED_MISTAKES


@dataclass(frozen=True)
class MistakeFacts:
    """A known mistake as the version of its exercise that is asked now tells it.

    `name` is "<exercise>/<known mistake>". `is_there`: whether that version has it, as a file or
    built in. `version` is None where the exercise has none.
    """

    name: str
    title: str = ""
    version: int | None = None
    sentence: str = ""
    step: str = ""
    breaks: str = ""
    kind: str = "mistake"
    is_there: bool = False
    is_built_in: bool = False

    @property
    def exercise(self) -> str:
        return self.name.partition("/")[0]

    @property
    def slug(self) -> str:
        return self.name.partition("/")[2]

    @property
    def words(self) -> str:
        """Return the sentence, or the name of a mistake of which nothing is said any more."""
        return self.sentence or self.slug

    @property
    def file(self) -> str:
        """Return the file of the variant in the folder of the course, "" for a built-in one."""
        return "" if self.is_built_in else f"exercises/{self.exercise}/wrong/{self.slug}.py"


def mistake_facts(course: Course, names: Collection[str]) -> dict[str, MistakeFacts]:
    """Return what is said of these mistakes, by name. One query."""
    exercises = {name.partition("/")[0] for name in names}
    if not exercises:
        return {}
    rows = Exercise.objects.filter(course=course, slug__in=exercises, current__isnull=False)
    found = {one.slug: one for one in rows.select_related("current")}
    return {name: _facts(name, found.get(name.partition("/")[0])) for name in names}


def _facts(name: str, exercise: Exercise | None) -> MistakeFacts:
    slug = name.partition("/")[2]
    built_in = RESERVED_MISTAKES.get(slug)
    if exercise is None or exercise.current is None:
        return MistakeFacts(name, is_built_in=built_in is not None)
    version = exercise.current
    try:
        variant = version.definition.wrong.get(slug)
    except DefinitionError:
        variant = None
    said = variant or built_in
    if said is None:
        return MistakeFacts(name, version.title, version.number, step=version.step)
    return MistakeFacts(
        name=name,
        title=version.title,
        version=version.number,
        sentence=said.sentence,
        step=said.step or version.step,
        breaks=said.breaks,
        kind=said.kind,
        is_there=True,
        is_built_in=variant is None,
    )
