"""The form of an exercise as a browser sends it."""

from django.http import QueryDict

from quizzes.classes.publishing.exercise_drafts import EditableExercise
from quizzes.courses.drafts import current_text
from quizzes.exercises.models import Exercise
from quizzes.teaching.exercise.form import file_rows, read_exercise_form


def exercise_thing(course, slug):
    """Return an exercise, read again, for the mechanism of drafts."""
    rows = Exercise.objects.select_related("course", "current")
    return EditableExercise(rows.get(course=course, slug=slug))


def form_of(content, **changes):
    """Return the fields of a form with this content; files end lines in another way."""
    fields = {"files": []}
    for row in file_rows(content, ()):
        fields["files"].append(str(row.key))
        fields[f"name-{row.key}"] = row.name
        text = row.text.replace("\n", "\r\n")
        if row.is_wrong:
            fields[f"stem-{row.key}"] = row.stem
        if row.form:
            fields[f"Kind-{row.key}"] = row.kinds[0][0]
            fields |= {f"{one.key}-{row.key}": one.value for one in row.fields}
            fields[f"code-{row.key}"] = text
        else:
            fields[f"text-{row.key}"] = text
    return fields | changes


def key_in(content, name):
    """Return the key of the fields of a file."""
    return next(row.key for row in file_rows(content, ()) if row.name == name)


def opened(course, slug, **changes):
    """Return the form of an exercise that is opened now, with some fields changed."""
    now = current_text(exercise_thing(course, slug))
    return form_of(now.content, revision=now.revision, do="save") | changes


def read(fields):
    """Return what a form with these fields says."""
    data = QueryDict(mutable=True)
    for name, value in fields.items():
        data.setlist(name, value if isinstance(value, list) else [value])
    return read_exercise_form(data, "save")
