"""What a course says of its known mistakes: the sentence, the step, the requirement, the file."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from quizzes.assessment.models import Question
from quizzes.assessment.question_drafts import content_of, named_mistakes
from quizzes.courses.content import cached_content
from quizzes.courses.models import Course, OldName
from quizzes.courses.old_names import new_names
from quizzes.exercises.models import Exercise
from quizzes.grader.api import DefinitionError
from quizzes.grader.judge import BUILT_IN_MISTAKES, RESERVED_MISTAKES


@dataclass(frozen=True)
class MistakeFacts:
    """A known mistake as the version of its exercise that is asked now tells it.

    `name` is "<exercise>/<known mistake>". `does`: the sentence without what is right, where its
    file has the two apart. `is_there`: whether that version has it, as a file or built in.
    `version` is None where the exercise has none.
    """

    name: str
    title: str = ""
    version: int | None = None
    sentence: str = ""
    does: str = ""
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
    """Return the facts about these mistakes, by name. One query."""
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
        does=variant.header.does if variant else "",
        step=said.step or version.step,
        breaks=said.breaks,
        kind=said.kind,
        is_there=True,
        is_built_in=variant is None,
    )


@cached_content
def _course_mistakes(course: int) -> Mapping[str, MistakeFacts]:
    """Return those of every exercise that learners meet, by name, in the order of the course."""
    rows = Exercise.objects.filter(course=course, current__isnull=False, withdrawn_at=None)
    return {
        name: _facts(name, exercise)
        for exercise in rows.select_related("current").order_by("place", "slug")
        for name in (f"{exercise.slug}/{slug}" for slug in _slugs_of(exercise))
    }


def _slugs_of(exercise: Exercise) -> list[str]:
    try:
        variants = list(exercise.current.definition.wrong) if exercise.current else []
    except DefinitionError:
        variants = []
    return [*variants, *BUILT_IN_MISTAKES]


def mistakes_to_choose(question: Question) -> dict[str, MistakeFacts]:
    """Return the known mistakes that an answer to this question may stand for, by name.

    They are those of the exercises that learners meet, in the order of the course, and those that
    the published version names, whatever became of their exercise. At most four queries.
    """
    found = dict(_course_mistakes(question.course_id))
    content = content_of(question.current) if question.current else {}
    former = {name for _, name in named_mistakes(content)} - {"", *found}
    if former:
        exercises = {name.partition("/")[0] for name in former}
        renamed = new_names(question.course, OldName.Kind.EXERCISE, exercises)
        now = {name: _with_new_name(name, renamed) for name in former}
        facts = mistake_facts(question.course, set(now.values()))
        found |= {name: facts[now[name]] for name in sorted(former)}
    return found


def _with_new_name(name: str, renamed: Mapping[str, str]) -> str:
    exercise, _, slug = name.partition("/")
    return f"{renamed.get(exercise, exercise)}/{slug}"
