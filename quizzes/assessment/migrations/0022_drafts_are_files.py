"""Drafts of questions and quizzes become files in the one table of drafts, and rows again.

A form no longer counts its changes in `revision`: it carries a hash of what it was made from. The
columns stay for one release, with a default: workers of the release before read them.

The files are written and read as this release does it, by functions of this module: later ones may
write them in another way. YAML of any style is read, so `write_yaml` may change its own.
"""

from django.db import migrations, models

from quizzes.content_files.canonical_yaml import Line, Row, read_own_yaml, write_yaml

QUESTION_FILE, PROMPT_FILE, QUIZ_FILE = "question.yaml", "prompt.md", "quiz.yaml"
RENAMED = "renamed_from"
QUESTION_FIELDS = (
    *("kind", "scoring", "step", "tags", "keep_last", "exercise", RENAMED),
    *("prompt", "answer", "options"),
)
OPTION_FIELDS = ("text", "key", "mistake", "reason")
ANSWER_FIELDS = ("value", "accepts", "within", "plus_minus", "unit", "reason", "near")
NEAR_FIELDS = ("value", "mistake", "reason")
QUIZ_FIELDS = ("title", "summary", RENAMED, "shuffle", "class_only", "questions")
POOL_FIELDS = ("draw", "tag", "slug", "points")

# What a form holds where a file leaves a field out.
QUESTION = {"kind": "single", "prompt": "", "step": "", "tags": [], "keep_last": False}
OPTION = {"text": "", "key": False, "reason": ""}
NUMBER = {"value": "", "unit": "", "reason": ""}
TEXT = {"accepts": [], "reason": ""}
MISS = {"value": "", "reason": ""}
QUIZ = {"title": "", "summary": "", "questions": []}
POOL = {"draw": "", "tag": ""}

REVISION = models.PositiveIntegerField(default=0, db_default=0, editable=False)
COPIED = (
    "base",
    "edited_at",
    "edited_by_id",
    "publish_when_closed",
    "not_published_at",
    "not_published_why",
)


def _known(fields, names):
    """Return the fields that have a value, in this order, without those that no form shows."""
    values = {name: fields.get(name) for name in names}
    return {
        name: value
        for name, value in values.items()
        if value is not None and value is not False and value not in ("", [])
    }


def _question_files(content):
    fields, files = _known(content, QUESTION_FIELDS), {}
    if "\n" in fields.get("prompt", ""):
        files[PROMPT_FILE] = f"{fields.pop('prompt')}\n"
    for name in {"tags", RENAMED} & fields.keys():
        fields[name] = Row(fields[name])
    if "options" in fields:
        fields["options"] = [_known(option, OPTION_FIELDS) for option in fields["options"]]
    if "answer" in fields:
        fields["answer"] = answer = _known(fields["answer"], ANSWER_FIELDS)
        if "near" in answer:
            answer["near"] = [_known(miss, NEAR_FIELDS) for miss in answer["near"]]
    return {QUESTION_FILE: write_yaml(fields), **files}


def _question_content(files):
    fields = read_own_yaml(files[QUESTION_FILE])
    if PROMPT_FILE in files:
        fields["prompt"] = files[PROMPT_FILE].removesuffix("\n")
    content = {**QUESTION, **fields}
    if content["kind"] in {"numeric", "text"}:
        answer = {**(NUMBER if content["kind"] == "numeric" else TEXT), **fields.get("answer", {})}
        if "near" in answer:
            answer["near"] = [{**MISS, **miss} for miss in answer["near"]]
        return {**content, "answer": answer}
    content["options"] = [{**OPTION, **option} for option in fields.get("options", ())]
    if content["kind"] == "multiple":
        content.setdefault("scoring", "")
    return content


def _quiz_files(content):
    fields = _known(content, QUIZ_FIELDS)
    if RENAMED in fields:
        fields[RENAMED] = Row(fields[RENAMED])
    fields["questions"] = [
        Line(_known(entry, POOL_FIELDS)) if isinstance(entry, dict) else entry
        for entry in fields.get("questions", [])
    ]
    return {QUIZ_FILE: write_yaml(fields)}


def _quiz_content(files):
    content = {**QUIZ, **read_own_yaml(files[QUIZ_FILE])}
    content["questions"] = [
        {**POOL, **entry} if isinstance(entry, dict) and "slug" not in entry else entry
        for entry in content["questions"]
    ]
    return content


FILES = {"question": _question_files, "quiz": _quiz_files}
CONTENT = {"question": _question_content, "quiz": _quiz_content}


def _converted(draft, convert, value):
    """Return a draft's value, converted. Raises ValueError, which names the draft."""
    try:
        return convert(value)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        words = (
            f"draft of {draft}: {str(value)[:200]}: must have the fields of its form ({error!r})"
        )
        raise ValueError(words) from error


def _store(rows, facts, old):
    """Insert a row as it was, with the time at which it was saved."""
    row = rows.create(**facts)
    rows.filter(pk=row.pk).update(**{name: getattr(old, name) for name in COPIED})


def write_files(apps, _schema_editor):
    drafts = apps.get_model("courses", "ContentDraft").objects
    for kind, name in (("question", "QuestionDraft"), ("quiz", "QuizDraft")):
        for old in apps.get_model("assessment", name).objects.select_related(f"{kind}__course"):
            thing = getattr(old, kind)
            draft = f"{kind} {thing.slug} in {thing.course.slug}"
            facts = {"course_id": thing.course_id, "kind": kind, "slug": thing.slug}
            files = _converted(draft, FILES[kind], old.content)
            _store(drafts, {**facts, "files": files}, old)


def write_rows(apps, _schema_editor):
    for kind, name in (("question", "QuestionDraft"), ("quiz", "QuizDraft")):
        rows = apps.get_model("assessment", name).objects
        things = apps.get_model("assessment", kind).objects
        drafts = apps.get_model("courses", "ContentDraft").objects.select_related("course")
        for new in drafts.filter(kind=kind):
            thing = things.filter(course_id=new.course_id, slug=new.slug).first()
            if thing is not None:
                draft = f"{kind} {new.slug} in {new.course.slug}"
                content = _converted(draft, CONTENT[kind], new.files)
                _store(rows, {kind: thing, "content": content}, new)
    apps.get_model("courses", "ContentDraft").objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [
        ("assessment", "0021_words_of_an_attempts_end"),
        ("courses", "0009_content_draft"),
    ]

    operations = [
        migrations.RunPython(write_files, write_rows),
        migrations.DeleteModel("QuestionDraft"),
        migrations.DeleteModel("QuizDraft"),
        *(migrations.AlterField(model, "revision", REVISION) for model in ("question", "quiz")),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveField(model, "revision") for model in ("question", "quiz")
            ]
        ),
    ]
