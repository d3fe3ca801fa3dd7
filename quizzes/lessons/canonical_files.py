"""A lesson as files in their canonical form, and back as the fields of its form.

Every content that a form can hold becomes files and the same content again, however incomplete: so
drafts and editions are files.
"""

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from quizzes.content_files.canonical_yaml import ordered, read_own_yaml, with_rows, write_yaml
from quizzes.content_files.renamed_from import FIELD
from quizzes.lessons.lesson_fields import LessonFile, StepFields, StepSourceFields
from quizzes.lessons.models import Lesson

LESSON_FILE = "lesson.yaml"
LESSON_FIELDS = tuple(LessonFile.model_fields)
STEP_FIELDS = tuple(StepFields.model_fields)
SOURCE_FIELDS = tuple(StepSourceFields.model_fields)

# What a form holds where a file leaves a field out.
LESSON = {"title": "", "summary": "", "form": Lesson.Form.STEPS.value}
STEP = {"slug": "", "title": "", "going_deeper": False, "as_of": ""}
SOURCE = {"work": "", "where": ""}


def lesson_file(content: Mapping[str, Any]) -> str:
    """Return lesson.yaml; a step's sources are (key of the work, where in it)."""
    form = content["form"] if content["form"] != Lesson.Form.STEPS else ""
    fields = with_rows(ordered({**content, "form": form}, LESSON_FIELDS), FIELD)
    fields["steps"] = [_step(step) for step in content["steps"]]
    return write_yaml(fields)


def _step(step: Mapping[str, Any]) -> dict[str, Any]:
    works = [ordered({"work": key, "where": at}, SOURCE_FIELDS) for key, at in step["sources"]]
    return with_rows(ordered({**step, "sources": works}, STEP_FIELDS), FIELD)


def step_name(number: int, step: str) -> str:
    """Return the name of a step's file below its lesson."""
    return f"steps/{number:02d}-{step}.md"


def step_file(lesson: str, number: int, step: str) -> str:
    """Return the name of a step's file below the course."""
    return (PurePosixPath("lessons") / lesson / step_name(number, step)).as_posix()


def within(lesson: str, steps: Sequence[str]) -> list[str]:
    """Return former names of a step as its lesson writes them: its own steps by slug alone."""
    return [step.removeprefix(f"{lesson}/") for step in steps]


# ---- of a form


def lesson_files(content: Mapping[str, Any]) -> dict[str, str]:
    """Return the content of a form as files by name; each step's name begins with its place."""
    steps = [
        {
            **{name: step[name] for name in STEP},
            "sources": [(source["work"], source["where"]) for source in step["sources"]],
        }
        for step in content["steps"]
    ]
    texts = {
        step_name(number, step["slug"]): step["text"]
        for number, step in enumerate(content["steps"], start=1)
    }
    return {LESSON_FILE: lesson_file({**content, "steps": steps}), **texts}


def lesson_form_content(files: Mapping[str, str]) -> dict[str, Any]:
    """Return the fields of a lesson's form from files that `lesson_files` wrote."""
    fields: dict[str, Any] = read_own_yaml(files[LESSON_FILE])
    steps = [
        {
            **STEP,
            **step,
            "sources": [{**SOURCE, **source} for source in step.get("sources", ())],
            "text": files[step_name(number, step.get("slug", ""))],
        }
        for number, step in enumerate(fields.get("steps", ()), start=1)
    ]
    return {**LESSON, "prerequisites": [], **fields, "steps": steps}
