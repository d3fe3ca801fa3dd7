"""The fields of course.yaml and lesson.yaml."""

from typing import Annotated

from pydantic import AfterValidator, Field

from quizzes.content_files.dated import Day
from quizzes.content_files.declaration import Declaration, OneOf, OptionalText, Slug, Text
from quizzes.content_files.renamed_from import FormerSlugs, FormerSteps
from quizzes.lessons.models import Lesson
from quizzes.pages.text_rules import PLAIN

MAX_TITLE = 200


def _secure(url: str) -> str:
    if not url.startswith("https://"):
        raise ValueError(f"{url!r}: must start with https://")
    return url


Title = Annotated[str, Field(min_length=1, max_length=MAX_TITLE), PLAIN]
Summary = Annotated[Text, PLAIN]


class WorkFields(Declaration):
    """A work that steps name as their source."""

    text: Text = Field(description="Authors, year and title, as a step's list of sources has it.")
    url: Annotated[Text, AfterValidator(_secure)] = Field(
        description="Where it can be read.", json_schema_extra={"pattern": "^https://"}
    )


class CourseFile(Declaration):
    """A course: its title and summary, its lessons in order, and the works that they name."""

    title: Title
    summary: Summary
    lessons: tuple[Annotated[str, Field(min_length=1)], ...] = Field(
        description="The folders below lessons/, in the order in which learners meet them."
    )
    sources: dict[str, WorkFields] = Field(description="The works that steps name, by a short key.")


class StepSourceFields(Declaration):
    """A work that a step is based on."""

    work: Text = Field(description="Its key in course.yaml.")
    where: OptionalText = Field("", description="The section or page in it.")


class StepFields(Declaration):
    """One step; its text is steps/NN-<slug>.md."""

    slug: Slug
    title: Title
    going_deeper: bool = Field(False, description="Whether it comes after the end of the lesson.")
    as_of: Day = Field("", description="The day on which its facts were compared with sources.")
    renamed_from: FormerSteps = Field((), description="The names that it had before.")
    sources: Annotated[tuple[StepSourceFields, ...], Field(min_length=1)]


class LessonFile(Declaration):
    """A lesson."""

    title: Title
    summary: Summary
    form: Annotated[str, OneOf(tuple(Lesson.Form.values))] = Lesson.Form.STEPS.value
    renamed_from: FormerSlugs = Field((), description="The names that it had before.")
    prerequisites: tuple[Annotated[str, Field(min_length=1)], ...] = Field(
        (), description="What to know before, in a line each."
    )
    steps: Annotated[tuple[StepFields, ...], Field(min_length=1)]
