"""The files of a course in their canonical form.

Fields stand in a fixed order, empty fields are left out, prose is folded at 100 columns. A file in
this form that is loaded and written again is the same file. Texts that are kept as their author
wrote them, which are steps, exercises and generate.py, have no canonical form.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import PurePosixPath
from typing import Any

import yaml

from quizzes.assessment.generator.generator_files import GENERATOR_FILE
from quizzes.assessment.question_files import PROMPT_FILE
from quizzes.assessment.sources import QuestionSource
from quizzes.authoring.course_files import CourseFiles
from quizzes.content_files.renamed_from import FIELD, FormerName
from quizzes.content_files.yaml_nodes import PlainLoader
from quizzes.lessons.lesson_files import LessonSource
from quizzes.lessons.models import Lesson

WIDTH = 100
COURSE_FIELDS = ("title", "summary", "lessons", "sources")
LESSON_FIELDS = ("title", "summary", "form", FIELD, "prerequisites", "steps")
STEP_FIELDS = ("slug", "title", "going_deeper", FIELD, "sources")
CONCEPT_FIELDS = ("slug", "title", "family", "summary", "requires", "steps", "exercises")
QUESTION_FIELDS = (
    "kind",
    "scoring",
    "step",
    "tags",
    "keep_last",
    "exercise",
    FIELD,
    "prompt",
    "answer",
    "options",
)
OPTION_FIELDS = ("text", "key", "mistake", "reason")
ANSWER_FIELDS = ("value", "accepts", "within", "plus_minus", "unit", "reason", "near")
NEAR_FIELDS = ("value", "mistake", "reason")
QUIZ_FIELDS = ("title", "summary", FIELD, "shuffle", "class_only", "questions")
POOL_FIELDS = ("draw", "tag", "slug", "points")  # of an entry that is more than a name
FOLDS = re.compile(r"[^\s#-](?:[^\s]| (?=[^\s]))*")  # one line, single spaces, no list or comment
PROSE_FROM = 60  # characters; shorter texts stay beside their key


class _Canonical(yaml.SafeDumper):
    """Quotes text that our own reader would take for a number or another value."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        del indentless  # items of a list stand two columns in, as the course has them
        super().increase_indent(flow, False)


_Canonical.yaml_implicit_resolvers = PlainLoader.yaml_implicit_resolvers


class _Row(list[Any]):
    """A list that stands on one line."""


class _Line(dict[str, Any]):
    """A mapping that stands on one line."""


def _text(dumper: _Canonical, text: str) -> yaml.Node:
    style = None
    if "\n" in text:
        style = "|"
    elif len(text) > PROSE_FROM and FOLDS.fullmatch(text):
        style = ">"
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


def _row(dumper: _Canonical, items: _Row) -> yaml.Node:
    return dumper.represent_sequence("tag:yaml.org,2002:seq", items, flow_style=True)


def _line(dumper: _Canonical, fields: _Line) -> yaml.Node:
    return dumper.represent_mapping("tag:yaml.org,2002:map", fields.items(), flow_style=True)


_Canonical.add_representer(str, _text)
_Canonical.add_representer(_Row, _row)
_Canonical.add_representer(_Line, _line)


def question_files(content: Mapping[str, Any]) -> dict[str, str]:
    """Return the files of a question by name; a prompt of several lines has a file of its own."""
    fields = _ordered(content, QUESTION_FIELDS)
    files = {}
    if "\n" in fields.get("prompt", ""):
        files[PROMPT_FILE] = f"{fields.pop('prompt')}\n"
    for name in {"tags", FIELD} & fields.keys():
        fields[name] = _Row(fields[name])
    if "options" in fields:
        fields["options"] = [_ordered(option, OPTION_FIELDS) for option in fields["options"]]
    if "answer" in fields:
        fields["answer"] = _answer(fields["answer"])
    return {"question.yaml": _yaml(fields), **files}


def quiz_file(content: Mapping[str, Any]) -> str:
    """Return the file of a quiz; an entry that says more than a name stands on one line."""
    fields = _with_rows(_ordered(content, QUIZ_FIELDS), FIELD)
    fields["questions"] = [
        _Line(_ordered(one, POOL_FIELDS)) if isinstance(one, Mapping) else one
        for one in fields.get("questions", [])
    ]
    return _yaml(fields)


def course_file(content: Mapping[str, Any]) -> str:
    """Return course.yaml; `sources` are {key: {"text", "url"}}."""
    fields = _ordered(content, COURSE_FIELDS)
    works = content.get("sources", {})
    if works:
        fields["sources"] = {key: _ordered(works[key], ("text", "url")) for key in sorted(works)}
    return _yaml(fields)


def lesson_file(content: Mapping[str, Any]) -> str:
    """Return lesson.yaml; a step's sources are (key of the work, where in it)."""
    form = content["form"] if content["form"] != Lesson.Form.STEPS else ""
    fields = _with_rows(_ordered({**content, "form": form}, LESSON_FIELDS), FIELD)
    fields["steps"] = [_step(step) for step in content["steps"]]
    return _yaml(fields)


def _step(step: Mapping[str, Any]) -> dict[str, Any]:
    works = [_ordered({"work": key, "where": at}, ("work", "where")) for key, at in step["sources"]]
    return _with_rows(_ordered({**step, "sources": works}, STEP_FIELDS), FIELD)


def map_file(concepts: Sequence[Mapping[str, Any]]) -> str:
    """Return map.yaml."""
    rows = ("requires", "steps", "exercises")
    return _yaml(
        {"concepts": [_with_rows(_ordered(one, CONCEPT_FIELDS), *rows) for one in concepts]}
    )


def _with_rows(fields: dict[str, Any], *names: str) -> dict[str, Any]:
    """Have these lists stand on one line each."""
    return {name: _Row(value) if name in names else value for name, value in fields.items()}


def _answer(answer: Mapping[str, Any]) -> dict[str, Any]:
    fields = _ordered(answer, ANSWER_FIELDS)
    if "near" in fields:
        fields["near"] = [_ordered(miss, NEAR_FIELDS) for miss in fields["near"]]
    return fields


def _ordered(content: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    """Return the fields that have a value, in their order; an unknown field is an error."""
    unknown = sorted(content.keys() - set(names))
    if unknown:
        raise ValueError(f"{unknown}: has no place in the canonical form ({', '.join(names)})")
    return {name: content[name] for name in names if _has_value(content.get(name))}


def _has_value(value: Any) -> bool:
    """Say whether a field is written. 0 is: an answer that is `plus_minus: 0` must be exact."""
    return value is not None and value is not False and value not in ("", [])


def _yaml(fields: Mapping[str, Any]) -> str:
    return yaml.dump(
        dict(fields),
        Dumper=_Canonical,
        sort_keys=False,
        allow_unicode=True,
        default_flow_style=False,
        width=WIDTH,
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
        yield from of_question(question.slug, _content(question), question.generator).items()
    for quiz in files.sources["quiz"]:
        yield quiz.path, quiz_file({**quiz.content, FIELD: names(quiz.renamed_from)})
    for found in files.sources["concept map"]:
        yield found.path, map_file([concept.content() for concept in found.concepts])


def of_question(
    slug: str, content: Mapping[str, Any], generator: Mapping[str, str]
) -> dict[str, str | None]:
    """Return the files of a question below the course; None for a file that it must not have."""
    exercise = {"exercise": generator["exercise"]} if "exercise" in generator else {}
    files: dict[str, str | None] = {**question_files({**content, **exercise})}
    if GENERATOR_FILE in generator:  # the rest lies with the exercise
        files[GENERATOR_FILE] = generator[GENERATOR_FILE]
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
                FIELD: within(lesson.slug, names(step.renamed_from)),
                "sources": step.sources,
            }
            for step in lesson.steps_read
        ],
    }


def step_file(lesson: str, number: int, step: str) -> str:
    """Return the name of a step's file below the course."""
    return (PurePosixPath("lessons") / lesson / "steps" / f"{number:02d}-{step}.md").as_posix()


def names(former: Sequence[FormerName]) -> list[str]:
    return [one.name for one in former]


def within(lesson: str, steps: Sequence[str]) -> list[str]:
    """Return former names of a step as its lesson writes them: its own steps by slug alone."""
    return [step.removeprefix(f"{lesson}/") for step in steps]


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
    }
