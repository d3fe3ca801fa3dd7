"""Questions and quizzes as files in their canonical form, and back as the fields of a form.

Every content that a form can hold becomes files and the same content again, however incomplete:
so drafts are files.
"""

from collections.abc import Mapping
from typing import Any

from quizzes.assessment.generator.generator_files import GENERATOR_FILE
from quizzes.assessment.question_fields import MissFields, OptionFields
from quizzes.assessment.question_files import PROMPT_FILE, QUESTION_FILE
from quizzes.assessment.quiz_fields import QuizFile
from quizzes.content_files.canonical_yaml import (
    Line,
    Row,
    ordered,
    read_own_yaml,
    with_rows,
    write_yaml,
)
from quizzes.content_files.renamed_from import FIELD

QUIZ_FILE = "quiz.yaml"  # of a draft or an edition; in a course it has the name of the quiz
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
OPTION_FIELDS = tuple(OptionFields.model_fields)
ANSWER_FIELDS = ("value", "accepts", "within", "plus_minus", "unit", "reason", "near")
NEAR_FIELDS = tuple(MissFields.model_fields)
QUIZ_FIELDS = tuple(QuizFile.model_fields)
POOL_FIELDS = ("draw", "tag", "slug", "points")  # of an entry that is more than a name

# What a form holds where a file leaves a field out.
QUESTION = {"kind": "single", "prompt": "", "step": "", "tags": [], "keep_last": False}
GENERATED = {"exercise": "", "generator": ""}  # and by what its numbers are drawn
OPTION = {"text": "", "key": False, "reason": ""}
NUMBER = {"value": "", "unit": "", "reason": ""}
TEXT = {"accepts": [], "reason": ""}
MISS = {"value": "", "reason": ""}
QUIZ = {"title": "", "summary": "", "questions": []}
POOL = {"draw": "", "tag": ""}


def question_files(content: Mapping[str, Any]) -> dict[str, str]:
    """Return the files of a question by name; a prompt of several lines has a file of its own."""
    fields = {name: value for name, value in content.items() if name != "generator"}
    fields = ordered(fields, QUESTION_FIELDS)
    files = {}
    if "generator" in content:
        files[GENERATOR_FILE] = content["generator"]
    if "\n" in fields.get("prompt", ""):
        files[PROMPT_FILE] = f"{fields.pop('prompt')}\n"
    for name in {"tags", FIELD} & fields.keys():
        fields[name] = Row(fields[name])
    if "options" in fields:
        fields["options"] = [ordered(option, OPTION_FIELDS) for option in fields["options"]]
    if "answer" in fields:
        fields["answer"] = _answer(fields["answer"])
    return {QUESTION_FILE: write_yaml(fields), **files}


def _answer(answer: Mapping[str, Any]) -> dict[str, Any]:
    fields = ordered(answer, ANSWER_FIELDS)
    if "near" in fields:
        fields["near"] = [ordered(miss, NEAR_FIELDS) for miss in fields["near"]]
    return fields


def program_content(generator: Mapping[str, str]) -> dict[str, str]:
    """Return the fields of a generator as versions store it; none without one."""
    if GENERATOR_FILE not in generator:
        return {}
    return {"exercise": generator.get("exercise", ""), "generator": generator[GENERATOR_FILE]}


def question_content(files: Mapping[str, str]) -> dict[str, Any]:
    """Return the fields of a question's form from files that `question_files` wrote."""
    fields = read_own_yaml(files[QUESTION_FILE])
    if PROMPT_FILE in files:
        fields["prompt"] = files[PROMPT_FILE].removesuffix("\n")
    content: dict[str, Any] = {**QUESTION, **fields}
    if GENERATOR_FILE in files:
        return {**GENERATED, **content, "generator": files[GENERATOR_FILE]}
    if content["kind"] in {"numeric", "text"}:
        answer = {**(NUMBER if content["kind"] == "numeric" else TEXT), **fields.get("answer", {})}
        if "near" in answer:
            answer["near"] = [{**MISS, **miss} for miss in answer["near"]]
        return {**content, "answer": answer}
    content["options"] = [{**OPTION, **option} for option in fields.get("options", ())]
    if content["kind"] == "multiple":
        content.setdefault("scoring", "")
    return content


def quiz_file(content: Mapping[str, Any]) -> str:
    """Return the file of a quiz; an entry that says more than a name stands on one line."""
    fields = with_rows(ordered(content, QUIZ_FIELDS), FIELD)
    fields["questions"] = [
        Line(ordered(entry, POOL_FIELDS)) if isinstance(entry, Mapping) else entry
        for entry in fields.get("questions", [])
    ]
    return write_yaml(fields)


def quiz_form_content(file: str) -> dict[str, Any]:
    """Return the fields of a quiz's form from a file that `quiz_file` wrote."""
    content: dict[str, Any] = {**QUIZ, **read_own_yaml(file)}
    content["questions"] = [
        {**POOL, **entry} if isinstance(entry, dict) and "slug" not in entry else entry
        for entry in content["questions"]
    ]
    return content
