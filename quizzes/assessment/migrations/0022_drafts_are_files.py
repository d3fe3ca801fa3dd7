"""Drafts of questions and quizzes become files in the one table of drafts, and rows again.

A form no longer counts its changes in `revision`: it carries a hash of what it was made from. The
columns stay for one release, with a default: workers of the release before read them.
"""

from django.db import migrations, models

from quizzes.assessment.canonical_files import (
    QUESTION_FIELDS,
    QUIZ_FIELDS,
    question_content,
    question_files,
    quiz_file,
    quiz_form_content,
)

QUIZ_FILE = "quiz.yaml"
REVISION = models.PositiveIntegerField(default=0, db_default=0, editable=False)
COPIED = (
    "base",
    "edited_at",
    "edited_by_id",
    "publish_when_closed",
    "not_published_at",
    "not_published_why",
)


def _files(kind, content):
    names = QUESTION_FIELDS if kind == "question" else QUIZ_FIELDS
    known = {name: value for name, value in content.items() if name in names}
    return question_files(known) if kind == "question" else {QUIZ_FILE: quiz_file(known)}


def _content(kind, files):
    return question_content(files) if kind == "question" else quiz_form_content(files[QUIZ_FILE])


def _store(rows, facts, old):
    """Insert a row as it was, with the time at which it was saved."""
    row = rows.create(**facts)
    rows.filter(pk=row.pk).update(**{name: getattr(old, name) for name in COPIED})


def write_files(apps, _schema_editor):
    drafts = apps.get_model("courses", "ContentDraft").objects
    for kind, name in (("question", "QuestionDraft"), ("quiz", "QuizDraft")):
        for old in apps.get_model("assessment", name).objects.select_related(kind):
            thing = getattr(old, kind)
            facts = {"course_id": thing.course_id, "kind": kind, "slug": thing.slug}
            _store(drafts, {**facts, "files": _files(kind, old.content)}, old)


def write_rows(apps, _schema_editor):
    for kind, name in (("question", "QuestionDraft"), ("quiz", "QuizDraft")):
        rows = apps.get_model("assessment", name).objects
        things = apps.get_model("assessment", kind).objects
        for draft in apps.get_model("courses", "ContentDraft").objects.filter(kind=kind):
            thing = things.filter(course_id=draft.course_id, slug=draft.slug).first()
            if thing is not None:
                _store(rows, {kind: thing, "content": _content(kind, draft.files)}, draft)
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
