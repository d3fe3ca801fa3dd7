"""The names that a thing of a course had before: `renamed_from`, a list in its file.

Learners' work is kept under names, and addresses hold names. A file that says how its thing was
called before keeps both: the load moves the work, and the old address leads on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

from pydantic import Field

from quizzes.content_files.declaration import Expected
from quizzes.content_files.fields import SLUG, is_slug
from quizzes.content_files.problems import ContentProblem
from quizzes.content_files.yaml_nodes import Node

FIELD = "renamed_from"
FormerSlugs = tuple[Annotated[str, Field(pattern=f"^{SLUG.pattern}$"), Expected("a slug")], ...]
FormerSteps = tuple[
    Annotated[
        str,
        Field(pattern=f"^({SLUG.pattern}/)?{SLUG.pattern}$"),
        Expected("a slug, or <lesson>/<step>"),
    ],
    ...,
]


@dataclass(frozen=True)
class FormerName:
    """One name from before, with the place of a fault about it."""

    name: str
    place: ContentProblem

    def problem(self, words: str) -> ContentProblem:
        return replace(self.place, message=f"{FIELD}: {self.name!r}: {words}")


def former_names(fields: Node, *, lesson: str = "") -> tuple[FormerName, ...]:
    """Return the names in the field `renamed_from` of a mapping, without those that are no names.

    `lesson`: that of a step, whose former names are steps of the same lesson, or "lesson/step".
    """
    found = []
    for item in fields.at(FIELD).items():
        parts = item.value.split("/") if isinstance(item.value, str) else [""]
        if all(map(is_slug, parts)) and len(parts) <= (2 if lesson else 1):
            whole = "/".join((lesson, *parts)[-2:] if lesson else parts)
            found.append(FormerName(whole, item.problem("")))
    return tuple(found)
