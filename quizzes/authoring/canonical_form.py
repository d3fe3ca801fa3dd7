"""The files of a course in their canonical form.

Fields stand in a fixed order, empty fields are left out, prose is folded at 100 columns. A file in
this form that is loaded and written again is the same file. Texts that are kept as their author
wrote them, which are steps, exercises and generate.py, have no canonical form.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from quizzes.assessment.canonical_files import program_content, question_files, quiz_file
from quizzes.assessment.question_files import PROMPT_FILE
from quizzes.assessment.sources import QuestionSource
from quizzes.authoring.course_files import CourseFiles
from quizzes.concepts.files import ConceptFields
from quizzes.content_files.canonical_yaml import ordered, with_rows, write_yaml
from quizzes.content_files.renamed_from import FIELD, FormerName
from quizzes.lessons.canonical_files import lesson_file, within
from quizzes.lessons.lesson_fields import CourseFile, WorkFields
from quizzes.lessons.lesson_files import LessonSource
from quizzes.lessons.released.model_files import models_file

COURSE_FIELDS = tuple(CourseFile.model_fields)
WORK_FIELDS = tuple(WorkFields.model_fields)
CONCEPT_FIELDS = tuple(ConceptFields.model_fields)


def course_file(content: Mapping[str, Any]) -> str:
    """Return course.yaml; `sources` are {key: {"text", "url"}}."""
    fields = ordered(content, COURSE_FIELDS)
    works = fields.pop("sources", None)
    fields.setdefault("lessons", [])  # of a course that was begun a moment ago
    if works is not None:
        fields["sources"] = {key: ordered(works[key], WORK_FIELDS) for key in sorted(works)}
    return write_yaml(fields)


def map_file(concepts: Sequence[Mapping[str, Any]]) -> str:
    """Return map.yaml."""
    rows = ("requires", "steps", "exercises")
    return write_yaml(
        {"concepts": [with_rows(ordered(concept, CONCEPT_FIELDS), *rows) for concept in concepts]}
    )


# ---- of a course that was read


def canonical_files(files: CourseFiles) -> Iterator[tuple[str, str | None]]:
    """Yield every file of a course that has a canonical form, with its text in that form."""
    for course in files.sources["course"]:
        works = {key: asdict(work) for key, work in course.sources.items()}
        facts = {"title": course.title, "summary": course.summary, "lessons": list(course.lessons)}
        yield course.path, course_file({**facts, "sources": works})
    for lesson in files.sources["lesson"]:
        yield lesson.path, lesson_file(content_of_lesson(lesson))
    for question in files.sources["question"]:
        yield from of_question(question.slug, _content(question)).items()
    for quiz in files.sources["quiz"]:
        yield quiz.path, quiz_file({**quiz.content, FIELD: names(quiz.renamed_from)})
    for found in files.sources["concept map"]:
        yield found.path, map_file([concept.content() for concept in found.concepts])
    for listed in files.sources["list of models"]:
        yield listed.path, models_file(listed.models)


def of_question(slug: str, content: Mapping[str, Any]) -> dict[str, str | None]:
    """Return the files of a question below the course; None for a file that it must not have."""
    files: dict[str, str | None] = {**question_files(content)}
    files.setdefault(PROMPT_FILE, None)
    return {f"questions/{slug}/{name}": text for name, text in files.items()}


def content_of_lesson(lesson: LessonSource) -> dict[str, Any]:
    """Return a lesson that was read as the fields of lesson.yaml."""
    return {
        "title": lesson.title,
        "summary": lesson.summary,
        "form": lesson.form,
        FIELD: names(lesson.renamed_from),
        "prerequisites": list(lesson.prerequisites),
        "steps": [
            {
                "slug": step.slug,
                "title": step.title,
                "going_deeper": step.going_deeper,
                "as_of": step.as_of,
                FIELD: within(lesson.slug, names(step.renamed_from)),
                "sources": step.sources,
            }
            for step in lesson.steps_read
        ],
    }


def names(former: Sequence[FormerName]) -> list[str]:
    return [one.name for one in former]


def _content(source: QuestionSource) -> dict[str, Any]:
    """Return a question that was read from files as the fields of question.yaml."""
    options = [
        {"text": one.text, "key": one.is_key, "mistake": one.mistake, "reason": one.reason}
        for one in source.options
    ]
    return {
        "kind": source.kind,
        "prompt": source.prompt,
        "step": source.step,
        "tags": list(source.tags),
        "keep_last": source.keep_last,
        FIELD: names(source.renamed_from),
        "options": options,
        "answer": source.answer,
        "scoring": source.scoring,
        **program_content(source.generator),
    }
