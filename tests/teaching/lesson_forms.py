"""The form of a lesson as a browser sends it."""

from django.http import QueryDict

from quizzes.classes.publishing.lesson_drafts import EditableLesson
from quizzes.courses.drafts import current_text
from quizzes.lessons.models import Lesson
from quizzes.teaching.lesson.form import read_lesson


def lesson_thing(course, slug):
    """Return a lesson, read again, for the mechanism of drafts."""
    return EditableLesson(Lesson.objects.select_related("course").get(course=course, slug=slug))


def form_of(content, **changes):
    """Return the fields of a form with this content; files end lines in another way."""
    fields = {
        "title": content["title"],
        "summary": content["summary"],
        "form": content["form"],
        "prerequisites": "\r\n".join(content["prerequisites"]),
        "steps": [str(number) for number in range(1, len(content["steps"]) + 1)],
    }
    for number, step in enumerate(content["steps"], start=1):
        fields[f"slug-{number}"] = step["slug"]
        fields[f"title-{number}"] = step["title"]
        fields[f"text-{number}"] = step["text"].replace("\n", "\r\n")
        fields[f"day-{number}"] = step["as_of"]
        if step["going_deeper"]:
            fields[f"deeper-{number}"] = "on"
        for place, source in enumerate([*step["sources"], {"work": "", "where": ""}], start=1):
            fields[f"work-{number}-{place}"] = source["work"]
            fields[f"where-{number}-{place}"] = source["where"]
    return fields | changes


def opened(course, slug, **changes):
    """Return the form of a lesson that is opened now, with some fields changed."""
    now = current_text(lesson_thing(course, slug))
    return form_of(now.content, revision=now.revision, do="publish") | changes


def read(fields):
    """Return what a form with these fields says."""
    data = QueryDict(mutable=True)
    for name, value in fields.items():
        data.setlist(name, value if isinstance(value, list) else [value])
    return read_lesson(data)
