"""The fields of a quiz's file."""

from decimal import Decimal
from typing import Annotated, ClassVar

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Discriminator,
    Field,
    Tag,
    TypeAdapter,
    WithJsonSchema,
)

from quizzes.assessment.models.questions import MAX_TAG
from quizzes.content_files.declaration import Declaration, Expected, Slug, Text
from quizzes.content_files.renamed_from import FormerSlugs
from quizzes.content_files.yaml_nodes import Node
from quizzes.pages.text_rules import MARKDOWN, PLAIN

MAX_TITLE = 200
MAX_PROSE = 4000
MAX_QUESTIONS = 50
MAX_POINTS = 1000

Prose = Annotated[str, Field(min_length=1, max_length=MAX_PROSE), MARKDOWN]


def _cents(points: float) -> float:
    number = Decimal(str(points))
    if number != round(number, 2):
        raise ValueError(points)
    return points


Points = Annotated[
    float,
    Field(gt=0, le=MAX_POINTS),
    AfterValidator(_cents),
    Expected(f"a number above 0 and up to {MAX_POINTS}, with at most two decimals"),
]


class QuizQuestion(Declaration):
    """A question that is worth more or less than one point."""

    prefix: ClassVar[str] = "questions"
    slug: Text
    points: Points = 1.0


class QuizPool(Declaration):
    """Questions that each attempt draws from those with a tag."""

    prefix: ClassVar[str] = "questions"
    draw: Annotated[int, Field(ge=1, le=MAX_QUESTIONS)] = Field(description="How many.")
    tag: Annotated[str, Field(min_length=1, max_length=MAX_TAG)]
    points: Points = 1.0  # of each


OF_SLUG = WithJsonSchema(TypeAdapter(Slug).json_schema())


def _kind_of(item: Node) -> str:
    if not isinstance(item.value, dict):
        return "name"
    return "pool" if item.at("draw").exists or item.at("tag").exists else "question"


def _name(item: Node) -> str:
    return str(item.value)


Place = Annotated[
    Annotated[str, BeforeValidator(_name), OF_SLUG, Tag("name")]
    | Annotated[QuizQuestion, Tag("question")]
    | Annotated[QuizPool, Tag("pool")],
    Discriminator(_kind_of),
]


class QuizFile(Declaration):
    """A quiz."""

    title: Annotated[Text, Field(max_length=MAX_TITLE), PLAIN]
    summary: Prose
    renamed_from: FormerSlugs = Field((), description="The names that it had before.")
    shuffle: bool = Field(False, description="Whether each attempt has an order of its own.")
    class_only: bool = Field(False, description="Whether only classes that are assigned it see it.")
    questions: Annotated[tuple[Place, ...], Field(min_length=1)]
