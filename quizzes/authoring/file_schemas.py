"""JSON schemas of the YAML files of a course, for the editors of their authors.

They are made from the declarations by which the files are read. What a schema cannot see, such as
whether a step exists, check_content says.
"""

from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter

from quizzes.assessment.question_fields import OF_KIND, GeneratedQuestion
from quizzes.assessment.quiz_fields import QuizFile
from quizzes.concepts.files import MapFile
from quizzes.content_files.declaration import Declaration
from quizzes.grader.definitions import ExerciseFile
from quizzes.lessons.lesson_fields import CourseFile, LessonFile

DIALECT = "https://json-schema.org/draft/2020-12/schema"
# The files that each kind is, as editors look for them, and their declarations: a file obeys one.
FILES: Mapping[str, tuple[str, tuple[type[Declaration], ...]]] = {
    "course": ("course.yaml", (CourseFile,)),
    "lesson": ("lessons/*/lesson.yaml", (LessonFile,)),
    "question": ("questions/*/question.yaml", (*OF_KIND.values(), GeneratedQuestion)),
    "quiz": ("quizzes/*.yaml", (QuizFile,)),
    "exercise": ("exercises/*/exercise.yaml", (ExerciseFile,)),
    "map": ("map.yaml", (MapFile,)),
}


def schema_of(kind: str) -> dict[str, Any]:
    """Return the JSON schema of the files of a kind, which is a key of `FILES`."""
    _, declarations = FILES[kind]
    schemas = [TypeAdapter(declaration).json_schema() for declaration in declarations]
    if len(schemas) == 1:
        return {"$schema": DIALECT, **schemas[0]}
    parts = {name: part for schema in schemas for name, part in schema.pop("$defs", {}).items()}
    return {"$schema": DIALECT, "title": kind, "anyOf": schemas, "$defs": parts}
